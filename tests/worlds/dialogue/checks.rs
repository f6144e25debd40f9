//! What is refused before a dialogue is played, and what is cut so that it can go on.

use std::fs;
use std::path::Path;

use crate::support::binary::{rolecall, text};
use crate::support::shipped;
use rolecall::config::Resolved;
use rolecall::log::RunLog;
use serde_json::{Value, json};

fn resolve(config: &str, sets: &[&str]) -> Result<Resolved, Vec<String>> {
    let loaded = shipped::resolved(&format!("dialogue/{config}"), sets);
    loaded.map_err(|errors| errors.0.iter().map(ToString::to_string).collect())
}

fn refused(config: &str, sets: &[&str]) -> String {
    let Err(problems) = resolve(config, sets) else {
        panic!("{config} {sets:?} is accepted");
    };
    assert_eq!(problems.len(), 1, "{config} {sets:?}: {problems:#?}");
    problems.into_iter().next().unwrap()
}

#[test]
fn a_cast_names_each_role_once() {
    for cast in ["[\"executor\", \"executor\"]", "[\"thinker\", \"executor\", \"thinker\"]"] {
        let told = refused("tpe", &[&format!("strategy.cast={cast}")]);
        let twice = if cast.starts_with("[\"e") { "executor" } else { "thinker" };
        let problem = format!("`strategy.cast` cannot be used: `{twice}` is named twice; name each role once");
        assert!(told.contains(&problem), "{told}");
    }
    // In a relay, roles may have several turns in a lap.
    let order = "strategy.order=[\"thinker\", \"planner\", \"thinker\", \"executor\"]";
    assert!(resolve("relay", &[order]).is_ok());
}

#[test]
fn a_user_that_cannot_speak_of_the_tasks_is_refused() {
    let fits = [("student", "cima"), ("client", "psyqa"), ("visitor", "focus")];
    for (kind, own) in fits {
        for dataset in ["focus", "cima", "psyqa", "all"] {
            let sets = [format!("environment.dataset={dataset}"), format!("user.kind={kind}")];
            let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
            if dataset == own {
                assert!(resolve("tpe", &sets).is_ok(), "{sets:?}");
                continue;
            }
            let told = refused("tpe", &sets);
            let said = format!("`user.kind` is `{kind}`, which goes on with tasks of `{own}` only");
            assert!(told.contains(&said), "{told}");
            assert!(told.contains(&format!("or write `environment.dataset = \"{own}\"`")), "{told}");
            let others = fits.iter().find(|(_, other)| *other == dataset);
            match others {
                Some((other, _)) => {
                    assert!(told.contains(&format!("these are of `{dataset}`")), "{told}");
                    let all =
                        format!("for them there are `{other}`, `process`, `human`, `model`, `revealer`, `remote`");
                    assert!(told.contains(&all), "{told}");
                }
                None => assert!(
                    told.contains("for them there are `process`, `human`, `model`, `revealer`, `remote`"),
                    "{told}"
                ),
            }
        }
    }
    // Somebody who understands everything may go on with anything.
    assert!(resolve("tpe", &["environment.dataset=all", "user.kind=human"]).is_ok());
    // What the data holds counts, not what is written about it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("valid_focus.json");
    fs::write(&file, focus("A tower.", 1).to_string()).unwrap();
    let data = format!("environment.data={}", file.display());
    let sets = [data.as_str(), "environment.dataset=all", "user.kind=visitor"];
    assert!(resolve("tpe", &sets).is_ok());
}

/// A sample whose document of that place is the text.
fn focus(document: &str, copies: usize) -> Value {
    json!({"data": [{
        "dialogID": "X1", "landmark_link": "", "persona": [], "knowledge": [],
        "utterance": [{
            "dialogue1": ["When was the Tarnhelm tower built?", "In 1863."],
            "persona_grounding": [false],
            "persona_candidate": ["I like towers."],
            "knowledge_candidates": vec![document; copies],
            "knowledge_answer_index": 0,
        }],
    }]})
}

