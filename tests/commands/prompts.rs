//! Prompts can be seen: those of a log, made again and compared with it, and a seat's first, before a run.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::binary::text;
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, events, folder, rewrite};
use rolecall::domain::Message;

/// A server that keeps the bodies of what it is asked.
struct Kept {
    server: FakeModel,
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Kept {
    /// It answers by the call's key and the prompt, often in ways that cannot be used.
    fn new() -> Self {
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&bodies);
        let server = FakeModel::start(Duration::ZERO, move |asked| {
            let whole = asked.body.to_string();
            kept.lock().unwrap().push(asked.body.clone());
            let says = |part: &str| whole.contains(part);
            if says("You are the reflector") {
                return Does::Says("Learn: Look before you act.");
            }
            if says("Agent Query:") {
                return Does::Says("Try the shelf 1.\u{9b}2J");
            }
            if says("You look over the shoulder") {
                return Does::Says("They know\nthe colour.");
            }
            if says("You plan and you do") {
                return Does::Says("Plan: Hint\nDo: Think of the other word.\n");
            }
            match blake3::hash(asked.key.as_bytes()).as_bytes()[0] % 8 {
                0 | 1 => Does::Says("Act: look"),
                2 => Does::Says("Act: inventory"),
                3 => Does::Says("Think: Where was it?"),
                4 | 5 => Does::Says("Speak: Where is it?"),
                6 => Does::Says("{\"nothing\": 1}"),
                _ => Does::Says(""),
            }
        });
        Self { server, bodies }
    }

    /// Writes `own.toml`: a shipped config whose roles and user this server plays.
    fn config(&self, folder: &Path, config: &str, roles: &[(&str, &str)], more: &str) {
        let mut text = format!(
            "extends = \"configs/{config}.toml\"\nagents = \"agents\"\nname = \"r\"\n{more}\n\
             [models.fake]\nprovider = \"openai\"\nmodel = \"any\"\nbase_url = \"{}\"\n\
             headers = {{ x-secret = \"s3cret-header\" }}\n\
             [models.fake.extra_body]\nmy_token = \"s3cret-field\"\nmin_p = 0.1\n",
            self.server.url()
        );
        for (seat, persona) in roles {
            let table = match *seat {
                "user" => "[user]\nkind = \"model\"".to_owned(),
                role => format!("[roles.{role}]\nimplementation = \"model\""),
            };
            text += &format!("{table}\npersona = \"{persona}\"\nmodel = \"fake\"\n");
        }
        fs::write(folder.join("own.toml"), text).unwrap();
    }
}

/// Runs `own.toml`.
fn run(folder: &Path, more: &[&str]) {
    let run = ["run", "own.toml", "-q", "--no-report"];
    let output = crate::support::binary::rolecall(folder, &[&run[..], more].concat()).output();
    let output = output.unwrap();
    assert!(output.status.code() < Some(2), "{output:?}");
}

fn shown(folder: &Path, arguments: &[&str]) -> String {
    let all = [&["show"], arguments, &["--prompts", "--no-pager"]].concat();
    text(&ends(folder, &all, 0).stdout)
}

