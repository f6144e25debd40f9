//! `rolecall analyse` as it is given in a shell, over runs of the players by rules.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::support::binary::{rolecall, text};
use crate::support::played::{ends, events, folder};
use rolecall::domain::Message;
use serde_json::Value;
use tempfile::TempDir;

/// The quickstart's four cells over its first 18 games, played once for all tests.
static RUN: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = folder();
    let arguments = ["run", "configs/quickstart.toml", "--limit", "18", "-q", "--no-report"];
    ends(folder.path(), &arguments, 0);
    folder
});

fn at() -> &'static Path {
    RUN.path()
}

fn printed(arguments: &[&str]) -> String {
    text(&ends(at(), &[&["analyse"], arguments].concat(), 0).stdout)
}

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = ends(at(), &[&["analyse"], arguments].concat(), 2);
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}

/// The row of a cell.
fn row<'a>(object: &'a Value, cell: &str) -> &'a Value {
    let rows = object["rows"].as_array().unwrap().iter();
    rows.clone().find(|row| row["cell"] == cell).unwrap()
}

fn sum(parts: &Value) -> u64 {
    let parts = parts.as_object().unwrap().values();
    parts.map(|part| part["n"].as_u64().unwrap()).sum()
}

#[test]
fn everything_that_was_done_and_said_is_counted_once() {
    let found = object(&["quickstart"]);
    assert_eq!(found["rows"].as_array().unwrap().len(), 4);
    let mut told: BTreeMap<String, u64> = BTreeMap::new();
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for (id, events) in events(at(), "quickstart") {
        for event in &events {
            let cell = id.cell.to_string();
            match &event.message {
                Message::Told(_) => *told.entry(cell).or_default() += 1,
                Message::Observed(seen) if seen.invalid => *refused.entry(cell).or_default() += 1,
                _ => {}
            }
        }
    }
    for row in found["rows"].as_array().unwrap() {
        let cell = row["cell"].as_str().unwrap();
        let told = told.get(cell).copied().unwrap_or(0);
        assert_eq!((row["episodes"].as_u64(), row["counted"].as_u64()), (Some(18), Some(18)));
        assert_eq!((sum(&row["categories"]), sum(&row["acts"])), (told, told), "{cell}");
        assert_eq!(row["actions"]["speak"]["n"], told);
        let refused = refused.get(cell).copied().unwrap_or(0);
        assert_eq!(row["actions"]["refused act"]["n"], refused);
        let bars = row["invalid"]["by_count"].as_object().unwrap().values();
        assert_eq!(bars.map(|games| games.as_u64().unwrap()).sum::<u64>(), 18);
        let shares = row["actions"].as_object().unwrap().values();
        let shares: f64 = shares.map(|part| part["share"].as_f64().unwrap()).sum();
        assert!((shares - 1.0).abs() < 1e-9);
    }
    assert!(told["respact-helpful"] > 0 && !told.contains_key("react"));
    // Those who ask by rules ask where things are and which of them is meant.
    let helpful = row(&found, "respact-helpful");
    assert!(helpful["acts"]["ReqForObjLocAndOD"]["n"].as_u64() > Some(0));
    assert_eq!(helpful["acts"]["Affirm"]["n"], 0);
}

#[test]
fn questions_save_steps_against_the_cell_that_asks_nothing() {
    let found = object(&["quickstart", "--only", "saved,questions"]);
    assert_eq!(row(&found, "react")["saved"], Value::Null);
    assert!(row(&found, "react").get("actions").is_none());
    let helpful = row(&found, "respact-helpful");
    let saved = &helpful["saved"];
    assert_eq!((saved["against"].as_str(), saved["pairs"].as_u64()), (Some("react"), Some(18)));
    let (steps, questions) = (&saved["steps"], &saved["questions"]);
    let ratio = steps.as_f64().unwrap() / questions.as_f64().unwrap();
    let per_question = saved["per_question"]["value"].as_f64().unwrap();
    assert!((ratio - per_question).abs() < 1e-9 && ratio > 1.0, "{saved}");
    assert!(saved["per_question"]["low"].as_f64().unwrap() <= per_question);
    // A user who knows is listened to, and one who guesses is not worth the steps.
    let unhelpful = row(&found, "respact-unhelpful");
    let of = |row: &Value, name: &str| row["questions"][name]["value"].as_f64().unwrap();
    assert!(of(helpful, "advice_followed") > 0.9, "{helpful}");
    assert!(of(helpful, "questions") < of(unhelpful, "questions"));
    let less = unhelpful["saved"]["per_question"]["value"].as_f64().unwrap();
    assert!(less < per_question, "{unhelpful}");
}

#[test]
fn a_cell_is_compared_with_one_that_played_the_same_games() {
    let folder = folder();
    let config = r#"
        name = "splits"
        environment = { name = "household", data = "builtin" }
        tasks.limit = 2
        strategy.name = "react"
        roles.executor.implementation = "rules"
        user.kind = "helpful"
        [matrix.split]
        seen = { environment.split = "seen" }
        unseen = { environment.split = "unseen" }
        [matrix.games]
        plain = {}
        ambiguous = { environment.variant = "ambiguous" }
        [matrix.method]
        react = {}
        respact = { strategy.name = "respact" }
    "#;
    fs::write(folder.path().join("splits.toml"), config).unwrap();
    ends(folder.path(), &["run", "splits.toml", "-q"], 0);
    let found = ends(folder.path(), &["analyse", "splits", "--json"], 0).stdout;
    let found: Value = serde_json::from_str(&text(&found)).unwrap();
    for games in ["seen-plain", "seen-ambiguous", "unseen-plain", "unseen-ambiguous"] {
        let saved = &row(&found, &format!("{games}-respact"))["saved"];
        assert_eq!(saved["against"], format!("{games}-react"));
        assert_eq!(saved["pairs"], 2, "{saved}");
    }
}

