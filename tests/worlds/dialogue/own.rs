//! Data of one's own: read as its first line says, played by every method, and refused with line and field.

use std::fs;
use std::path::PathBuf;

use crate::support::binary::{rolecall, text};
use crate::support::shipped::root;
use rolecall::environments::dialogue::{Options, References, Sample, load, read};
use serde_json::{Value, json};

fn file(name: &str) -> PathBuf {
    root().join("configs/dialogue/own").join(name)
}

fn samples(name: &str, references: References) -> Vec<Sample> {
    let options = Options { references, ..Options::default() };
    load(&file(name), &options).unwrap()
}

fn ids(samples: &[Sample]) -> Vec<&str> {
    samples.iter().map(|sample| sample.id.as_str()).collect()
}

/// The first line of a data set with strategies, or with a source.
fn first(sources: bool) -> Value {
    match sources {
        true => {
            json!({"dataset": "shop", "agent": "Clerk", "sources": [{"name": "STOCK", "texts": ["We have tea."]}]})
        }
        false => json!({"dataset": "shop", "agent": "Clerk", "strategies": ["Greet", "Ask Back"]}),
    }
}

fn dialogue() -> Value {
    json!({"id": "a", "dialogue": [
        {"speaker": "Guest", "text": "Have you got tea?"},
        {"speaker": "Clerk", "text": "We do."},
        {"speaker": "Guest", "text": "Which?"},
        {"speaker": "Clerk", "text": "Green."},
    ]})
}

fn written(lines: &[Value]) -> Result<Vec<Sample>, String> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let read = read("own.jsonl", lines.join("\n").as_bytes(), &Options::default());
    read.map_err(|error| error.to_string())
}

