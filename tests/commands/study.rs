//! `rolecall study`: when a question is worth it, and whose a difference is.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::binary::text;
use crate::support::played::{ends, events, folder, play};
use rolecall::domain::{Event, Message};

/// The JSON that a command prints.
fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = ends(folder, &[arguments, &["--json", "-q"]].concat(), 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The one error of a command that cannot start.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    text(&ends(folder, arguments, 2).stderr)
}

/// Of each result of a run, its episode, whether it was solved, and its steps.
fn results(folder: &Path, name: &str) -> Vec<(String, bool, u64)> {
    let file = folder.join("logs").join(name).join("results.jsonl");
    let lines = fs::read_to_string(file).unwrap();
    let mut results: Vec<_> = lines
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let steps = line["counts"]["steps"].as_u64().unwrap();
            let episode = line["episode"].as_str().unwrap().to_owned();
            (episode, line["success"].as_bool().unwrap(), steps)
        })
        .collect();
    results.sort();
    results
}

fn questions(events: &[Event]) -> usize {
    let asked = events.iter().filter(|event| event.message.is_question());
    asked.count()
}

fn given(events: &[Event]) -> usize {
    let is = |event: &&Event| matches!(&event.message, Message::Replied(said) if said.given);
    events.iter().filter(is).count()
}

#[test]
fn facts_are_given_once_and_silence_is_kept() {
    let folder = folder();
    let folder = folder.path();
    play(folder, "respact-unhelpful", "p", &["--limit", "10"]);
    let printed = text(&ends(folder, &["study", "timing", "p", "--at", "0%,50%", "-q"], 0).stdout);
    let found = json(folder, &["study", "timing", "p", "--at", "0%,50%"]);
    for (place, percent) in [(0, 0), (1, 50)] {
        let point = &found[0]["points"][place];
        assert_eq!(point["percent"], percent);
        let mut facts = 0;
        for arm in ["given", "silent"] {
            let name = format!("p-timing/{arm}-{percent}");
            // The figures are those of the runs beside them.
            let results = results(folder, &name);
            let solved = results.iter().filter(|(_, solved, _)| *solved).count();
            let share = solved as f64 / results.len() as f64;
            assert_eq!(point[arm]["success"]["value"].as_f64(), Some(share), "{name}");
            for (id, events) in &events(folder, &name) {
                let Message::Opened(opened) = &events[0].message else {
                    panic!("{id} does not begin with its opening");
                };
                let fork = opened.fork.as_deref().unwrap();
                let after = &events[fork.events as usize..];
                assert_eq!(given(events), fork.given.len(), "{id}");
                match arm {
                    "given" => facts += given(after),
                    _ => assert_eq!(questions(after), 0, "{id}"),
                }
            }
            let replayed = ends(folder, &["replay", &format!("logs/{name}"), "--json"], 0);
            let replayed: Value = serde_json::from_slice(&replayed.stdout).unwrap();
            assert_eq!(replayed["replays"][0]["identical"], 10);
            assert_eq!(replayed["replays"][1]["identical"], 10);
        }
        assert_eq!(point["facts"], facts);
    }
    // What is there is read, and what is missing is played.
    fs::remove_dir_all(folder.join("logs/p-timing/silent-50")).unwrap();
    let second = text(&ends(folder, &["study", "timing", "p", "--at", "0%,50%", "-q"], 0).stdout);
    assert_eq!(second, printed);
    let other = refused(folder, &["study", "timing", "p", "0", "--at", "0%", "-q"]);
    assert!(other.contains("is of another study"), "{other}");
    // A fact that was given stays given where a branch leaves a branch.
    let again = ["branch", "logs/p-timing/given-50", "--episodes", "all", "--at", "last"];
    ends(folder, &[&again[..], &["--name", "b", "-q"]].concat(), 0);
    let all = events(folder, "b");
    assert!(all.values().map(|events| given(events)).sum::<usize>() > 0);
    ends(folder, &["replay", "b"], 0);
}

#[test]
fn a_fact_never_costs_a_player_its_success() {
    let folder = folder();
    let folder = folder.path();
    for (config, seed) in [("respact-unhelpful", "2"), ("respact-perturbed", "3"), ("aba", "4")] {
        let name = format!("p{seed}");
        play(folder, config, &name, &["--limit", "12", "--seed", seed]);
        ends(folder, &["study", "timing", &name, "--at", "0%,10%,50%", "-q"], 0);
        for percent in [0, 10, 50] {
            let of = |arm: &str| results(folder, &format!("{name}-timing/{arm}-{percent}"));
            for (given, silent) in of("given").iter().zip(of("silent")) {
                assert_eq!(given.0, silent.0);
                assert!(given.1 || !silent.1, "{} of {name} after {percent} %", given.0);
            }
        }
    }
}

#[test]
fn requests_that_lack_details_are_worth_a_question() {
    let folder = folder();
    let folder = folder.path();
    let run = ["run", "configs/travel/cep.toml", "--limit", "12", "--name", "t", "-q", "--no-report"];
    ends(folder, &run, 0);
    let found = json(folder, &["study", "timing", "t", "--at", "0%,50%"]);
    let value = |arm: &str| found[0]["points"][0][arm]["success"]["value"].as_f64().unwrap();
    assert!(value("given") > value("silent") + 0.3, "{found}");
    assert_eq!(found[0]["points"][0]["free"], found[0]["as_played"]);
    let kinds = found[0]["points"][0]["kinds"].as_object().unwrap();
    assert!(kinds.len() >= 2, "{kinds:?}");
}