fn calls(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let lines = shown(folder, &[arguments, &["--json"]].concat());
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every call of every episode of the run, which are as many as the log has.
fn all_calls(folder: &Path, run: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for (id, events) in events(folder, run) {
        let found = calls(folder, &[run, &id.to_string()]);
        let called = events.iter().filter(|event| event.message.kind() == "model_called");
        let seqs: Vec<u32> = called.map(|event| event.seq).collect();
        let told = found.iter().map(|call| call["seq"].as_u64().unwrap() as u32);
        assert_eq!(told.collect::<Vec<_>>(), seqs);
        all.extend(found);
    }
    all
}

/// The request that a call shows, as the server gets it.
fn body(call: &Value) -> Value {
    let mut body = call["request"]["settings"].clone();
    body["messages"] = call["request"]["messages"].clone();
    assert_eq!(body["my_token"], "(not written)");
    body["my_token"] = "s3cret-field".into();
    body
}

/// Seats, each with its card or words of its prompt.
type Pairs = &'static [(&'static str, &'static str)];

#[test]
fn every_call_is_shown_as_it_was_sent() {
    let casts: [(&str, Pairs, &str); 3] = [
        (
            "household/respact",
            &[("executor", "respact/executor"), ("user", "users/helpful")],
            "limits = { steps = 12, attempts = 4 }",
        ),
        (
            "household/react-reflexion",
            &[("executor", "react/executor"), ("reflector", "reflexion/reflector")],
            "limits = { steps = 5, attempts = 3 }\nstrategy = { trials = 3 }",
        ),
        ("dialogue/tpe-cima", &[("thinker", "tpe/thinker"), ("executor", "tpe/executor")], ""),
    ];
    for (config, roles, more) in casts {
        let folder = folder();
        let at = folder.path();
        let kept = Kept::new();
        kept.config(at, config, roles, more);
        run(at, &["--limit", "4"]);
        let sent = kept.bodies.lock().unwrap().clone();
        let all = all_calls(at, "r");
        assert!(all.len() >= 8, "{config}: too few calls to say anything");
        for call in &all {
            assert_eq!((&call["agrees"], &call["problem"]), (&json!(true), &json!(null)), "{call}");
            assert!(sent.contains(&body(call)), "{call}");
        }
        for (seat, _) in roles {
            assert!(all.iter().any(|call| call["seat"] == *seat), "{config}: {seat}");
        }
        if config.starts_with("household") {
            let retried = |call: &&Value| call["attempt"] != 0 || call["call"] != 0;
            assert!(all.iter().any(|call| retried(&call)), "{config}: nothing was tried again");
        }
        // Packed segments say the same, and nothing was sent for any of it.
        ends(at, &["logs", "compact", "r"], 0);
        assert_eq!(all_calls(at, "r"), all);
        assert_eq!(kept.bodies.lock().unwrap().len(), sent.len());
    }
}

#[test]
fn prompts_are_for_reading_and_hold_no_secret() {
    let folder = folder();
    let at = folder.path();
    let kept = Kept::new();
    let roles = [("executor", "respact/executor"), ("user", "users/helpful")];
    kept.config(at, "household/respact", &roles, "limits = { steps = 12, attempts = 4 }");
    run(at, &["--limit", "1"]);
    let whole = shown(at, &["r", "0"]);
    assert!(whole.contains("You") && whole.contains("min_p") && whole.contains("0.1"), "{whole}");
    assert!(calls(at, &["r", "0"]).iter().all(|call| call["agrees"] == true), "{whole}");
    assert!(!whole.contains("s3cret"), "{whole}");
    let steers = |letter: char| letter.is_control() && letter != '\n';
    let user = shown(at, &["r", "0", "--seat", "user"]);
    assert!(user.contains("Agent Query:"), "{user}");
    assert!(calls(at, &["r", "0", "--seat", "user"]).iter().all(|call| call["seat"] == "user"), "{user}");
    for shown in [&whole, &user, &shown(at, &["r", "0", "--json"])] {
        assert!(!shown.contains(steers), "{shown}");
    }
    assert!(user.contains("\\u{9b}2J"), "{user}");
    let told = text(&ends(at, &["show", "r", "--prompts"], 2).stderr);
    assert!(told.contains("EPISODE"), "{told}");
}

#[test]
fn a_prompt_that_was_not_sent_is_never_passed_as_right() {
    let folder = folder();
    let at = folder.path();
    let kept = Kept::new();
    let roles = [("executor", "react/executor")];
    kept.config(at, "household/react", &roles, "limits = { steps = 8 }");
    run(at, &["--limit", "1"]);
    // The turn at the end has no answer yet.
    let mut episodes = events(at, "r");
    let whole = episodes.clone();
    let open = episodes.values_mut().next().unwrap();
    let called = |event: &rolecall::domain::Event| event.message.kind() == "model_called";
    let last = open.iter().rposition(called).unwrap();
    open.truncate(last + 1);
    rewrite(at, "r", &episodes);
    let found = all_calls(at, "r");
    assert!(found.len() > 5 && found.iter().all(|call| call["agrees"] == true), "{found:?}");
    // The hash of one call is another.
    let mut edited = whole.clone();
    let events = edited.values_mut().flatten();
    let call = events.filter_map(|event| match &mut event.message {
        Message::ModelCalled(call) => Some(call),
        _ => None,
    });
    call.take(1).for_each(|call| call.request = "0".repeat(32));
    rewrite(at, "r", &edited);
    let found = all_calls(at, "r");
    assert_eq!(found[0]["agrees"], false);
    assert!(found[1..].iter().all(|call| call["agrees"] == true), "{found:?}");
    assert!(shown(at, &["r", "0"]).contains("DIFFERS"));
    // What the world showed was edited: from there on nothing can be made again, and it says why.
    let mut edited = whole.clone();
    let events = edited.values_mut().next().unwrap();
    let perform = |event: &&mut rolecall::domain::Event| matches!(event.message, Message::Perform(_));
    let event = events.iter_mut().filter(perform).nth(1).unwrap();
    let seq = event.seq;
    event.message = Message::Assess;
    rewrite(at, "r", &edited);
    for call in all_calls(at, "r") {
        let before = call["seq"].as_u64().unwrap() < u64::from(seq);
        assert_eq!(call["agrees"], before, "{call}");
        let why = call["problem"].as_str().unwrap_or_default();
        assert_eq!(why.contains("differs from its log"), !before, "{call}");
    }
    // Another prompt file: what it gives now was not sent.
    rewrite(at, "r", &whole);
    fs::remove_file(at.join("agents")).unwrap();
    let copied = at.join("agents/react");
    fs::create_dir_all(copied.join("exemplars")).unwrap();
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/react");
    for file in ["executor.toml", "executor.md"] {
        fs::copy(agents.join(file), copied.join(file)).unwrap();
    }
    for file in fs::read_dir(agents.join("exemplars")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copied.join("exemplars").join(file.file_name())).unwrap();
    }
    let card = fs::read_to_string(copied.join("executor.md")).unwrap();
    fs::write(copied.join("executor.md"), card.replace("You solve", "We solve")).unwrap();
    for call in all_calls(at, "r") {
        assert_eq!(call["agrees"], false);
        assert!(call["request"].to_string().contains("We solve"), "{call}");
    }
}