#[test]
fn each_turn_of_the_agent_is_a_sample_with_its_sources() {
    let samples = samples("bakery.jsonl", References::First);
    let expected = [
        "bakery/rye/1",
        "bakery/rye/2",
        "bakery/rye/3",
        "bakery/cake/1",
        "bakery/cake/2",
        "bakery/late/1",
        "bakery/late/2",
    ];
    assert_eq!(ids(&samples), expected);
    let third = &samples[2];
    assert_eq!(third.dialogue.len(), 5);
    assert_eq!(third.references, ["Cards are taken from five euros on."]);
    let hidden = third.reference_data();
    assert_eq!(hidden["gold"], json!({"PERSONA": [], "SHELF": [], "RULES": [2]}));
    let shown = third.public_data(true, false);
    let names: Vec<&Value> = shown["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["PERSONA", "SHELF", "RULES"]);
    assert_eq!((&shown["dataset"], &shown["tools_are"]), (&json!("bakery"), &json!("sources")));
    // Nobody reads references and texts in the task.
    assert!(!shown.to_string().contains("five euros"), "{shown}");
}

#[test]
fn responses_of_a_dialogue_are_chosen_as_those_of_cima() {
    let all = samples("desk.jsonl", References::All);
    assert_eq!(ids(&all), ["desk/1", "desk/2", "desk/3", "desk/4"]);
    let labels = all[0].reference_data();
    assert_eq!(labels["strategies"], json!([["Comfort", "Ask Back"], ["Ask Back"]]));
    let first = samples("desk.jsonl", References::First);
    assert_eq!(first[3].references.len(), 1);
    let each = samples("desk.jsonl", References::Each);
    assert_eq!(ids(&each), ["desk/1/0", "desk/1/1", "desk/2", "desk/3", "desk/4/0", "desk/4/1"]);
    assert_eq!(each[1].reference_data()["strategies"], json!([["Ask Back"]]));
}

/// The value with another one at a path; without one the field is gone.
fn with(mut value: Value, path: &str, other: Option<Value>) -> Value {
    let (parent, key) = path.rsplit_once('/').unwrap();
    let parent = value.pointer_mut(parent).unwrap();
    match (parent, other) {
        (Value::Object(fields), Some(other)) => drop(fields.insert(key.to_owned(), other)),
        (Value::Object(fields), None) => drop(fields.remove(key)),
        (list, other) => list[key.parse::<usize>().unwrap()] = other.unwrap(),
    }
    value
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_field() {
    let firsts = [
        (true, "/dataset", None, "dataset", "missing"),
        (true, "/dataset", Some(json!("focus")), "dataset", "`focus`"),
        (true, "/dataset", Some(json!("My shop")), "dataset", "small letters"),
        (true, "/language", Some(json!("English")), "language", "code"),
        (true, "/sources", None, "sources", "either"),
        (true, "/strategies", Some(json!(["Greet"])), "sources", "either"),
        (true, "/sources", Some(json!([])), "sources", "at least one"),
        (true, "/sources/0/name", Some(json!("THE STOCK")), "sources", "`THE STOCK`"),
        (true, "/sources/0/name", Some(json!("Respond")), "sources", "means something else"),
        (true, "/sources/0/text", Some(json!("x")), "text", "no such field"),
        (true, "/sources/0/texts", Some(json!("x")), "texts", "a list"),
        (true, "/agents", Some(json!("x")), "agents", "no such field"),
        (false, "/strategies/0", Some(json!("Finish")), "strategies", "`Finish`"),
        (false, "/strategies/0", Some(json!("Hi, there")), "strategies", "commas"),
        (false, "/strategies/0", Some(json!("ask back")), "strategies", "another one"),
        (false, "/strategies/0", Some(json!(5)), "", "expected an object"),
    ];
    for (sources, path, other, field, part) in firsts {
        let error = written(&[with(first(sources), path, other), dialogue()]).unwrap_err();
        assert!(error.starts_with("`own.jsonl`, line 1"), "{path}: {error}");
        assert!(error.contains(part), "{path}: {error}");
        assert!(field.is_empty() || error.contains(&format!("field `{field}`")), "{path}: {error}");
    }
    let said = |more: Value| {
        let mut one = json!({"text": "Green."});
        one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Some(json!([one]))
    };
    let records = [
        (true, "/id", None, "id", "missing"),
        (true, "/dialogue", Some(json!([])), "dialogue", "at least one"),
        (true, "/dialogue/1/speaker", None, "speaker", "missing"),
        (true, "/dialogue/1/text", Some(json!("  ")), "text", "empty text"),
        (true, "/dialogue/1/use", Some(json!(1)), "use", "no such field"),
        (true, "/dialogue/1/uses", Some(json!({"STOCK": [1]})), "STOCK", "from 0 to 0"),
        (true, "/dialogue/1/uses", Some(json!({"SHELF": [0]})), "SHELF", "which names `STOCK`"),
        (true, "/dialogue/1/strategies", Some(json!(["Greet"])), "strategies", "but sources"),
        (true, "/sources", Some(json!({"STOCK": []})), "sources", "texts of `STOCK`"),
        (true, "/dialogue", Some(json!([{"speaker": "Clerk", "text": "Hi."}])), "responses", "no utterance of `Clerk`"),
        (true, "/responses", Some(json!(["Green."])), "dialogue", "another speaker than `Clerk`"),
        (false, "/dialogue/1/strategies", Some(json!(["Wave"])), "strategies", "(Greet, Ask Back), got `Wave`"),
        (false, "/sources", Some(json!({"STOCK": ["x"]})), "STOCK", "but strategies"),
    ];
    for (sources, path, other, field, part) in records {
        let error = written(&[first(sources), dialogue(), with(dialogue(), path, other)]).unwrap_err();
        assert!(error.starts_with("`own.jsonl`, line 3"), "{path}: {error}");
        assert!(error.contains(part) && error.contains(&format!("field `{field}`")), "{path}: {error}");
    }
    let mut asked = with(dialogue(), "/dialogue", Some(json!([{"speaker": "Guest", "text": "Tea?"}])));
    for (responses, part) in [
        (Some(json!([])), "at least one"),
        (said(json!({"strategies": ["Wave"]})), "response 1, field `strategies`"),
        (said(json!({"uses": {"STOCK": [0]}})), "but strategies"),
        (Some(json!([{"strategies": []}])), "field `text`"),
    ] {
        asked = with(asked, "/responses", responses);
        let error = written(&[first(false), asked.clone()]).unwrap_err();
        assert!(error.starts_with("`own.jsonl`, line 2 (`a`)") && error.contains(part), "{error}");
    }
}

#[test]
fn lines_that_are_no_records_and_ids_that_come_twice_are_told() {
    let error = written(&[first(true), dialogue(), dialogue()]).unwrap_err();
    assert!(
        error.starts_with("`own.jsonl`: line 3 (`a`) makes a sample `shop/a/1`, and so does line 2 (`a`);"),
        "{error}"
    );
    let of = |text: &str| read("own.jsonl", text.as_bytes(), &Options::default()).unwrap_err().to_string();
    let broken = format!("{}\n\n{{\"id\": \"a\",}}\n", first(true));
    assert!(
        of(&broken).starts_with("`own.jsonl`, line 3: ") && of(&broken).contains("at column 12"),
        "{}",
        of(&broken)
    );
    assert!(of(&first(true).to_string()).contains("holds no sample"));
    assert!(of("").contains("holds no sample"));
    assert!(of("[1]").contains("expected an object, got a list"));
    // Line ends of Windows and a mark at the beginning are none of the data.
    let windows = format!("\u{feff}{}\r\n{}\r\n", first(true), dialogue());
    let file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    std::fs::write(file.path(), windows).unwrap();
    assert_eq!(load(file.path(), &Options::default()).unwrap().len(), 2);
}

fn said(arguments: &[&str]) -> String {
    let output = rolecall(root(), arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text(&output.stdout)
}

/// Plays a config by rules; gives the run's folder.
fn played(folder: &tempfile::TempDir, config: &str, name: &str, sets: &[&str]) -> String {
    let logs = folder.path().to_str().unwrap();
    let mut arguments = vec!["run", config, "--logs", logs, "--name", name, "--no-report", "-q"];
    for set in sets {
        arguments.extend(["--set", set]);
    }
    said(&arguments);
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn every_method_is_played_by_rules_and_measured_by_the_labels_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for (data, episodes) in [("bakery", 7), ("desk", 4)] {
        let set = format!("environment.data=configs/dialogue/own/{data}.jsonl");
        let sets = [set.as_str(), "environment.dataset=all", "environment.describe=all"];
        let run = played(&folder, "configs/dialogue/compare.toml", data, &sets);
        let results = fs::read_to_string(format!("{run}/results.jsonl")).unwrap();
        let results: Vec<Value> = results.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(results.len(), 9 * episodes);
        for result in &results {
            assert_eq!((&result["kind"], &result["success"]), (&json!(data), &json!(true)), "{result}");
        }
        let report = said(&["report", &run, "--json"]);
        let (own, other) = match data {
            "bakery" => ("texts_found", "strategy_accuracy"),
            _ => ("strategy_accuracy", "texts_found"),
        };
        assert!(report.contains(own) && !report.contains(other), "{report}");
        let analysed = said(&["analyse", &run, "--json"]);
        let named = if data == "bakery" { "\"SHELF\"" } else { "Point the Way" };
        assert!(analysed.contains(named), "{analysed}");
        let replayed = said(&["replay", &run, "--json"]);
        let replayed: Value = serde_json::from_str(&replayed).unwrap();
        for way in replayed["replays"].as_array().unwrap() {
            assert_eq!(way["identical"], way["episodes"], "{replayed}");
        }
    }
}

#[test]
fn every_source_of_the_file_is_asked_and_found_in() {
    let folder = tempfile::tempdir().unwrap();
    let run = played(&folder, "configs/dialogue/own-sources.toml", "run", &["environment.top_k=9"]);
    let log = said(&["logs", "canonical", &run]);
    for source in ["SHELF", "RULES", "PERSONA"] {
        assert!(log.contains(&format!("\"tool\":\"{source}\"")), "{source}");
    }
    let report: Value = serde_json::from_str(&said(&["report", &run, "--json"])).unwrap();
    let found = report.to_string();
    assert!(found.contains("texts_found"), "{found}");
}

#[test]
fn models_answer_with_the_names_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let replies = folder.path().join("replies.jsonl");
    let says = |seat: &str, text: &str| json!({"seat": seat, "text": text}).to_string();
    let again = |seat: &str, text: &str| json!({"seat": seat, "again": true, "text": text}).to_string();
    let lines = [
        says("thinker", "Thought: They want bread."),
        // What is no source of the file is told with those that are, and asked for again.
        says("planner", "Plan: a\n#So1 = DOCUMENT[context]"),
        again("planner", "Plan: a\n#So1 = SHELF[rye loaf]\nPlan: b\n#So2 = persona[#So1]"),
        says("executor", "Response: Take the rye loaf."),
    ];
    fs::write(&replies, lines.join("\n")).unwrap();
    let script = format!("models.m.script={}", replies.display());
    let mut sets = vec!["tasks.limit=1", "models.m.provider=scripted", &script, "cache.mode=off"];
    let roles = ["thinker", "planner", "executor"]
        .map(|role| [format!("roles.{role}.implementation=model"), format!("roles.{role}.model=m")]);
    sets.extend(roles.iter().flatten().map(String::as_str));
    let run = played(&folder, "configs/dialogue/own-sources.toml", "run", &sets);
    let shown = said(&["show", &run, "--transcripts", "--private", "--no-pager"]);
    for part in ["SHELF[rye loaf]", "PERSONA[#So1]", "respond[Take the rye loaf.]", "#So1 = DOCUMENT[context]"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn check_finds_what_is_wrong_and_the_tools_of_data_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("own.jsonl");
    fs::write(&broken, format!("{}\n{{\"id\": 1, \"dialogue\": 5}}\n", first(true))).unwrap();
    let set = format!("environment.data={}", broken.display());
    let arguments = ["check", "configs/dialogue/own-sources.toml", "--set", &set];
    let output = rolecall(root(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("own.jsonl`, line 2 (`1`), field `dialogue`: expected a list, got a number"), "{told}");
    let desk = file("desk.jsonl");
    let statistics = said(&["data", "statistics", "dialogue", "--data", desk.to_str().unwrap()]);
    let line = |head: &str| {
        let line = statistics.lines().find(|line| line.contains(head)).unwrap_or_default();
        line.split_whitespace().last().map(str::to_owned)
    };
    assert!(statistics.contains("desk") && !statistics.contains("cima"), "{statistics}");
    assert_eq!(line("samples "), Some("4".to_owned()), "{statistics}");
    assert_eq!(line("responses "), Some("6".to_owned()), "{statistics}");
    let pairs = folder.path().join("pairs.jsonl");
    let (bakery, out) = (file("bakery.jsonl"), pairs.to_str().unwrap());
    said(&["data", "retriever-pairs", "dialogue", "--data", bakery.to_str().unwrap(), "--out", out]);
    let pairs = fs::read_to_string(pairs).unwrap();
    assert!(pairs.lines().any(|line| line.contains("\"source\":\"RULES\"")), "{pairs}");
}
