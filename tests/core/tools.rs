//! Tools of a world: a kiosk declares two, roles that models play call them, and the log has the
//! calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rolecall::config::{Request, Resolved, load};
use rolecall::domain::{Event, MoveKinds, ToolCall, ToolChoice};
use rolecall::log::{LogWriter, RunLog};
use rolecall::models::openai;
use rolecall::ports::model::{Capabilities, Completion, Format, ModelProfile, ModelSettings, Prompt, ToolSpec};
use rolecall::ports::{
    Cast, EnvironmentEntry, ModelEntry, ModelRequest, NoWords, StrategyBuild, StrategyEntry, Unreadable, UserNeed,
    Words, World,
};
use rolecall::prelude::*;
use rolecall::roles::reader::{Commands, Reading, Toolbox, read_tools};
use rolecall::runtime::{Launch, Replay, replay_run};
use serde_json::{Value, json};

use crate::support::puppet::{self, Asked, Puppet, reply};

/// A shop window with a search field.
#[derive(Default)]
struct Kiosk {
    bought: bool,
}

#[async_trait]
impl Environment for Kiosk {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        self.bought = false;
        Ok(Observation::text("A kiosk."))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let tool = action.call.as_deref().map(|call| call.tool.as_str());
        Ok(match (tool, action.text.as_str()) {
            (Some("buy"), _) | (None, "buy lamp") => {
                self.bought = true;
                Observation { done: true, ..Observation::text("Yours.") }
            }
            (Some("search"), text) => Observation::text(format!("Nothing for {text}.")),
            (None, text) if text.ends_with(']') => Observation::text(format!("Heard {text}.")),
            (_, text) => Observation::refused(format!("There is no {text}.")),
        })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(self.bought))
    }
}

struct KioskWords;

impl Words for KioskWords {
    fn forms(&self, _: &PublicTask) -> Option<Vec<(String, String)>> {
        let forms = ["search[{text}]", "question[{text}]", "buy {item}"];
        Some(forms.map(|form| (form.to_owned(), String::new())).into())
    }

    fn call_text(&self, tool: &str, arguments: &Value) -> Option<String> {
        let item = arguments.get("item")?.as_str()?;
        (tool == "buy").then(|| format!("buy {item}"))
    }
}

fn tool(name: &str, properties: Value, required: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("{name} in the kiosk"),
        parameters: json!({
            "type": "object", "properties": properties, "required": [required],
        }),
    }
}

fn kiosk_tools() -> Vec<ToolSpec> {
    let search = json!({
        "query": {"type": "string"},
        "max_price": {"type": ["number", "null"]},
        "order": {"enum": ["price", null]},
        "page": {"type": "integer"},
    });
    vec![tool("search", search, "query"), tool("buy", json!({"item": {"type": "string"}}), "item")]
}

/// The kiosk's tasks; some offer a tool that cannot be.
struct Kiosks {
    tools: Vec<ToolSpec>,
}

impl TaskSource for Kiosks {
    fn len(&self) -> usize {
        1
    }

    fn tools(&self) -> Vec<ToolSpec> {
        self.tools.clone()
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        Ok(OpenTask {
            task: PublicTask::new(format!("kiosk-{index}"), "kiosk", "Buy a lamp.").into(),
            environment: Arc::new(|| Box::new(Kiosk::default())),
        })
    }
}

fn kiosks(tools: Vec<ToolSpec>) -> Result<Arc<dyn TaskSource>, SetupError> {
    Ok(Arc::new(Kiosks { tools }))
}

