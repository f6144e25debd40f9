//! The methods of dialogue, played by a model: with answers as they should be, and with any others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::support::puppet::{self, Asked, Puppet, reply};
use crate::support::toy::{self, Played};
use rolecall::config::{Plan, Request, load};
use rolecall::domain::{Message, Move, Observation, Seat};
use rolecall::evaluation::Standing;
use rolecall::ports::ModelClient;
use rolecall::ports::ModelEntry;

/// A role, with its card where that is not the strategy's own.
type Cast = &'static [(&'static str, Option<&'static str>)];

/// The methods, with the card of each role where it is not the strategy's own.
const METHODS: [(&str, Cast); 7] = [
    ("cot", &[("executor", Some("cot-dialogue/executor"))]),
    ("few-shot", &[("executor", None)]),
    ("react", &[("executor", Some("react-dialogue/executor"))]),
    ("cue-cot", &[("thinker", None), ("executor", None)]),
    ("chameleon", &[("planner", None), ("executor", None)]),
    ("rewoo", &[("planner", None), ("executor", None)]),
    ("tpe", &[("thinker", None), ("planner", None), ("executor", None)]),
];

const DATASETS: [&str; 3] = ["focus", "cima", "psyqa"];

/// What a model says to a prompt; the puppets of a registry are built by name alone.
type Says = Arc<dyn Fn(&Asked) -> String + Send + Sync>;

/// What the model of the test that is playing says, and what it was asked.
struct Stage {
    says: Says,
    model: Option<Arc<Puppet>>,
}

static STAGE: Mutex<Option<Stage>> = Mutex::new(None);

/// One test plays at a time.
static PLAYING: Mutex<()> = Mutex::new(());

static PROVIDER: ModelEntry = ModelEntry {
    name: "staged",
    summary: "says what the test wants",
    server: true,
    build: |settings| {
        let mut stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let stage = stage.as_mut().unwrap();
        let says = Arc::clone(&stage.says);
        let puppet = Puppet::new(&settings.profile.name, move |asked| Ok(reply(&says(asked))));
        let model = puppet.with(|profile| *profile = settings.profile.clone());
        stage.model = Some(Arc::clone(&model));
        Ok(model as Arc<dyn ModelClient>)
    },
};

/// A game of one method on one dataset.
struct Game<'a> {
    method: &'a str,
    dataset: &'a str,
    /// What the environment says of each tool.
    describe: &'a str,
    /// The cast, if not the usual one.
    cast: Option<&'a str>,
    /// Tables and lines at the end of the config.
    more: &'a str,
    /// Lines of the strategy's table.
    strategy: &'a str,
    /// What is said to each model role, such as `moves = "json"`.
    told: &'a str,
}

/// The method as usual.
fn game<'a>(method: &'a str, dataset: &'a str) -> Game<'a> {
    Game { method, dataset, describe: "descriptions", cast: None, more: "", strategy: "", told: "" }
}

impl Game<'_> {
    fn config(&self) -> String {
        let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
        let Self { method, dataset, describe, cast: named, more, strategy, told } = self;
        let mut text = format!(
            "name = \"t\"\nagents = '{}'\nseed = 1\ntasks.limit = 2\n[environment]\n\
             name = \"dialogue\"\ndataset = \"{dataset}\"\ndescribe = \"{describe}\"\n[models.m]\nprovider = \"staged\"\n\
             base_url = \"http://localhost:1\"\nmodel = \"m\"\n\
             capabilities = {{ json_schema = true, tools = true }}\n",
            agents.display()
        );
        let cast = METHODS.iter().find(|(name, _)| name == method).unwrap().1;
        // Over strategies the paper's form has no planner of its own.
        let merged = *method == "tpe" && *dataset != "focus" && named.is_none();
        text += &format!("[strategy]\nname = \"{method}\"\n{strategy}");
        let merged_cast = merged.then_some("[\"thinker\", \"executor\"]");
        if let Some(named) = named.or(merged_cast) {
            text += &format!("cast = {named}\n");
        }
        for (role, card) in cast {
            if merged && *role == "planner" {
                continue;
            }
            text += &format!("[roles.{role}]\nimplementation = \"model\"\nmodel = \"m\"\nshots = 3\n{told}\n");
            if let Some(card) = card {
                text += &format!("persona = \"{card}\"\n");
            }
        }
        text + more
    }

    fn plan(&self) -> Plan {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        fs::write(&file, self.config()).unwrap();
        let mut registry = rolecall::worlds();
        registry.models.push(&PROVIDER);
        let request = Request { file, working: Path::new(env!("CARGO_MANIFEST_DIR")).to_owned(), ..Request::default() };
        let loaded = load(&request, registry);
        loaded.unwrap_or_else(|error| panic!("{error}")).plan
    }

    /// Plays two samples, checks that no episode breaks, and gives what the model was asked.
    fn play(&self, says: impl Fn(&Asked) -> String + Send + Sync + 'static) -> (Played, Vec<Asked>) {
        let _one = PLAYING.lock().unwrap_or_else(PoisonError::into_inner);
        *STAGE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Stage { says: Arc::new(says), model: None });
        let played = toy::play(self.plan());
        assert_eq!(played.launched.results.len(), 2);
        for result in &played.launched.results {
            let what = (self.method, self.dataset, result);
            assert_ne!(result.standing(), Standing::Broken, "{what:?}");
        }
        let stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner).take();
        let asked = stage.unwrap().model.unwrap().asked();
        (played, asked)
    }
}

