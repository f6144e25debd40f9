//! What `rolecall compare` says about its figures: measures of data sets, corpora, choices that make a difference
//! by themselves, and methods that disagree.

use std::fs;
use std::path::Path;

use crate::compare::{compare, object, printed, twenty, write};
use crate::support::binary::{rolecall, text};
use serde_json::Value;

fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = rolecall(folder, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?} {output:?}");
    text(&output.stdout)
}

/// Two methods on built-in samples of dialogue, of one data set or of all.
fn dialogue(folder: &Path, dataset: &str, limit: u32) {
    let config = format!(
        r#"name = "r"
tasks.limit = {limit}
[environment]
name = "dialogue"
data = "builtin"
{dataset}
[strategy]
name = "react"
[roles.executor]
implementation = "rules"
[matrix.method]
react = {{}}
cot = {{ strategy.name = "cot" }}
"#
    );
    fs::write(folder.join("r.toml"), config).unwrap();
}

#[test]
fn a_conversation_is_told_by_its_success_too() {
    let folder = tempfile::tempdir().unwrap();
    let shown = said(folder.path(), &["run", "dialogue/tutor", "--limit", "4"]);
    for part in ["BLEU", "goal"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn a_run_on_dialogues_is_told_by_the_measures_of_its_data_set() {
    for (name, first, second) in [("focus", "BLEU", "ROUGE-L"), ("cima", "BLEU", "F1"), ("psyqa", "BLEU", "D-1")] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        dialogue(folder, &format!("dataset = {name:?}"), 12);
        let shown = said(folder, &["run", "r.toml"]);
        for part in [first, second, name] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let object: Value = serde_json::from_str(&said(folder, &["report", "r", "--json"])).unwrap();
        let measures = object["measures"][name].as_array().unwrap();
        let group = &object["groups"][0];
        for measure in measures {
            let measure = measure.as_str().unwrap();
            let value = group["metrics"][measure].as_f64().unwrap();
            let ends = [0, 1].map(|end| group["intervals"][measure][end].as_f64().unwrap());
            assert!(ends[0] <= value && value <= ends[1], "{measure} {ends:?}");
            // In percent of what the log says.
            let figure = format!("{:.2}", value * 100.0);
            assert!(shown.contains(&figure), "{figure}: {shown}");
        }
        let markdown = fs::read_to_string(folder.join("logs/r/report.md")).unwrap();
        let page = fs::read_to_string(folder.join("logs/r/report.html")).unwrap();
        assert!(markdown.contains(second) && page.contains(second));
        let compared = printed(folder, &["r"]);
        for told in [&shown, &markdown, &page, &compared] {
            for word in ["success %", "Success by task type", "% solved", "ifference of success"] {
                assert!(!told.contains(word), "{word}: {told}");
            }
        }
    }
}

#[test]
fn responses_are_compared_by_means_and_all_together_with_p_values() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    dialogue(folder, "dataset = \"focus\"", 20);
    said(folder, &["run", "r.toml", "--quiet"]);
    let shown = printed(folder, &["r"]);
    let measures = shown.find("bleu").unwrap();
    assert!(measures < shown.find("steps").unwrap(), "measures come first: {shown}");
    let compared = object(folder, &["r"]);
    let one = &compared["comparisons"][0];
    assert_eq!(one["measures"], serde_json::json!(["bleu", "f1", "rouge_l"]));
    for measure in ["bleu", "f1", "rouge_l", "steps"] {
        let p = one["metrics"][measure]["p"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&p), "{measure} {p}");
    }
    // One method asks several sources, the other one none: its steps differ in every task.
    assert!(one["metrics"]["steps"]["p"].as_f64().unwrap() < 0.001);
    let corpus = one["corpus"].as_object().unwrap();
    let names: Vec<&String> = corpus.keys().collect();
    assert_eq!(names.len(), 6, "{names:?}");
    let analysed: Value =
        serde_json::from_str(&said(folder, &["analyse", "r", "--only", "responses", "--json"])).unwrap();
    let rows = analysed["rows"].as_array().unwrap();
    for (name, found) in corpus {
        for (side, row) in [("first", 0), ("second", 1)] {
            let expected = rows[row]["responses"]["focus"]["pooled"][name].as_f64().unwrap();
            let value = found[side].as_f64().unwrap();
            assert!((value - expected).abs() < 1e-12, "{name} {side}: {value} {expected}");
        }
        let p = found["p"].as_f64().unwrap();
        assert!(p > 0.0 && p <= 1.0, "{name} {p}");
        if let Some(low) = found["low"].as_f64() {
            let (high, at) = (found["high"].as_f64().unwrap(), found["difference"].as_f64().unwrap());
            assert!(low <= at && at <= high, "{name}");
        }
    }
    // The same log gives the same figures.
    assert_eq!(object(folder, &["r"]), compared);
}