const fn environment(
    name: &'static str,
    build: fn(&EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError>,
) -> EnvironmentEntry {
    EnvironmentEntry { name, summary: "a kiosk", parameters: &[], words: &KioskWords, build }
}

static ENVIRONMENTS: &[EnvironmentEntry] = &[
    environment("kiosk", |_| kiosks(kiosk_tools())),
    environment("counter", |_| kiosks(Vec::new())),
    environment("thinker", |_| kiosks(vec![tool("think", json!({}), "a")])),
    environment("twice", |_| kiosks([kiosk_tools(), kiosk_tools()].concat())),
];

/// `react`, where the config says which tools are called, and what becomes of bad calls.
static STRATEGY: StrategyEntry = StrategyEntry {
    name: "chooses",
    summary: "as `react`",
    environments: &[],
    roles: Cast::Fixed(&["executor"]),
    user: UserNeed::None,
    parameters: &[
        Parameter::choice("tool", &["required", "auto", "none", "search", "gone"], "which tool"),
        Parameter::flag("as_written", false, "bad calls go to the world"),
    ],
    build: StrategyBuild::Alone(|roles, parameters| {
        let inner = rolecall::strategies::react(roles, parameters)?;
        let choice = match parameters.text("tool").unwrap() {
            "required" => ToolChoice::Required,
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::None,
            name => ToolChoice::Named(name.to_owned()),
        };
        let as_written = parameters.flag("as_written");
        Ok(Arc::new(move || Box::new(Chooses { inner: inner(), choice: choice.clone(), as_written })))
    }),
};

struct Chooses {
    inner: Box<dyn Strategy>,
    choice: ToolChoice,
    as_written: bool,
}

impl Strategy for Chooses {
    fn apply(&mut self, event: &Event) {
        self.inner.apply(event);
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        Ok(match self.inner.next()? {
            Directive::Brief(role, brief) => {
                let brief = Brief {
                    tool_choice: Some(Box::new(self.choice.clone())),
                    calls_as_written: self.as_written,
                    ..brief
                };
                Directive::Brief(role, brief)
            }
            other => other,
        })
    }
}

/// What models of this name say, one after the other, and what they were asked.
type Scripts = BTreeMap<String, (Vec<rolecall::domain::ModelReply>, Vec<Asked>)>;

static SCRIPTS: Mutex<Scripts> = Mutex::new(BTreeMap::new());

static PROVIDER: ModelEntry = ModelEntry {
    name: "kiosk",
    summary: "says what a test wrote down",
    server: true,
    build: |settings| {
        let name = settings.profile.model.clone();
        let puppet = Puppet::new("m", move |asked| {
            let mut scripts = SCRIPTS.lock().unwrap();
            let (says, sent) = scripts.get_mut(&name).unwrap();
            sent.push(asked.clone());
            Ok(says.get(asked.number).cloned().unwrap_or_else(|| reply("")))
        });
        Ok(puppet.with(|profile| *profile = settings.profile.clone()))
    },
};

/// A config of the kiosk, resolved: `lines` are put before the tables that all have in common.
pub(super) fn resolve(name: &str, lines: &str) -> Result<Resolved, String> {
    let folder = tempfile::tempdir().unwrap();
    let card = folder.path().join("agents/kiosk");
    std::fs::create_dir_all(&card).unwrap();
    std::fs::write(card.join("executor.toml"), "prompt = \"executor.md\"\n").unwrap();
    std::fs::write(card.join("executor.md"), "Shop.\n{{ transcript }}\n").unwrap();
    let config = format!(
        "cache.mode = \"off\"\n{lines}\n[models.m]\nprovider = \"kiosk\"\nmodel = \"{name}\"\n\
         base_url = \"http://localhost:1\"\ncapabilities = {{ tools = true, json_schema = true }}\n"
    );
    std::fs::write(folder.path().join("kiosk.toml"), config).unwrap();
    let mut registry = rolecall::worlds();
    registry.environments.extend(ENVIRONMENTS);
    registry.strategies.push(&STRATEGY);
    registry.models.push(&PROVIDER);
    let request = Request { file: "kiosk.toml".into(), working: folder.path().to_owned(), ..Request::default() };
    load(&request, registry).map_err(|errors| errors.to_string())
}

fn executor(moves: &str) -> String {
    format!(
        "roles.executor = {{ implementation = \"model\", model = \"m\", persona = \"kiosk/executor\", \
         moves = \"{moves}\", retries_unreadable = 2 }}\n"
    )
}

/// A config with this environment, these parameters of the strategy, and this form of answers.
pub(super) fn lines(environment: &str, strategy: &str, moves: &str) -> String {
    format!("environment.name = \"{environment}\"\nstrategy = {{ name = \"chooses\"{strategy} }}\n{}", executor(moves))
}

/// Plays the one task with a model that says these things, and plays it again from its log.
pub(super) fn play(name: &str, lines: &str, says: Vec<rolecall::domain::ModelReply>) -> (Vec<Event>, Vec<Asked>) {
    let script = (says, Vec::new());
    SCRIPTS.lock().unwrap().insert(name.to_owned(), script);
    let plan = Arc::new(resolve(name, lines).unwrap().plan);
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let writer = LogWriter::create(&run, &plan.record, &plan.run.log).unwrap();
    Launch::new(Arc::clone(&plan), &writer, Vec::new()).run(&mut ()).unwrap();
    writer.close().unwrap();
    let log = RunLog::open(&run).unwrap();
    let id = log.ids().next().unwrap().clone();
    let sent = SCRIPTS.lock().unwrap()[name].1.clone();
    for who in [Replay::Models, Replay::Log, Replay::Twice] {
        let replayed = replay_run(&plan, &log, std::slice::from_ref(&id), who, &|_| {});
        assert!(replayed[0].result.is_ok(), "{who:?}: {replayed:?}");
    }
    (log.episode(&id).unwrap().events, sent)
}

/// What was performed: the texts, and the calls.
pub(super) fn performed(events: &[Event]) -> Vec<(String, Option<Call>)> {
    let actions = events.iter().filter_map(|event| match &event.message {
        Message::Perform(action) => Some(action.clone()),
        _ => None,
    });
    let parts = actions.map(|action| (action.text, action.call.map(|call| *call)));
    parts.collect()
}

fn repairs(events: &[Event]) -> Vec<&str> {
    let repaired = events.iter().filter_map(|event| match &event.message {
        Message::Repaired(repair) => Some(repair.code.as_str()),
        _ => None,
    });
    repaired.collect()
}

fn calls(tool: &str, arguments: Value) -> rolecall::domain::ModelReply {
    let mut said = reply("");
    said.choices[0].tool_calls.push(ToolCall { name: tool.to_owned(), arguments });
    said
}

fn offered(asked: &Asked) -> (Vec<String>, ToolChoice) {
    let Format::Tools { tools, choice } = &asked.completion().format else {
        panic!("no tools");
    };
    let names = tools.iter().map(|tool| tool.name.clone());
    (names.collect(), choice.clone())
}

fn call(tool: &str, arguments: Value) -> Option<Call> {
    let tool = tool.to_owned();
    Some(Call { tool, arguments })
}

#[test]
fn calls_of_the_worlds_tools_are_actions_with_their_text() {
    let search = json!({"max_price": 40, "query": "a\nlamp"});
    let says = vec![
        calls("search", search.clone()),
        calls("think", json!({"text": "Hm."})),
        calls("buy", json!({"item": "lamp"})),
    ];
    let (events, sent) = play("calls", &lines("kiosk", "", "tools"), says);
    let expected = [
        (r#"search {"query":"a\nlamp","max_price":40}"#.to_owned(), call("search", search)),
        ("buy lamp".to_owned(), call("buy", json!({"item": "lamp"}))),
    ];
    assert_eq!(performed(&events), expected);
    assert!(repairs(&events).is_empty());
    let (names, choice) = offered(&sent[0]);
    assert_eq!(names, ["think", "search", "buy", "finish"]);
    assert_eq!(choice, ToolChoice::Required);
    let schema = puppet::schema(&sent[0].request);
    assert_eq!(schema[1][1], kiosk_tools()[0].parameters);
    let Message::Closed(outcome) = &events.last().unwrap().message else {
        panic!("not closed");
    };
    assert_eq!(outcome.counts.actions, 2);
}

#[test]
fn tools_stand_once_in_the_record_of_a_run() {
    let cells = "environment.name = \"kiosk\"\nstrategy.name = \"chooses\"\n\
                 [[cells]]\nname = \"a\"\n[[cells]]\nname = \"b\"\nlimits.steps = 9\n\
                 [[cells]]\nname = \"c\"\nenvironment.name = \"counter\"\n";
    let resolved = resolve("record", &format!("{}{cells}", executor("tools"))).unwrap();
    let record: toml::Table = resolved.plan.record.parse().unwrap();
    let tools = record["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().flat_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["search", "buy"]);
    assert_eq!(tools[0]["environment"].as_str(), Some("kiosk"));
    let schema: Value = serde_json::from_str(tools[0]["parameters"].as_str().unwrap()).unwrap();
    assert_eq!(schema, kiosk_tools()[0].parameters);
    let without = resolve("record", &lines("counter", "", "tools")).unwrap();
    assert!(!without.plan.record.contains("tools]]"));
}

#[test]
fn tools_that_cannot_be_called_are_refused() {
    for (environment, problem) in
        [("thinker", "its tool `think` has the name of a kind of move"), ("twice", "its tool `search` is there twice")]
    {
        let error = resolve("refused", &lines(environment, "", "tools")).err().unwrap();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn bad_calls_are_corrected() {
    let says = vec![
        calls("serch", json!({"query": "lamp"})),
        calls("search", json!({"max_price": 1})),
        calls("buy", json!({"item": "lamp"})),
    ];
    let (events, sent) = play("corrected", &lines("kiosk", "", "tools"), says);
    assert_eq!(performed(&events).len(), 1);
    let told = sent[1].prompt();
    assert!(told.contains(r#"serch {"query":"lamp"}"#), "{told}");
    let problem = "there is no tool `serch`; the world has: search, buy";
    assert!(told.contains(problem), "{told}");
    let told = sent[2].prompt();
    assert!(told.contains("`search` needs the argument `query`"), "{told}");
}

#[test]
fn bad_calls_go_to_the_world_as_they_are_written() {
    let says = vec![
        calls("answer", json!({"x": 1})),
        calls("search", json!({"max_price": "1"})),
        calls("buy", json!({"item": "lamp"})),
    ];
    let lines = lines("kiosk", ", as_written = true", "tools");
    let (events, _) = play("as-written", &lines, says);
    let done = performed(&events);
    assert_eq!(done[0].0, r#"answer {"x":1}"#);
    assert_eq!(done[0].1, call("answer", json!({"x": 1})));
    assert_eq!(done[1].1, call("search", json!({"max_price": "1"})));
    assert_eq!(done.len(), 3);
}

#[test]
fn the_brief_says_which_tools_are_called() {
    for (word, choice) in
        [("auto", ToolChoice::Auto), ("none", ToolChoice::None), ("search", ToolChoice::Named("search".to_owned()))]
    {
        let lines = lines("kiosk", &format!(", tool = \"{word}\""), "tools");
        let name = format!("choice-{word}");
        let (events, sent) = play(&name, &lines, vec![reply("Act: buy lamp")]);
        assert_eq!(offered(&sent[0]).1, choice);
        assert_eq!(performed(&events), [("buy lamp".to_owned(), None)]);
        // Where none may be called, there is nothing to mend.
        let mended = choice != ToolChoice::None;
        assert_eq!(repairs(&events), mended.then_some("no_tool_call").into_iter().collect::<Vec<_>>());
    }
    let lines = lines("kiosk", ", tool = \"gone\"", "tools");
    let (events, sent) = play("gone", &lines, Vec::new());
    assert!(sent.is_empty());
    let fault = events.iter().find_map(|event| match &event.message {
        Message::Fault(fault) => Some(serde_json::to_string(fault).unwrap()),
        _ => None,
    });
    let fault = fault.unwrap();
    assert!(fault.contains("a call of `gone`, which is not offered"), "{fault}");
}

#[test]
fn choices_are_written_as_servers_read_them() {
    let settings = ModelSettings {
        profile: ModelProfile {
            capabilities: Capabilities { tools: true, ..Capabilities::default() },
            ..ModelProfile::default()
        },
        ..ModelSettings::new("m", "http://localhost:1")
    };
    let transport = openai::transport(&settings).unwrap();
    let function = json!({"type": "function", "function": {"name": "search"}});
    for (choice, written) in [
        (ToolChoice::Auto, json!("auto")),
        (ToolChoice::None, json!("none")),
        (ToolChoice::Required, json!("required")),
        (ToolChoice::Named("search".to_owned()), function),
    ] {
        let tools = kiosk_tools().into();
        let request = ModelRequest::Complete(Completion {
            prompt: Prompt::Chat(Vec::new()),
            format: Format::Tools { tools, choice },
            ..Completion::default()
        });
        let body = transport.encode(&request).unwrap().body;
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["tool_choice"], written);
    }
}

#[test]
fn arguments_are_checked_as_far_as_the_uppermost_level_says() {
    let world = World { words: &NoWords, tools: kiosk_tools().into(), ..World::default() };
    let read = |arguments: Value| {
        let toolbox = Toolbox { world: &world, as_written: false };
        let reading = Reading {
            open: MoveKinds::of(&[MoveKind::Act]),
            commands: &Commands::default(),
            bare_commands: false,
            acts: &[],
            natural: false,
        };
        let name = "search".to_owned();
        let call = ToolCall { name, arguments };
        match read_tools(&[call], "", &reading, toolbox) {
            Ok(answer) => match &answer.moves[0] {
                Move::Act { action } => action.text.clone(),
                other => panic!("{other:?}"),
            },
            Err(Unreadable::Call(problem)) => problem,
            Err(other) => panic!("{other}"),
        }
    };
    let table = [
        (json!([]), "the arguments of `search` are no JSON object"),
        (json!("no json"), "the arguments of `search` are no JSON object"),
        (json!(null), "`search` needs the argument `query`"),
        (json!({"query": 1}), r#"the argument `query` of `search` must be "string", and is 1"#),
        (
            json!({"query": "a", "max_price": "1"}),
            r#"the argument `max_price` of `search` must be ["number","null"], and is "1""#,
        ),
        (
            json!({"query": "a", "order": "name"}),
            r#"the argument `order` of `search` must be ["price",null], and is "name""#,
        ),
        (json!({"query": "a", "page": 1.5}), r#"the argument `page` of `search` must be "integer", and is 1.5"#),
        (
            json!({"other": [1], "page": 2, "order": null, "query": "a", "max_price": null}),
            r#"search {"query":"a","max_price":null,"order":null,"page":2,"other":[1]}"#,
        ),
        (json!("{'query': 'a',"), r#"search {"query":"a"}"#),
    ];
    for (arguments, expected) in table {
        assert_eq!(read(arguments.clone()), expected, "{arguments}");
    }
}