fn every_game(mut each: impl FnMut(&Game<'_>)) {
    for (method, _) in METHODS {
        for dataset in DATASETS {
            each(&game(method, dataset));
        }
    }
}

/// What a good model says, which knows by the end of its prompt what is wanted.
fn well(asked: &Asked) -> String {
    let prompt = asked.prompt();
    let zh = prompt.contains("counsel");
    let strategy = if zh { "Restatement" } else { "Hint" };
    // What is wrong with an answer is said after the prompt.
    let messages: Vec<&str> = prompt.split("\n---\n").collect();
    let asks = messages.iter().rfind(|message| message.contains("Dialogue:"));
    let end = asks.and_then(|asks| asks.lines().next_back()).unwrap_or_default();
    let own = prompt.rsplit("Dialogue:").next().unwrap_or_default();
    let said = if zh { "你很累。" } else { "It is mare." };
    match end {
        "Now write the plan." if prompt.contains("#So1 = <SOURCE>") => {
            "Plan: a\n#So1 = DOCUMENT[context]\nPlan: b\n#So2 = PERSONA[So1]".to_owned()
        }
        "Now write the plan." => "Plan: a\n#E1 = KNOWLEDGE[context]".to_owned(),
        "Now plan and do." => format!("Plan: {strategy}\nDo: {said}\nPlan: Others\nDo: {said}"),
        "Modules:" => "[\"Persona_Retrieval\", \"Answer_Generator\"]".to_owned(),
        "Strategies:" => format!("[\"{strategy}\", \"Others\"]"),
        "Let us go step by step." => format!("Thought: It fits.\nResponse: {said}"),
        "Thought:" if prompt.contains("- Finish[") => match own.contains("Observation:") {
            false => "I lack it.\nAction: DOCUMENT[context]".to_owned(),
            true => format!("Enough.\nAction: Finish[{said}]"),
        },
        "Thought:" if prompt.contains("- Response: ") => match own.contains("Observation:") {
            false => format!("I say it.\nAction: {strategy}\nObservation: {said}"),
            true => "All is said.\nAction: Response".to_owned(),
        },
        _ => said.to_owned(),
    }
}

fn responses(played: &Played) -> Vec<String> {
    let events = played.episodes.values().flatten();
    let performed = events.filter_map(|event| match &event.message {
        Message::Perform(action) => Some(action.call.as_deref()?),
        _ => None,
    });
    let said = performed.filter(|call| call.tool == "respond");
    said.map(|call| call.arguments["text"].as_str().unwrap().to_owned()).collect()
}

fn repairs(played: &Played) -> BTreeSet<String> {
    let events = played.episodes.values().flatten();
    let codes = events.filter_map(|event| match &event.message {
        Message::Repaired(repair) => Some(repair.code.clone()),
        _ => None,
    });
    codes.collect()
}

/// How often the model is called for a sample (section 4.2): sources, then strategies.
fn calls(method: &str) -> [usize; 2] {
    match method {
        "cot" | "few-shot" => [1, 1],
        "react" => [2, 2],
        "cue-cot" => [2, 2],
        "chameleon" => [2, 3],
        "rewoo" => [2, 1],
        "tpe" => [3, 2],
        other => panic!("{other}"),
    }
}

#[test]
fn every_method_answers_on_every_dataset() {
    every_game(|game| {
        let (played, asked) = game.play(well);
        let what = format!("{} {}", game.method, game.dataset);
        let [sources, strategies] = calls(game.method);
        let expected = if game.dataset == "focus" { sources } else { strategies };
        assert_eq!(asked.len(), 2 * expected, "{what}");
        let several = game.method == "tpe" || game.method == "chameleon";
        let expected = match game.dataset {
            "focus" => "It is mare.",
            "cima" if several => "It is mare. It is mare.",
            "cima" => "It is mare.",
            _ if several => "你很累。你很累。",
            _ => "你很累。",
        };
        assert_eq!(responses(&played), [expected; 2], "{what}");
        let codes = repairs(&played);
        let fine = ["source_alias".to_owned()];
        assert!(codes.iter().all(|code| fine.contains(code)), "{what}: {codes:?}");
        for asked in &asked {
            let completion = asked.completion();
            let drawn = (completion.temperature, completion.top_p);
            assert_eq!(drawn, (Some(0.0), Some(0.1)), "{what}");
            assert!(!completion.stop.iter().any(|stop| stop == "\n"), "{what}");
        }
    });
}

#[test]
fn a_planner_of_strategies_has_each_said_by_itself() {
    let game = Game { cast: Some("[\"thinker\", \"planner\", \"executor\"]"), ..game("tpe", "cima") };
    let (played, asked) = game.play(well);
    assert_eq!(asked.len(), 2 * 4);
    assert_eq!(responses(&played), ["It is mare. It is mare."; 2]);
    let one = asked.iter().map(Asked::prompt);
    let hints: Vec<String> = one.filter(|prompt| prompt.ends_with("\nHint:")).collect();
    assert_eq!(hints.len(), 2);
    for prompt in hints {
        assert!(prompt.contains("\nThought: ") && prompt.contains("\nPlan:\nHint\nOthers\n"));
        // Its demonstrations are the strategy's own.
        assert!(prompt.matches("\nHint: ").count() >= 3 && !prompt.contains("\nDo: "));
    }
}

/// Answers that nobody has asked for.
fn hostile() -> Vec<String> {
    let mut all = vec![
        String::new(),
        " \n\t ".to_owned(),
        "I am a language model and like to talk about other things.".to_owned(),
        "Plan: Hint\nDo: a\nPlan: Praise\nDo: b".to_owned(),
        "#So1 = PERSONA[So2]\n#So2 = DOCUMENT[So1]".to_owned(),
        "#E1 = WEB[everything".to_owned(),
        "Action: Finish[".to_owned(),
        "Thought: x\nAction: respond[hello]\nObservation: \u{1b}[2J".to_owned(),
        "[\"Persona_Retrieval\", \"Calculator\"]".to_owned(),
        "{\"moves\": [{\"kind\": \"finish\", \"answer\": null}]}".to_owned(),
        "<script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}\u{0}".to_owned(),
        "</think></think><think>Plan: Hint".to_owned(),
        "{{ 7 * 7 }} {% for x in range(9) %}".to_owned(),
        "﹫＃So1＝PERSONA［context］".to_owned(),
    ];
    all.push("世".repeat(64 * 1024 / 3));
    all.push("Plan: Hint\nDo: a\n".repeat(64 * 1024 / 18));
    all.push("#So1 = DOCUMENT[".repeat(64 * 1024 / 16));
    all
}

#[test]
fn whatever_a_model_answers_no_episode_breaks() {
    for text in hostile() {
        every_game(|game| {
            let answer = text.clone();
            let (played, _) = game.play(move |_| answer.clone());
            for events in played.episodes.values() {
                let scored = |event: &&rolecall::domain::Event| matches!(event.message, Message::Scored(_));
                assert_eq!(events.iter().filter(scored).count(), 1, "{} {text:.40}", game.method);
                let faults = events.iter().filter(|event| matches!(event.message, Message::Fault(_)));
                assert_eq!(faults.count(), 0, "{} {} {text:.40}", game.method, game.dataset);
            }
        });
    }
}

#[test]
fn what_cannot_be_read_is_told_and_asked_for_again() {
    let game = Game { told: "retries_unreadable = 2", ..game("chameleon", "cima") };
    let (played, asked) = game.play(|asked| {
        let prompt = asked.prompt();
        match prompt.matches("That could not be used: ").count() {
            0 if prompt.contains("\nStrategies:") => "[\"Praise\"]".to_owned(),
            1 => "[]".to_owned(),
            _ => well(asked),
        }
    });
    assert_eq!(responses(&played).len(), 2);
    let told = asked.iter().filter(|asked| {
        let prompt = asked.prompt();
        prompt.contains("`Praise`, which is no strategy; the strategies are: Hint, ")
            && prompt.contains("the list is empty")
    });
    let last = asked.last().unwrap().prompt();
    assert_eq!(told.count(), 2, "{last}");
}

#[test]
fn a_sample_whose_answers_stay_unreadable_ends_without_a_response() {
    let game = game("tpe", "focus");
    let (played, asked) = game.play(|asked| match asked.prompt().contains("#So1 = <SOURCE>") {
        true => "I would rather not plan.".to_owned(),
        false => well(asked),
    });
    // The thinker once, the planner twice, nobody after it.
    assert_eq!(asked.len(), 2 * 3);
    assert!(responses(&played).iter().all(String::is_empty));
    assert!(repairs(&played).contains("unreadable"));
    for events in played.episodes.values() {
        let ended = events.iter().any(|event| {
            let planner = matches!(&event.from, Seat::Role(role) if role.as_str() == "planner");
            let end = matches!(&event.message, Message::Moved(Move::Finish { answer }) if answer.is_null());
            planner && end
        });
        assert!(ended);
    }
}

#[test]
fn steps_of_react_end_where_others_speak() {
    for (dataset, stop) in [("focus", "Observation:"), ("cima", "\nThought:")] {
        let game = game("react", dataset);
        let (_, asked) = game.play(well);
        for asked in asked {
            // Chats have no stops: the reader leaves out what follows.
            let (stops, chat) = (
                &asked.completion().stop,
                matches!(asked.completion().prompt, rolecall::ports::model::Prompt::Chat(_)),
            );
            assert_eq!(stops.iter().any(|known| known == stop), !chat, "{stops:?}");
        }
    }
}

#[test]
fn a_source_that_was_asked_is_seen_in_the_prompt_of_the_response() {
    let game = game("tpe", "focus");
    let (played, asked) = game.play(well);
    for events in played.episodes.values() {
        let seen = events.iter().filter_map(|event| match &event.message {
            Message::Observed(Observation { text, data, .. }) if data.is_some() => Some(text),
            _ => None,
        });
        let seen: Vec<&String> = seen.filter(|text| !text.is_empty()).collect();
        assert!(seen.len() >= 2);
        let shown = |text: &&&String| {
            asked.iter().any(|asked| {
                let prompt = asked.prompt();
                prompt.ends_with("Response:") && prompt.contains(text.as_str())
            })
        };
        assert!(seen.iter().filter(shown).count() >= 2, "{seen:?}");
    }
}

/// An answer by the schema that was asked for, taking the first of everything.
fn by_schema(asked: &Asked, zh: bool) -> String {
    let schema = puppet::schema(&asked.request);
    first_of(&schema, zh).to_string()
}

fn first_of(schema: &serde_json::Value, zh: bool) -> serde_json::Value {
    use serde_json::{Value, json};
    if let Some(options) = schema["anyOf"].as_array() {
        // The last kind: where something ends, it ends.
        return first_of(options.last().unwrap(), zh);
    }
    match schema["type"].as_str() {
        Some("object") => {
            let fields = schema["properties"].as_object().unwrap().iter();
            let fields = fields.map(|(name, schema)| (name.clone(), first_of(schema, zh)));
            Value::Object(fields.collect())
        }
        Some("array") => json!([first_of(&schema["items"], zh)]),
        _ => match schema["enum"].as_array() {
            Some(words) => words[0].clone(),
            None if schema["pattern"].as_str().is_some_and(|own| own.contains("PERSONA")) => {
                json!("PERSONA[context]")
            }
            None if zh => json!("你好"),
            None => json!("Ciao"),
        },
    }
}

#[test]
fn a_schema_asks_for_the_same_moves() {
    every_game(|game| {
        let zh = game.dataset == "psyqa";
        let game = Game { told: "moves = \"json\"\nletters = \"any\"", ..*game };
        let (played, asked) = game.play(move |asked| by_schema(asked, zh));
        let what = format!("{} {}", game.method, game.dataset);
        let expected = if zh { "你好" } else { "Ciao" };
        assert_eq!(responses(&played), [expected; 2], "{what}");
        assert_eq!(repairs(&played), BTreeSet::new(), "{what}");
        for asked in asked {
            let schema = puppet::schema(&asked.request).to_string();
            assert!(!schema.contains("\"judge\"") && !schema.contains("respond"), "{schema}");
        }
    });
}

#[test]
fn a_conversation_goes_on_with_a_user_whom_a_model_plays() {
    for (dataset, persona, end, reply) in [
        ("focus", "visitor", "\nUSER:", "And how old is it?"),
        ("cima", "student", "\nStudent:", "la barca?"),
        ("psyqa", "client", "\nYou:", "谢谢你。"),
    ] {
        let more =
            format!("[user]\nkind = \"model\"\nmodel = \"m\"\nsees = \"dialogue\"\npersona = \"users/{persona}\"\n");
        let game = Game { more: &more, told: "", ..game("cot", dataset) };
        let (played, asked) = game.play(move |asked| match asked.prompt().ends_with(end) {
            true => reply.to_owned(),
            false => well(asked),
        });
        let prompts: Vec<String> = asked.iter().map(Asked::prompt).collect();
        let user = prompts.iter().filter(|prompt| prompt.ends_with(end));
        assert!(user.clone().count() >= 2, "{dataset}");
        let said = responses(&played)[0].clone();
        assert!(user.clone().all(|prompt| prompt.contains(&format!(": {said}\n"))), "{dataset}");
        // Whoever answers next has read the reply.
        let later = prompts.iter().filter(|prompt| !prompt.ends_with(end) && prompt.contains(reply));
        assert!(later.count() >= 2, "{dataset}");
    }
}

#[test]
fn prompts_show_what_the_environment_says_of_each_tool() {
    for dataset in DATASETS {
        for (describe, descriptions, examples) in
            [("names", false, false), ("descriptions", true, false), ("examples", false, true), ("all", true, true)]
        {
            let name = if dataset == "focus" { "PERSONA" } else { "Others" };
            let game = Game { describe, ..game("tpe", dataset) };
            let (_, asked) = game.play(well);
            let prompts: Vec<String> = asked.iter().map(Asked::prompt).collect();
            let line = |prompt: &String| {
                let mut lines = prompt.lines();
                lines.find_map(|line| line.strip_prefix(&format!("- {name}")).map(str::to_owned))
            };
            let shown: Vec<String> = prompts.iter().filter_map(line).collect();
            assert_eq!(shown.len(), 2, "{dataset} {describe}");
            for shown in shown {
                assert_eq!(shown.starts_with(": "), descriptions, "{shown}");
                assert_eq!(shown.contains(" For example: "), examples, "{shown}");
            }
        }
    }
}

#[test]
fn chain_of_thought_reasons_before_it_answers_and_the_baseline_does_not() {
    let thoughts = |played: &Played| {
        let events = played.episodes.values().flatten();
        let made = events.filter(|event| matches!(event.message, Message::Moved(Move::Think { .. })));
        made.count()
    };
    for dataset in DATASETS {
        let (played, asked) = game("cot", dataset).play(well);
        assert_eq!(thoughts(&played), 2, "{dataset}");
        assert_eq!(repairs(&played), BTreeSet::new(), "{dataset}");
        let shown = |asked: &Asked| asked.prompt().matches("\nThought: ").count();
        let demonstrations = if dataset == "psyqa" { 2 } else { 3 };
        assert!(asked.iter().all(|asked| shown(asked) == demonstrations), "{dataset}");
        let (played, asked) = game("few-shot", dataset).play(well);
        assert_eq!(thoughts(&played), 0, "{dataset}");
        assert!(asked.iter().all(|asked| shown(asked) == 0), "{dataset}");
    }
}

#[test]
fn runs_of_cot_before_it_reasoned_ask_what_they_asked() {
    for dataset in DATASETS {
        let prompts = |game: &Game<'_>| -> Vec<String> {
            let (_, asked) = game.play(well);
            let mut prompts: Vec<String> = asked.iter().map(Asked::prompt).collect();
            prompts.sort();
            prompts
        };
        let baseline = prompts(&game("few-shot", dataset));
        // The card of `cot`, as it was for a run that has no `reasons`.
        let before = Game { strategy: "reasons = false\n", ..game("cot", dataset) };
        assert_eq!(prompts(&before), baseline, "{dataset}");
    }
}