#[test]
fn corpora_of_several_languages_are_not_thrown_together() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    dialogue(folder, "", 500);
    said(folder, &["run", "r.toml", "--quiet"]);
    assert!(printed(folder, &["r"]).contains("--by kind"));
    assert_eq!(object(folder, &["r"])["comparisons"][0]["corpus"], Value::Null);
    let split = object(folder, &["r", "--by", "kind"]);
    for one in split["comparisons"].as_array().unwrap() {
        assert!(one["corpus"]["distinct_1"]["pairs"].as_u64() > Some(0), "{one}");
    }
}

/// A run in which some games are solved and some are not.
fn household(folder: &Path) {
    let config = r#"name = "p"
tasks.limit = 12
limits.steps = 14
environment = { name = "household", data = "builtin" }
strategy.name = "respact"
user.kind = "unhelpful"
[roles.executor]
implementation = "rules"
"#;
    fs::write(folder.join("p.toml"), config).unwrap();
    said(folder, &["run", "p.toml", "--quiet"]);
}

fn branch(folder: &Path, name: &str, which: &[&str]) {
    let set = ["--set", "limits.steps=60", "--quiet", "--name", name];
    let arguments = [&["branch", "p", "--at", "last"], which, &set].concat();
    said(folder, &arguments);
}

#[test]
fn a_branch_of_failed_episodes_is_not_compared_with_its_parent_unwarned() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    household(folder);
    let results = fs::read_to_string(folder.join("logs/p/results.jsonl")).unwrap();
    let results: Vec<Value> = results.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let solved = |own: &&Value| own["success"] == true;
    let count = results.iter().filter(solved).count();
    assert!((1..12).contains(&count), "{count} of 12 solved");
    branch(folder, "failed", &["--episodes", "failed"]);
    let record = fs::read_to_string(folder.join("logs/failed/run.toml")).unwrap();
    assert!(record.contains("chosen = \"failed\"\nby_outcome = true\n"), "{record}");

    let warned = printed(folder, &["p", "failed"]);
    // Before any figure, and whichever comes first.
    let warning = "solved 0 of";
    assert!(warned.contains(warning) && warned.find(warning) < warned.find('─'), "{warned}");
    let turned = printed(folder, &["failed", "p"]);
    assert!(turned.contains(warning), "{turned}");
    let chosen_of =
        |base: &str, other: &str| object(folder, &[base, other])["comparisons"][0]["chosen_by_outcome"].clone();
    let chosen = chosen_of("p", "failed");
    let expected = serde_json::json!([
        {"side": "second", "run": "p", "chosen": "failed", "is_compared": true,
         "control_command": "rolecall branch logs/failed --control"}
    ]);
    assert_eq!(chosen, expected);
    assert!(warned.contains("rolecall branch logs/failed --control"), "{warned}");
    said(folder, &["branch", "failed", "--control", "--quiet"]);
    let warned = printed(folder, &["p", "failed"]);
    assert!(warned.contains("failed-control"), "{warned}");
    let rows = &object(folder, &["p", "failed"])["comparisons"];
    assert_eq!(rows[0]["chosen_by_outcome"][0]["control"], "failed-control");
    assert_eq!((&rows[1]["first"], &rows[1]["chosen_by_outcome"]), (&"failed-control".into(), &Value::Null));
    assert_eq!(rows[1]["pairs"], rows[0]["pairs"]);
    fs::remove_dir_all(folder.join("logs/failed-control")).unwrap();

    // By the option of `show`, and a branch of such a branch.
    branch(folder, "ended", &["--episodes", "all", "--ending", "out-of-steps"]);
    let ended = chosen_of("p", "ended");
    assert!(ended[0]["chosen"].as_str().unwrap().contains("out-of-steps"), "{ended}");
    let again = ["branch", "failed", "--episodes", "all", "--at", "last", "--quiet", "--name", "again"];
    said(folder, &again);
    let again = chosen_of("p", "again");
    assert_eq!((&again[0]["run"], &again[0]["chosen"]), (&"p".into(), &"failed".into()));
    // Two that were chosen alike differ in what was done after that; one that was not may differ by it.
    assert_eq!(chosen_of("failed", "again"), Value::Null);
    branch(folder, "all", &["--episodes", "all"]);
    assert_eq!(chosen_of("all", "failed")[0]["is_compared"], false);

    // Whoever takes all, or some by what they are of, is not warned.
    branch(folder, "first", &["--episodes", "all", "-n", "7"]);
    for fair in ["all", "first"] {
        assert_eq!(chosen_of("p", fair), Value::Null, "{fair}");
    }
}

