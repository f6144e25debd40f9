//! Tokens in every private part of dialogue samples are looked for wherever they have no business to be: in
//! prompts, in what seats see, in reports and in what is exported.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};
use crate::support::shipped::root;
use crate::support::toy;
use rolecall::config::{Plan, Request, load};
use rolecall::domain::{Message, Move, MoveKind, PlanStep, RoleName, Seat};
use rolecall::environments::dialogue::formats::DialogueFormat;
use serde_json::{Value, json};

/// What every token begins with; what follows says where it was put.
const CANARY: &str = "canary-77c1";

/// What is said to a metric alone: the responses of people.
const REFERENCE: &str = "canary-77c1-reference";

const DATASETS: [&str; 3] = ["focus", "cima", "psyqa"];

fn canary(place: &str) -> String {
    format!("{CANARY}-{place}")
}

/// Official files whose private parts hold tokens: the responses of people, sources that nobody finds, and
/// fields that are no part of a sample.
fn write(folder: &Path) {
    let turn = |number: usize, said: &[&str]| {
        let mut turn = json!({
            "persona_grounding": [true, false, false, false, false],
            "persona_candidate": ["I like the Tarnhelm tower.", "I like the sea.", "I like the woods.",
                "I like music.", canary("persona")],
            "knowledge_candidates": ["The Tarnhelm tower was built in 1863.", "It is high.", canary("document")],
            "knowledge_answer_index": 0,
        });
        turn[format!("dialogue{number}")] = json!(said);
        turn
    };
    let first = format!("In 1863. {REFERENCE}");
    let focus = json!({"data": [{
        "dialogID": "X1", "landmark_link": canary("link"), "persona": [canary("list")],
        "knowledge": [canary("article")],
        "utterance": [
            turn(1, &["When was the Tarnhelm tower built?", &first]),
            turn(2, &["When was the Tarnhelm tower built?", "In 1863.", "How high is it?", REFERENCE]),
        ],
    }]});
    let cima = json!({"shapeDataset": {}, "prepDataset": {"0": {
        "past_convo": ["\"green\" is \"verde\".", "How do I say tree?"],
        "tutorResponses": [format!("\"tree\" is albero. {REFERENCE}"), REFERENCE],
        "tutorActions": [[false, true, false, false, false], [true, false, false, false, false]],
        "studentActions": ["True", "False"], "img": canary("image"), "obj": canary("object"),
        "grammarRules": canary("rules"),
    }}});
    let answer = format!("抱抱，早点睡吧。{REFERENCE}");
    let psyqa = json!([{
        "question": "怎么办？", "description": "我最近总是睡不好，很累。", "keywords": canary("keywords"),
        "questionID": 5, "answers": [
            {"answer_text": canary("unlabelled"), "has_label": false, "labels_sequence": null},
            {"answer_text": answer, "has_label": true, "labels_sequence": [
                {"start": 0, "end": 3, "type": "Approval and Reassurance"},
                {"start": 3, "end": answer.chars().count(), "type": "Direct Guidance"}]},
        ],
    }]);
    for (dataset, file, content) in
        [("focus", "valid_focus.json", focus), ("cima", "dataset.json", cima), ("psyqa", "PsyQA_full.json", psyqa)]
    {
        let own = folder.join("data").join(dataset);
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join(file), content.to_string()).unwrap();
    }
}

fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    folder
}

/// The users by rules, and the card of each as a model.
const USERS: [(&str, &str); 3] = [("focus", "visitor"), ("cima", "student"), ("psyqa", "client")];

