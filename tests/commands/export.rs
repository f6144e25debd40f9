//! `rolecall export`: rows that trainers read, each prompt proved, and nothing in them that others may not see.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::binary::text;
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, events, folder, play, rewrite};
use rolecall::domain::{Event, Message, Move};
use rolecall::export::alternates;
use rolecall::ports::model::ChatRole;

/// Exports into `out`, and gives the rows of all splits and the manifest.
fn export(folder: &Path, out: &str, arguments: &[&str]) -> (Vec<Value>, Value) {
    let all = [&["export", "--out", out], arguments].concat();
    ends(folder, &all, 0);
    let out = folder.join(out);
    let mut files: Vec<_> = fs::read_dir(out.join("data")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let rows = files.iter().flat_map(|file| {
        let lines = fs::read_to_string(file).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    });
    let manifest = fs::read_to_string(out.join("MANIFEST.json")).unwrap();
    (rows.collect(), serde_json::from_str(&manifest).unwrap())
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

/// The assistant's messages of a row that are trained.
fn trained(row: &Value) -> Vec<&Value> {
    let messages = list(row, "messages").iter();
    messages.filter(|message| message["train"] == true).collect()
}

/// The texts of an episode that only another seat was entrusted with, long enough to be nobody else's by chance.
fn entrusted(events: &[Event], seat: &str) -> Vec<String> {
    let parts = events.iter().filter_map(|event| match &event.message {
        Message::Entrusted(part) if part.audience.as_str() != seat => Some(part.value.to_string()),
        _ => None,
    });
    parts.filter(|text| text.len() > 20).collect()
}

#[test]
fn seats_by_rules_are_exported_as_they_saw_it() {
    let folder = folder();
    let at = folder.path();
    play(at, "respact", "p", &["--limit", "6"]);
    let (rows, manifest) = export(at, "rows", &["p", "--format", "rows"]);
    assert_eq!((rows.len(), &manifest["rows"]), (6, &json!({"train": 6})));
    let mut hidden = 0;
    for (row, (id, events)) in rows.iter().zip(events(at, "p")) {
        assert_eq!(row["id"], format!("{id}/executor"));
        assert_eq!((&row["model"], &row["trainable"]), (&json!("rules"), &json!(true)));
        let moves: Vec<&Move> = events
            .iter()
            .filter_map(|event| match &event.message {
                Message::Moved(made) => Some(made),
                _ => None,
            })
            .collect();
        let own = trained(row);
        assert_eq!(own.len(), moves.len(), "{id}");
        for (message, made) in own.iter().zip(moves) {
            assert_eq!(message["move"], made.kind().as_str());
        }
        let last = list(row, "messages").last().unwrap();
        assert_eq!(last["role"], "assistant");
        for text in entrusted(&events, "executor") {
            hidden += 1;
            assert!(!row.to_string().contains(&text), "{id}: {text}");
        }
    }
    assert!(hidden > 0, "nothing was entrusted to anybody");
    // The prompt by which it is played is there, and what a trial's rows are trained with alternates.
    assert!(at.join("rows/prompt.md").is_file());
    let (rows, _) = export(at, "llama", &["p", "--format", "llama-factory", "--whole"]);
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let roles = list(row, "messages").iter().map(|own| own["role"].clone());
        let roles: Vec<ChatRole> = roles.map(|role| serde_json::from_value(role).unwrap()).collect();
        assert!(alternates(&roles));
    }
}

#[test]
fn filters_splits_and_bytes_are_what_they_say() {
    let folder = folder();
    let at = folder.path();
    play(at, "react", "p", &["--limit", "12", "--set", "repeats=2", "--set", "limits.steps=12"]);
    let all = ["p", "--format", "rows"];
    let (rows, _) = export(at, "all", &all);
    let (solved, manifest) = export(at, "solved", &[&all[..], &["--success", "--best-of", "1"]].concat());
    assert!(solved.iter().all(|row| row["success"] == true));
    let tasks: BTreeSet<&str> = solved.iter().map(|row| row["task"].as_str().unwrap()).collect();
    assert_eq!(tasks.len(), solved.len());
    assert!(solved.len() < rows.len() && manifest["left_out"].as_object().is_some_and(|own| !own.is_empty()));
    let split = [&all[..], &["--test-share", "0.5"]].concat();
    export(at, "split", &split);
    let of = |split: &str| -> BTreeSet<String> {
        let lines = fs::read_to_string(at.join(format!("split/data/{split}-00000.jsonl"))).unwrap();
        let row = |line: &str| serde_json::from_str::<Value>(line).unwrap()["task"].to_string();
        lines.lines().map(row).collect()
    };
    assert!(of("train").is_disjoint(&of("test")));
    assert!(!of("train").is_empty() && !of("test").is_empty());
    export(at, "again", &all);
    for name in ["MANIFEST.json", "README.md", "data/train-00000.jsonl"] {
        let read = |out: &str| fs::read(at.join(out).join(name)).unwrap();
        assert_eq!(read("all"), read("again"), "{name}");
    }
    // What is there stays there.
    let refused = ends(at, &["export", "p", "--format", "rows", "--out", "all"], 2);
    assert!(text(&refused.stderr).contains("`all` is there already"));
}

/// A config whose executor is a model of this server; its prompt repeats what it said itself.
fn own_config(folder: &Path, url: &str, raw: bool) {
    let prompt = "--- system ---\nYou act in a house.\n--- user ---\n{{ first_observation }}\n--- turns ---\n";
    fs::write(folder.join("own.md"), prompt).unwrap();
    fs::write(folder.join("own.toml"), "implementation = \"model\"\nprompt = \"own.md\"\n").unwrap();
    let shown = if raw { "replies = \"raw\"\n" } else { "" };
    let text = format!(
        "extends = \"configs/household/respact.toml\"\nagents = \".\"\nname = \"r\"\nlimits = {{ steps = 60, attempts = 4 }}\n\
         [models.fake]\nprovider = \"openai\"\nmodel = \"any\"\nbase_url = \"{url}\"\n\
         [models.fake.extra_body]\nreturn_token_ids = true\n\
         [roles.executor]\nimplementation = \"model\"\npersona = \"own\"\nmodel = \"fake\"\n{shown}"
    );
    fs::write(folder.join("r.toml"), text).unwrap();
}

fn run(folder: &Path, more: &[&str]) {
    ends(folder, &[&["run", "r.toml", "-q", "--no-report"], more].concat(), 0);
}

/// A server that answers by the call's key, sometimes in ways that cannot be used, and keeps what it is asked.
fn moody() -> (FakeModel, Arc<Mutex<Vec<Value>>>) {
    let kept: Arc<Mutex<Vec<Value>>> = Arc::default();
    let bodies = Arc::clone(&kept);
    let server = FakeModel::start(Duration::ZERO, move |asked| {
        bodies.lock().unwrap().push(asked.body["messages"].clone());
        match blake3::hash(asked.key.as_bytes()).as_bytes()[0] % 8 {
            0 | 1 => Does::Says("Act: look"),
            2 | 3 => Does::Says("Act: inventory"),
            4 => Does::Says("Think: Where was it?"),
            5 => Does::Says("Speak: Where is it?"),
            6 => Does::Says("Act: go to cabinet 1"),
            _ => Does::Says(""),
        }
    });
    (server, kept)
}

#[test]
fn what_models_were_sent_is_what_stands_in_every_format() {
    let (server, kept) = moody();
    for raw in [true, false] {
        let folder = folder();
        let at = folder.path();
        own_config(at, &server.url(), raw);
        run(at, &["--limit", "3", "--set", "limits.steps=12"]);
        let answered = events(at, "r").into_values().flatten();
        let answered = answered.filter(|event| matches!(event.message, Message::Moved(_)));
        let answered = answered.count();
        let rows = |format: &str| export(at, format, &["r", "--format", format, "--arguments", "string"]).0;
        let (neutral, trl, axolotl) = (rows("rows"), rows("trl"), rows("axolotl"));
        let count: usize = neutral.iter().map(|row| trained(row).len()).sum();
        assert_eq!(count, answered);
        assert_eq!(axolotl.iter().map(|row| trained(row).len()).sum::<usize>(), answered);
        assert_eq!(trl.len(), answered);
        // Only what repeats itself exactly is one conversation.
        assert_eq!(neutral.len() < answered, raw, "{} rows", neutral.len());
        let sent = kept.lock().unwrap().clone();
        for row in &trl {
            assert!(sent.contains(&row["prompt"]), "{}", row["prompt"]);
            assert_eq!(list(row, "completion").len(), 1);
        }
        let llama = rows("llama-factory");
        assert_eq!(llama.len(), answered);
        let openai = rows("openai");
        let weights = openai.iter().flat_map(|row| list(row, "messages"));
        let weights: u64 = weights.filter_map(|message| message["weight"].as_u64()).sum();
        assert_eq!(weights as usize, answered);
        for trace in rows("verifiers") {
            let nodes = list(&trace, "nodes");
            for (index, node) in nodes.iter().enumerate() {
                assert_eq!(node["parent"].as_u64(), (index as u64).checked_sub(1));
            }
            // One token is a byte there, and each message has two more.
            let ids = nodes.iter().filter_map(|node| node["token_ids"].as_array());
            let content = |node: &Value| node["message"]["content"].as_str().unwrap().len();
            let all: usize = nodes.iter().map(|node| content(node) + 2).sum();
            assert_eq!(ids.map(Vec::len).sum::<usize>(), all);
            for node in nodes.iter().filter(|node| node["sampled"] == true) {
                let trained = list(node, "mask").iter().filter(|own| **own == true);
                assert_eq!(trained.count(), content(node) + 1);
            }
        }
        let (trajectories, _) = export(at, "atif", &["r", "--format", "atif"]);
        assert_eq!(trajectories.len(), 3);
        for (number, step) in (1..).zip(list(&trajectories[0], "steps")) {
            assert_eq!(step["step_id"], number);
        }
    }
}

#[test]
fn a_reply_that_was_changed_is_refused() {
    let (server, _) = moody();
    let folder = folder();
    let at = folder.path();
    own_config(at, &server.url(), true);
    run(at, &["--limit", "2", "--set", "limits.steps=12"]);
    let mut changed = events(at, "r");
    let (id, events) = changed.iter_mut().next().unwrap();
    let id = id.to_string();
    let called = events.iter_mut().rev().find_map(|event| match &mut event.message {
        Message::ModelCalled(call) if !call.reply.choices[0].text.is_empty() => Some(call),
        _ => None,
    });
    called.unwrap().reply.choices[0].text = "Think: x".to_owned();
    rewrite(at, "r", &changed);
    let refused = || text(&ends(at, &["export", "r", "--format", "rows", "--out", "x"], 2).stderr);
    let noted = refused();
    assert!(noted.contains(&format!("episode `{id}`: its events are not")), "{noted}");
    // Without anything that was noted of it, the turn itself tells.
    for name in ["timings.jsonl", "results.jsonl"] {
        fs::remove_file(at.join("logs/r").join(name)).unwrap();
    }
    let replayed = refused();
    let turn = format!("episode `{id}`, turn ");
    assert!(replayed.contains(&turn) && replayed.contains("does not come out"), "{replayed}");
    assert!(!at.join("x").exists());
}

/// The moves of a seat as a model writes them.
fn lines(events: &[Event]) -> Vec<String> {
    let moves = events.iter().filter_map(|event| match &event.message {
        Message::Moved(Move::Think { text }) => Some(format!("> think: {text}")),
        Message::Moved(Move::Speak { text, .. }) => Some(format!("> speak: {text}")),
        Message::Moved(Move::Act { action }) => Some(format!("> {}", action.text)),
        _ => None,
    });
    moves.collect()
}

#[test]
fn branches_give_pairs_of_one_prompt() {
    let folder = folder();
    let at = folder.path();
    play(at, "respact", "expert", &["--limit", "1"]);
    let expert = events(at, "expert");
    let moves: Vec<&'static str> =
        lines(expert.values().next().unwrap()).into_iter().map(|line| &*line.leak()).collect();
    // It does as the expert did, and from the third move on nothing unless it is told to.
    let (asked, good) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (count, is_good) = (Arc::clone(&asked), Arc::clone(&good));
    let server = FakeModel::start(Duration::ZERO, move |_| {
        let number = count.fetch_add(1, Ordering::SeqCst);
        match (number >= 2, is_good.load(Ordering::SeqCst) > 0) {
            (true, false) => Does::Says("> look"),
            _ => Does::Says(moves.get(number).copied().unwrap_or("> look")),
        }
    });
    own_config(at, &server.url(), true);
    run(at, &["--limit", "1"]);
    good.store(1, Ordering::SeqCst);
    asked.store(2, Ordering::SeqCst);
    let branch = ["branch", "r", "0", "--at", "turn:3", "--name", "b", "-q", "--no-report"];
    ends(at, &branch, 0);
    let results = |run: &str| text(&ends(at, &["show", run, "--json"], 0).stdout).contains("\"success\":true");
    assert_eq!((results("r"), results("b")), (false, true));
    let pairs = |out: &str, format: &str| export(at, out, &["r", "b", "--pairs", "--format", format]).0;
    let rows = pairs("trl", "trl");
    let [pair] = &rows[..] else {
        panic!("{rows:?}");
    };
    assert_eq!((&pair["margin"], pair["rejected"][0]["content"].as_str()), (&json!(1.0), Some("> look")));
    assert_ne!(pair["chosen"], pair["rejected"]);
    let last = list(pair, "prompt").last().unwrap();
    assert_eq!(last["role"], "user");
    let llama = pairs("llama", "llama-factory");
    assert_eq!(list(&llama[0], "conversations").last().unwrap()["from"], "human");
    let openai = pairs("openai", "openai");
    assert_eq!(openai[0]["input"]["messages"], pair["prompt"]);
    let wrong = ends(at, &["export", "b", "r", "--pairs", "--format", "trl", "--out", "y"], 2);
    assert!(text(&wrong.stderr).contains("did not branch off the run `b`"));
}

#[test]
fn experts_come_through_the_same_writer() {
    let folder = folder();
    let at = folder.path();
    let made = ["data", "trajectories", "household", "--count", "3", "--out", "expert.jsonl"];
    ends(at, &made, 0);
    let lines = fs::read_to_string(at.join("expert.jsonl")).unwrap();
    let kept = lines.lines().filter(|line| line.contains("\"train\":1")).count();
    let (rows, manifest) = export(at, "trl", &["expert.jsonl", "--format", "trl"]);
    assert_eq!(rows.len(), kept);
    assert_eq!(manifest["sources"][0]["file"], "expert.jsonl");
    let first = &rows[0];
    assert!(first["prompt"].as_str().unwrap().ends_with('>'));
    assert!(first["completion"].as_str().unwrap().starts_with(' '));
    let (rows, _) = export(at, "rows", &["expert.jsonl", "--format", "rows"]);
    assert_eq!((rows.len(), &rows[0]["model"]), (kept, &json!("rules")));
}