#[test]
fn a_parent_is_found_from_any_folder_and_wherever_the_branch_is() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    household(folder);
    branch(folder, "failed", &["--episodes", "failed", "--logs", "elsewhere"]);
    let other = folder.join("other");
    fs::create_dir(&other).unwrap();
    let warned = object(&other, &["../logs/p", "../elsewhere/failed"]);
    assert_eq!(warned["comparisons"][0]["chosen_by_outcome"][0]["is_compared"], true, "{warned}");
}

#[test]
fn named_episodes_and_older_branches_are_told_by_their_outcomes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    household(folder);
    let results = fs::read_to_string(folder.join("logs/p/results.jsonl")).unwrap();
    let results = results.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (solved, failed): (Vec<Value>, Vec<Value>) = results.partition(|own| own["success"] == true);
    let names =
        |of: &[Value]| -> Vec<String> { of.iter().map(|own| own["episode"].as_str().unwrap().to_owned()).collect() };
    let (solved, failed) = (names(&solved), names(&failed));
    let both = [&solved[0], &failed[0]].map(String::as_str);
    branch(folder, "named", &failed.iter().map(String::as_str).collect::<Vec<_>>());
    branch(folder, "mixed", &both);
    let chosen = |branch: &str| object(folder, &["p", branch])["comparisons"][0]["chosen_by_outcome"].clone();
    let warned = chosen("named");
    assert_eq!(warned[0]["run"], "p", "{warned}");
    assert_eq!(chosen("mixed"), Value::Null);
    // A branch that an earlier version made does not say how its episodes were chosen.
    let record = folder.join("logs/named/run.toml");
    let text = fs::read_to_string(&record).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("chosen =") && !line.starts_with("by_outcome"));
    let older = lines.map(|line| format!("{line}\n")).collect::<String>();
    assert_ne!(older, text);
    fs::write(&record, older).unwrap();
    assert_eq!(chosen("named"), warned);
}

#[test]
fn an_interval_and_a_p_value_that_disagree_are_explained_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Five of twenty more, none lost: p is 2 / 2^5, and the interval is above 0.
    write(folder, "before", 7, &twenty("main", |task| task < 10));
    write(folder, "after", 7, &twenty("main", |task| task < 15));
    // Six of them: p is 2 / 2^6.
    write(folder, "better", 7, &twenty("main", |task| task < 16));
    let found = object(folder, &["before", "after"]);
    let success = &found["comparisons"][0]["success"];
    assert!(success["low"].as_f64().unwrap() > 0.0 && success["p"] == 0.0625, "{success}");
    let shown = printed(folder, &["before", "after"]);
    let explains = |line: &&str| line.contains("go by p") && line.contains("0.0625");
    assert_eq!(shown.lines().filter(explains).count(), 1, "{shown}");
    let agreed = printed(folder, &["before", "better"]);
    assert!(!agreed.contains("go by p"), "{agreed}");
    // On the pages of a run with both cells, too.
    let cells = [twenty("react", |task| task < 10), twenty("respact", |task| task < 15)].concat();
    write(folder, "cells", 7, &cells);
    for form in [&["--markdown"][..], &["--html", "-"]] {
        let page = said(folder, &[&["report", "cells"], form].concat());
        assert!(page.contains("go by p"), "{page}");
    }
    assert_eq!(compare(folder, &["cells"]).status.code(), Some(0));
}