/// A config in which every seat is a model, with the roles of the method.
fn of_models(method: &str, roles: &[&str], dataset: &str, data: &Path, url: &str) -> String {
    let user = USERS.iter().find(|(own, _)| *own == dataset).unwrap().1;
    let mut text = format!(
        "name = \"{method}-{dataset}\"\nseed = 1\nagents = '{}'\n\
         environment = {{ name = \"dialogue\", data = '{}', dataset = \"{dataset}\", references = \"all\", \
         describe = \"all\" }}\nlimits.model_calls = 30\n\
         [models.fake]\nprovider = \"openai\"\nmodel = \"any\"\nbase_url = \"{url}\"\n\
         [strategy]\nname = \"{method}\"\nturns = 2\n\
         [user]\nkind = \"model\"\nmodel = \"fake\"\npersona = \"users/{user}\"\nsees = \"dialogue+observations\"\n",
        root().join("agents").display(),
        data.join("data").display(),
    );
    for role in roles {
        let card = match method {
            "cot" | "react" => format!("persona = \"{method}-dialogue/{role}\"\n"),
            _ => String::new(),
        };
        text += &format!("[roles.{role}]\nimplementation = \"model\"\nmodel = \"fake\"\n{card}");
    }
    text
}

/// Answers that lead a method through all its steps.
fn answer(body: &Value) -> &'static str {
    let prompt = body["messages"].to_string();
    let ends = |with: &str| prompt.trim_end_matches(['"', '}', ']']).ends_with(with);
    if ends("write the plan.") && prompt.contains("#So1 = <SOURCE>") {
        "Plan: a\n#So1 = DOCUMENT[context]\nPlan: b\n#So2 = PERSONA[So1]"
    } else if ends("write the plan.") {
        "Plan: a\n#E1 = KNOWLEDGE[context]"
    } else if ends("Modules:") {
        "[\"Knowledge_Retrieval\", \"Persona_Retrieval\", \"Answer_Generator\"]"
    } else if ends("Strategies:") {
        "[\"Others\"]"
    } else {
        "It is so."
    }
}

#[test]
fn no_prompt_holds_what_is_private() {
    let folder = data();
    let prompts: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&prompts);
    let server = FakeModel::start(Duration::ZERO, move |asked| {
        heard.lock().unwrap().push(asked.body.to_string());
        Does::Says(answer(&asked.body))
    });
    let methods: [(&str, &[&str]); 7] = [
        ("cot", &["executor"]),
        ("few-shot", &["executor"]),
        ("react", &["executor"]),
        ("cue-cot", &["thinker", "executor"]),
        ("chameleon", &["planner", "executor"]),
        ("rewoo", &["planner", "executor"]),
        ("tpe", &["thinker", "planner", "executor"]),
    ];
    for (method, roles) in methods {
        for dataset in DATASETS {
            let before = prompts.lock().unwrap().len();
            let config = of_models(method, roles, dataset, folder.path(), &server.url());
            let file = folder.path().join("config.toml");
            fs::write(&file, config).unwrap();
            let arguments = ["run", "config.toml", "-q", "--no-report"];
            let output = rolecall(folder.path(), &arguments).output().unwrap();
            let what = format!("{method} {dataset}: {}", text(&output.stderr));
            let run = folder.path().join(format!("logs/{method}-{dataset}"));
            assert!(run.join("results.jsonl").exists(), "{what}");
            let asked = prompts.lock().unwrap();
            assert!(asked.len() > before + 1, "{what}");
            for prompt in &asked[before..] {
                assert!(!prompt.contains(CANARY), "{what}: {prompt}");
            }
            drop(asked);
            only_where_it_belongs(&run, &what);
        }
    }
    // What was found is in prompts: the search sees what it is to see.
    let all = prompts.lock().unwrap().concat();
    assert!(all.contains("The Tarnhelm tower was built in 1863."), "nothing was retrieved");
}

/// The files of a run: references stand in the one event that hands them to the conductor, and nothing else
/// stands anywhere.
fn only_where_it_belongs(run: &Path, what: &str) {
    let mut handed = 0;
    for entry in fs::read_dir(run).unwrap() {
        let path = entry.unwrap().path();
        let Ok(content) = fs::read_to_string(&path) else {
            continue;
        };
        for line in content.lines().filter(|line| line.contains(CANARY)) {
            let event: Value = serde_json::from_str(line).unwrap_or_default();
            let entrusted = line.contains("\"entrusted\"") && line.contains("\"audience\":\"conductor\"");
            assert!(entrusted, "{what}, {}: {line}", path.display());
            assert!(!line.replace(REFERENCE, "").contains(CANARY), "{what}: {event}");
            handed += 1;
        }
    }
    assert!(handed > 0, "{what}: the references are nowhere");
}