fn played(folder: &Path, config: &str, sets: &[&str]) -> Vec<Value> {
    let config = shipped::root().join(format!("configs/dialogue/{config}.toml"));
    let mut arguments = vec!["run", config.to_str().unwrap(), "--no-report", "-q"];
    arguments.extend(["--name", "run", "--logs", "logs"]);
    for set in sets {
        arguments.extend(["--set", set]);
    }
    let output = rolecall(folder, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let run = RunLog::open(&folder.join("logs/run")).unwrap();
    let ids: Vec<_> = run.ids().cloned().collect();
    let mut found = Vec::new();
    for episode in run.episodes_of(&ids).unwrap() {
        let episode = episode.unwrap();
        let events = episode.log().events.clone();
        let seen = events.iter().map(|event| serde_json::to_value(&event.message).unwrap());
        found.extend(seen.filter_map(|message| message.get("observed").cloned()));
    }
    found
}

#[test]
fn a_text_that_is_too_long_is_cut_and_the_episode_goes_on() {
    // Letters of one to four bytes, far more than an observation may have.
    for (letter, copies) in [("a", 1), ("é", 3), ("语", 2), ("𠮷", 3)] {
        let folder = tempfile::tempdir().unwrap();
        let start = "The Tarnhelm tower was built in 1863. ";
        let document = format!("{start}{}", letter.repeat(100_000));
        fs::write(folder.path().join("valid_focus.json"), focus(&document, copies).to_string()).unwrap();
        let data = format!("environment.data={}/valid_focus.json", folder.path().display());
        for strategy in ["tpe", "cot", "react"] {
            let sets = [data.as_str(), &format!("strategy.name={strategy}"), "environment.top_k=3"];
            let logs = tempfile::tempdir().unwrap();
            let seen = played(logs.path(), "tpe", &sets);
            let cut: Vec<&Value> = seen.iter().filter(|seen| !seen["data"]["repaired"].is_null()).collect();
            assert!(!cut.is_empty(), "{letter} {strategy}: nothing was asked for");
            for seen in cut {
                let shown = seen["text"].as_str().unwrap();
                assert_eq!(shown.chars().count(), 16_384);
                assert!(shown.len() <= 65_536 && shown.starts_with(start));
                let data = &seen["data"];
                assert_eq!(data["texts"].as_array().unwrap().len(), copies);
                assert_eq!(data["retrieved"].as_array().unwrap().len(), copies);
                assert_eq!(data["texts"][0].as_str().unwrap().chars().count(), {
                    // The blanks between the others are part of it.
                    16_384 - (copies - 1)
                });
                let note = &data["repaired"][0];
                assert_eq!(note["code"], "text_cut");
                let left_out = copies * (start.len() + 100_000) - (16_384 - (copies - 1));
                let said = format!("{left_out} characters were left out at the end");
                assert!(note["note"].as_str().unwrap().starts_with(&said), "{note}");
            }
        }
    }
}

#[test]
fn texts_that_fit_are_given_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let document = format!("The Tarnhelm tower. {}", "é".repeat(16_384 - 20));
    let file = folder.path().join("valid_focus.json");
    fs::write(&file, focus(&document, 1).to_string()).unwrap();
    let data = format!("environment.data={}", file.display());
    let seen = played(folder.path(), "cot", &[&data]);
    let found = seen.iter().filter(|seen| seen["text"] == json!(document));
    assert_eq!(found.count(), 1);
    assert!(seen.iter().all(|seen| seen["data"]["repaired"].is_null()));
}

#[test]
fn an_utterance_that_is_too_long_to_be_shown_breaks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut value = focus("A tower.", 1);
    value["data"][0]["utterance"][0]["dialogue1"][0] = json!("塔".repeat(50_000));
    let file = folder.path().join("valid_focus.json");
    fs::write(&file, value.to_string()).unwrap();
    let data = format!("environment.data={}", file.display());
    let seen = played(folder.path(), "cot", &[&data]);
    assert_eq!(seen[0]["text"].as_str().unwrap().chars().count(), 16_384);
}

#[test]
fn costs_of_a_run_without_models_say_that_none_was_called() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path(), "cot", &["tasks.limit=2", "environment.dataset=cima"]);
    let analyse = |more: &[&str]| {
        let arguments = [&["analyse", "logs/run"], more].concat();
        let output = rolecall(folder.path(), &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let said = "no model was called";
    assert!(analyse(&["--only", "costs"]).contains(said));
    let both = analyse(&["--only", "costs,responses"]);
    assert!(both.contains("BLEU") && both.contains(said), "{both}");
    let neither = analyse(&["--only", "costs,retrieval"]);
    assert!(neither.contains(said), "{neither}");
    assert!(analyse(&["--only", "costs", "--markdown"]).contains(said));
    assert!(!analyse(&[]).contains(said));
}

#[test]
fn the_same_episodes_are_not_analysed_twice() {
    let folder = tempfile::tempdir().unwrap();
    played(folder.path(), "compare", &["tasks.limit=1", "environment.dataset=cima"]);
    for runs in [["logs/run", "logs/run"], ["run:tpe", "logs/run"], ["run:cot", "run:cot"]] {
        let arguments = [&["analyse"], &runs[..]].concat();
        let output = rolecall(folder.path(), &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{runs:?}");
        let told = text(&output.stderr);
        assert!(told.contains("hold the same episodes, which would count twice"), "{told}");
    }
    let output = rolecall(folder.path(), &["analyse", "run:cot", "run:tpe"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