/// The first game of the built-in ones, by a model that gives up as soon as it has read the fact.
const SCRIPTED: &str = r#"name = "m"
strategy.name = "respact"
environment = { name = "household", data = "builtin" }
tasks.limit = 1
limits = { steps = 4, questions = 0 }
user.kind = "helpful"
[roles.executor]
implementation = "model"
persona = "respact/executor"
model = "agent"
moves = "json"
shots = 0
[cache]
mode = "off"
[models.agent]
provider = "scripted"
script = "replies.jsonl"
capabilities = { json_schema = true }
"#;

#[test]
fn models_read_what_is_given_and_may_ask_where_the_study_lets_them() {
    let folder = folder();
    let folder = folder.path();
    let look = r#"{"seat": "executor", "text": "{\"kind\": \"act\", \"command\": \"look\"}"}"#;
    let read = r#"{"seat": "executor", "contains": "FACT", "text": "{\"kind\": \"finish\", \"answer\": \"\"}"}"#;
    fs::write(folder.join("m.toml"), SCRIPTED).unwrap();
    fs::write(folder.join("replies.jsonl"), [look; 8].join("\n")).unwrap();
    ends(folder, &["run", "m.toml", "-q", "--no-report"], 0);
    let study = ["study", "timing", "m", "--at", "50%", "--set", "limits.questions=1"];
    let found = json(folder, &study);
    assert_eq!(found[0]["points"][0]["given"]["steps"]["value"], 4.0);
    let all = events(folder, "m-timing/given-50");
    let said = all.values().flatten().find_map(|event| match &event.message {
        Message::Replied(said) if said.given => Some(said.text.clone()),
        _ => None,
    });
    let read = read.replace("FACT", &said.unwrap());
    fs::write(folder.join("replies.jsonl"), [&read, look, look, look, look].join("\n")).unwrap();
    let found = json(folder, &[&study[..], &["--name", "second"]].concat());
    assert_eq!(found[0]["points"][0]["given"]["steps"]["value"], 3.0, "{found}");
    assert_eq!(found[0]["points"][0]["silent"]["steps"]["value"], 4.0);
}

/// Two casts that differ in two seats.
const TWO: &str = r#"extends = "quickstart"
name = "two"
[[cells]]
name = "good"
user.kind = "helpful"
[[cells]]
name = "bad"
user.kind = "unhelpful"
roles.executor = { implementation = "rules", patience = 0 }
[[cells]]
name = "silent"
strategy.name = "react"
"#;

#[test]
fn shares_of_seats_add_up_from_a_config_and_from_a_run() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("two.toml"), TWO).unwrap();
    let limit = ["--limit", "40", "--metric", "steps"];
    let anew = json(folder, &[&["study", "seats", "two.toml:good", ":bad"], &limit[..]].concat());
    let value = |of: &Value| of["value"].as_f64().unwrap();
    let shares = anew["seats"].as_array().unwrap();
    assert_eq!(shares.len(), 2);
    let sum: f64 = shares.iter().map(|seat| value(&seat["share"])).sum();
    assert!((sum - value(&anew["difference"])).abs() < 1e-9, "{anew}");
    assert!(value(&anew["difference"]) > 0.0);
    // From the first move on, the mixtures are what they are from the beginning.
    ends(folder, &["run", "two.toml", "--limit", "40", "-q", "--no-report"], 0);
    let forked = ["study", "seats", "two:good", "two.toml:bad", "--at", "0%", "--metric", "steps"];
    assert_eq!(json(folder, &forked)["casts"], anew["casts"]);
    assert_eq!(json(folder, &forked)["seats"], anew["seats"]);
    ends(folder, &["replay", "logs/two-seats-forked/with-user"], 0);
    ends(folder, &["replay", "logs/two-seats"], 0);
}

#[test]
fn casts_that_differ_in_more_than_seats_are_refused() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("two.toml"), TWO).unwrap();
    for (second, problem) in [
        (":silent", "differ in `strategy`"),
        (":good", "the two casts are the same"),
        (":nobody", "names the cell `nobody`"),
        ("two.toml", "needs the name of a cell"),
        ("nowhere.toml", "nowhere.toml"),
    ] {
        let error = refused(folder, &["study", "seats", "two.toml:good", second, "-q"]);
        assert!(error.contains(problem), "{second}: {error}");
    }
    let cells = r#"mixture.between=["good", "bad"]"#;
    let take = ["check", "two.toml", "--set", cells, "--set"];
    let checked = ends(folder, &[&take[..], &[r#"mixture.take=["user"]"#]].concat(), 0);
    assert!(!text(&checked.stdout).contains("with-"), "{checked:?}");
    let error = refused(folder, &[&take[..], &[r#"mixture.take=["planner"]"#]].concat());
    assert!(error.contains("the two casts differ in"), "{error}");
}