fn plan(strategy: &str, dataset: &str, data: &Path) -> Plan {
    let config = format!(
        "name = \"t\"\nseed = 1\nenvironment = {{ name = \"dialogue\", data = '{}', dataset = \"{dataset}\", \
         references = \"all\" }}\nstrategy.name = \"{strategy}\"\nroles.thinker.implementation = \"rules\"\n\
         roles.planner.implementation = \"rules\"\nroles.executor.implementation = \"rules\"\n\
         user.kind = \"human\"\n",
        data.join("data").display(),
    );
    let file = data.join("views.toml");
    fs::write(&file, config).unwrap();
    let request = Request { file, working: data.to_owned(), ..Request::default() };
    let loaded = load(&request, rolecall::worlds());
    loaded.unwrap_or_else(|errors| panic!("{errors}")).plan
}

/// A move that the brief leaves open.
fn some_move(turn: &rolecall::ports::Turn) -> Move {
    let brief = turn.brief().unwrap();
    let open = |kind| brief.open.contains(kind);
    match brief.notation.and_then(DialogueFormat::of) {
        Some(DialogueFormat::SourcePlan) => {
            Move::Plan { steps: vec![PlanStep::of("DOCUMENT[context]"), PlanStep::of("PERSONA[context]")] }
        }
        Some(DialogueFormat::Strategies) => Move::Plan { steps: Vec::new() },
        _ if open(MoveKind::Think) && !open(MoveKind::Act) => Move::think("Hm."),
        None if turn.number > 2 && open(MoveKind::Act) => Move::act("respond[So it is.]"),
        None if open(MoveKind::Act) => Move::act("PERSONA[context]"),
        None if open(MoveKind::Plan) => Move::Plan { steps: vec![PlanStep::of("DOCUMENT[context]")] },
        _ => Move::Finish { answer: Box::new(json!("So it is.")) },
    }
}

/// TPE, or its cast in the relay.
fn plan_of(strategy: &str, dataset: &str, folder: &Path) -> Plan {
    let mut plan = plan("tpe", dataset, folder);
    if strategy == "relay" {
        let order = ["thinker", "planner", "executor"].map(|name| RoleName::new(name).unwrap());
        let value = rolecall::ports::ParameterValue::Roles(order.to_vec());
        let told = rolecall::ports::Parameters::new([("order", value)]);
        let entries = rolecall::worlds().strategies;
        let relay = entries.iter().find(|entry| entry.name == "relay").unwrap();
        plan.cells[0].strategy = relay.factory(&order, &told, None).unwrap();
    }
    plan
}

fn nothing_private_was_seen(seen: &[(Seat, String)], what: &str) {
    for (seat, view) in seen {
        assert!(!view.contains(CANARY), "{what}: {seat} saw {view}");
        assert!(!view.contains("\"gold\"") && !view.contains("references"), "{what}: {seat} saw {view}");
    }
}

/// The conductor was handed what nobody else sees, and of it only the reference.
fn only_the_conductor_was_handed_it(played: &toy::Played) {
    let events = played.episodes.values().flatten();
    let entrusted = events.filter(|event| matches!(event.message, Message::Entrusted(_)));
    let all: String = entrusted.map(|event| format!("{event:?}")).collect();
    assert!(all.contains(REFERENCE) && !all.replace(REFERENCE, "").contains(CANARY), "{all}");
}