#[test]
fn calls_before_a_branch_are_those_of_its_parent() {
    let folder = folder();
    let at = folder.path();
    let kept = Kept::new();
    let roles = [("executor", "react/executor")];
    kept.config(at, "household/react", &roles, "limits = { steps = 8 }");
    run(at, &["--limit", "2"]);
    let branch = ["branch", "r", "--name", "b", "--episodes", "failed", "--at", "turn:4"];
    let output = crate::support::binary::rolecall(at, &branch).args(["-q", "--no-report"]).output();
    assert!(output.unwrap().status.code() < Some(2));
    let found = all_calls(at, "b");
    let problems = |call: &&Value| call["problem"].as_str().is_some_and(|why| why.contains("`r`"));
    let foreign = found.iter().filter(problems).count();
    let agree = found.iter().filter(|call| call["agrees"] == true).count();
    assert!(foreign > 0 && agree > 0 && foreign + agree == found.len(), "{found:?}");
}

#[test]
fn what_run_toml_does_not_have_is_given_again() {
    let folder = folder();
    let at = folder.path();
    let kept = Kept::new();
    let roles = [("executor", "react/executor")];
    kept.config(at, "household/react", &roles, "limits = { steps = 4 }");
    let set = ["--set", "models.fake.extra_body.my_token=s3cret-given"];
    run(at, &[&["--limit", "1"][..], &set].concat());
    let lost = text(&ends(at, &["show", "r", "0", "--prompts"], 2).stderr);
    assert!(lost.contains("give it again with `--set"), "{lost}");
    let found = calls(at, &[&["r", "0"][..], &set].concat());
    assert!(!found.is_empty() && found.iter().all(|call| call["agrees"] == true), "{found:?}");
}