#[test]
fn the_base_may_be_named_and_must_have_the_same_seed() {
    let cells = ["quickstart:respact-helpful", "--against", "quickstart:react"];
    let found = object(&cells);
    assert_eq!(found["rows"].as_array().unwrap().len(), 1);
    let whole = object(&["quickstart"]);
    let mut named = found["rows"][0]["saved"].clone();
    assert_eq!(named["against"], "quickstart:react");
    named["against"] = "react".into();
    assert_eq!(named, row(&whole, "respact-helpful")["saved"]);
    let other = ["run", "configs/household/react.toml", "--limit", "5", "--seed", "9"];
    ends(at(), &[&other[..], &["--name", "other", "-q", "--no-report"]].concat(), 0);
    let error = refused(&["quickstart", "--against", "other"]);
    assert!(error.contains("not played with the same seed"), "{error}");
    let both = object(&["quickstart:react", "other"]);
    let runs: Vec<&str> = both["rows"].as_array().unwrap().iter().map(|row| row["run"].as_str().unwrap()).collect();
    assert_eq!(runs, ["quickstart", "other"]);
}

#[test]
fn tables_bars_markdown_and_the_page_say_the_same() {
    let shown = printed(&["quickstart"]);
    assert!(shown.contains('█'), "{shown}");
    assert_eq!(shown, printed(&["quickstart"]));
    let markdown = printed(&["quickstart", "--markdown"]);
    let page = printed(&["quickstart", "--html", "-"]);
    for row in object(&["quickstart"])["rows"].as_array().unwrap() {
        let parts = row["actions"].as_object().unwrap().values();
        let counts = parts.map(|part| part["n"].as_u64().unwrap()).filter(|count| *count > 0);
        let figures = counts.map(|count| count.to_string());
        for figure in figures.chain([row["cell"].as_str().unwrap().to_owned()]) {
            for form in [&shown, &markdown, &page] {
                assert!(form.contains(&figure), "{figure} in\n{form}");
            }
        }
    }
    for part in ["actions", "invalid", "categories", "acts", "turns", "questions", "saved"] {
        let alone = printed(&["quickstart", "--only", part]);
        assert!(alone.contains("respact-helpful"), "{part}: {alone}");
    }
    let file = at().join("figures.html");
    printed(&["quickstart", "--html", file.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&file).unwrap(), page);
    for part in ["id=\"actions\"", "id=\"invalid\"", "id=\"categories\"", "id=\"acts\"", "<svg", "default-src 'none'"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script"));
}

#[test]
fn what_cannot_be_analysed_is_told() {
    let error = refused(&["quickstart:respact"]);
    assert!(error.contains("has no cell `respact`") && error.contains("respact-helpful"), "{error}");
    let error = refused(&["nowhere"]);
    assert!(error.contains("quickstart"), "{error}");
    let error = refused(&["quickstart", "./logs/quickstart"]);
    assert!(error.contains("hold the same episodes"), "{error}");
    let error = refused(&["quickstart", "--labels", "anna"]);
    assert!(error.contains("holds no labels of a rater `anna`"), "{error}");
    // Of a judge whose answers could not be read there is a file without labels.
    let labels = at().join("logs/quickstart/labels");
    std::fs::create_dir_all(&labels).unwrap();
    std::fs::write(labels.join("categories-dumb.jsonl"), "").unwrap();
    let error = refused(&["quickstart", "--labels", "dumb"]);
    assert!(error.contains("`dumb` has labelled nothing"), "{error}");
    let output = rolecall(at(), &["analyse", "quickstart", "--only", "acts,cats"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it is none of actions, invalid"), "{output:?}");
}

#[test]
fn turns_of_a_conversation_are_counted_as_its_metric_counts_them() {
    let folder = folder();
    for (config, sets) in [("counsel", "user.replies=2"), ("tutor", "user.tries=5")] {
        let file = format!("configs/dialogue/{config}.toml");
        let arguments = ["run", &file, "--limit", "12", "--name", config, "-q", "--no-report", "--set", sets];
        ends(folder.path(), &arguments, 0);
        let json = |command: &str| -> Value {
            let output = ends(folder.path(), &[command, config, "--json"], 0);
            serde_json::from_slice(&output.stdout).unwrap()
        };
        let (analysed, reported) = (json("analyse"), json("report"));
        let turns = analysed["rows"][0]["turns"]["turns"]["mean"].as_f64().unwrap();
        let metric = reported["metrics"]["dialogue_turns"].as_f64();
        let metric = metric.or(reported["cells"][0]["metrics"]["dialogue_turns"].as_f64()).unwrap();
        assert!(turns > 1.0 && (turns - metric).abs() < 1e-9, "{config}: {turns} {metric}");
    }
}