#[test]
fn no_seat_sees_what_is_private() {
    let folder = data();
    for (strategy, dataset) in
        [("tpe", "focus"), ("tpe", "cima"), ("tpe", "psyqa"), ("relay", "focus"), ("relay", "cima")]
    {
        let mut plan = plan_of(strategy, dataset, folder.path());
        let seen: Arc<Mutex<Vec<(Seat, String)>>> = Arc::default();
        let look = |seen: &Mutex<Vec<(Seat, String)>>, turn: &rolecall::ports::Turn| {
            let view: String = turn.view.all().map(|event| format!("{event:?}")).collect();
            seen.lock().unwrap().push((turn.seat.clone(), view));
        };
        for role in &mut plan.cells[0].roles {
            let by_role = Arc::clone(&seen);
            let nosy = toy::role(move |turn| {
                look(&by_role, turn);
                some_move(turn).into()
            });
            role.factory = nosy.factory;
        }
        for user in &mut plan.cells[0].users {
            let by_user = Arc::clone(&seen);
            let nosy = toy::user(move |turn| {
                look(&by_user, turn);
                Move::speak("And?").into()
            });
            user.factory = nosy.factory;
            user.sees = rolecall::domain::UserSees::DialogueAndObservations;
        }
        let played = toy::play(plan);
        let seen = seen.lock().unwrap();
        for seat in ["thinker", "planner", "executor"] {
            // Without a plan, the response is the planner's already to give up or the executor's to give.
            let seat = Seat::Role(RoleName::new(seat).unwrap());
            assert!(seen.iter().any(|(own, _)| *own == seat), "{strategy} {dataset}: {seat}");
        }
        nothing_private_was_seen(&seen, &format!("{strategy} {dataset}"));
        only_the_conductor_was_handed_it(&played);
    }
}

#[test]
fn no_report_or_export_holds_what_is_private() {
    let folder = data();
    for name in ["configs", "agents"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    for (dataset, user) in USERS {
        let config = format!("configs/dialogue/{}.toml", if dataset == "focus" { "tpe" } else { "compare" });
        let command = |arguments: &[&str]| {
            let output = rolecall(folder.path(), arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?} {}", text(&output.stderr));
            text(&output.stdout) + &text(&output.stderr)
        };
        let sets = [
            format!("environment.dataset={dataset}"),
            "environment.data=data".to_owned(),
            "environment.references=all".to_owned(),
            format!("user.kind={user}"),
        ];
        let mut arguments = vec!["run", &config, "--name", dataset];
        for set in &sets {
            arguments.extend(["--set", set]);
        }
        let mut printed = vec![("run", command(&arguments))];
        let sheets = format!("sheets-{dataset}");
        let exporting = ["rate", "export", dataset, "--what", "scale:1-5:helpful"];
        let to = ["--items", "responses", "--raters", "3", "--out", &sheets];
        let commands: [(&str, Vec<&str>); 11] = [
            ("report", vec!["report", dataset]),
            ("report --json", vec!["report", dataset, "--json"]),
            ("report --markdown", vec!["report", dataset, "--markdown"]),
            ("report --html", vec!["report", dataset, "--html", "-"]),
            ("report --write", vec!["report", dataset, "--write"]),
            ("analyse", vec!["analyse", dataset]),
            ("analyse --json", vec!["analyse", dataset, "--json"]),
            ("analyse --html", vec!["analyse", dataset, "--html", "-"]),
            ("show", vec!["show", dataset, "--transcripts", "--no-pager"]),
            ("show --json", vec!["show", dataset, "--json"]),
            ("rate export", [&exporting[..], &to[..]].concat()),
        ];
        for (name, arguments) in commands {
            printed.push((name, command(&arguments)));
        }
        for (name, printed) in &printed {
            assert!(!printed.contains(CANARY), "{dataset}, {name}: {printed}");
        }
        for file in files(&folder.path().join(&sheets)) {
            let content = fs::read_to_string(&file).unwrap();
            assert!(!content.contains(CANARY), "{}: {content}", file.display());
        }
        only_where_it_belongs(&folder.path().join("logs").join(dataset), dataset);
        // Whoever asks for what is private is shown it.
        let private = ["show", dataset, "--transcripts", "--private", "--no-pager"];
        assert!(command(&private).contains(REFERENCE));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!found.is_empty());
    found
}