#[test]
fn the_first_prompt_of_a_seat_is_seen_before_anything_is_paid() {
    let folder = folder();
    let at = folder.path();
    let kept = Kept::new();
    let roles = [("executor", "respact/executor"), ("user", "users/helpful")];
    kept.config(at, "household/respact", &roles, "limits = { steps = 12 }");
    let check = |more: &[&str], code| {
        let all = [&["check", "own.toml", "--prompt"], more].concat();
        ends(at, &all, code)
    };
    let object = |more: &[&str]| -> Value {
        let shown = text(&check(&[more, &["--json"]].concat(), 0).stdout);
        assert!(!shown.contains("s3cret"), "{shown}");
        serde_json::from_str(&shown).unwrap()
    };
    let first = object(&["executor"]);
    assert_eq!(first["stand_ins"], json!([]));
    let user = object(&["user"]);
    assert_eq!((&user["stand_ins"], &user["model"]), (&json!(["executor"]), &json!("fake")));
    let asked = user["messages"].to_string();
    assert!(asked.contains("Agent Query: (what the executor says)"), "{asked}");
    let output = check(&["executor"], 0);
    let line = first["messages"][0]["content"].as_str().unwrap().lines().next().unwrap().trim();
    assert!(text(&output.stdout).contains(line), "{output:?}");
    let told = text(&check(&["user"], 0).stderr);
    assert!(told.contains("executor"), "{told}");
    let unknown = text(&check(&["planner"], 2).stderr);
    assert!(unknown.contains("the seats are executor, user"), "{unknown}");
    assert_eq!(kept.bodies.lock().unwrap().len(), 0, "a model was asked");
    run(at, &["--limit", "1"]);
    let sent = kept.bodies.lock().unwrap()[0].clone();
    assert_eq!(body(&json!({ "request": first })), sent);
    // Whoever follows rules asks no model.
    let rules = ["check", "configs/household/relay.toml", "--prompt", "planner"];
    let told = text(&ends(at, &rules, 2).stderr);
    assert!(told.contains("asks no model"), "{told}");
    let several = ["check", "configs/household/relay-compare.toml", "--prompt", "planner"];
    let told = text(&ends(at, &several, 2).stderr);
    assert!(told.contains("--cell"), "{told}");
}

#[test]
fn seats_after_others_have_stand_ins_before_them() {
    let casts: [(&str, Pairs, Pairs); 3] = [
        (
            "dialogue/tpe-cima",
            &[("thinker", "tpe/thinker"), ("executor", "tpe/executor")],
            &[("executor", "(what the thinker says)")],
        ),
        (
            "household/react-reflexion",
            &[("executor", "react/executor"), ("reflector", "reflexion/reflector")],
            &[("reflector", "(what the executor says)")],
        ),
        (
            "household/relay",
            &[
                ("thinker", "relay/thinker"),
                ("clarifier", "relay/clarifier"),
                ("planner", "relay/planner"),
                ("executor", "relay/executor"),
                ("user", "users/helpful"),
            ],
            &[
                ("clarifier", "[thinker] > think: (what the thinker says)"),
                ("planner", "[clarifier] > judge: clear."),
                ("executor", "[planner] > plan:"),
                ("user", "Agent Query: (what the clarifier says)"),
            ],
        ),
    ];
    for (config, roles, shown) in casts {
        let folder = folder();
        let kept = Kept::new();
        kept.config(folder.path(), config, roles, "");
        for (seat, part) in shown {
            let check = ["check", "own.toml", "--prompt", seat, "--json"];
            let shown = text(&ends(folder.path(), &check, 0).stdout);
            let object: Value = serde_json::from_str(&shown).unwrap();
            assert!(object["messages"].to_string().contains(part), "{config} {seat}: {shown}");
            assert_ne!(object["stand_ins"], json!([]));
        }
        assert_eq!(kept.bodies.lock().unwrap().len(), 0, "a model was asked");
    }
}
