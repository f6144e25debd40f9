//! `rolecall reproduce`: the table of a paper, filled in by a run.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::binary::{rolecall, text};
use serde_json::Value;

/// Two casts and two splits over a few games, and a row that nothing here can fill.
const CONFIG: &str = r#"# A tiny table: asking and not asking.
name = "tiny"
tasks = { limit = 4 }
repeats = 2
run = { concurrency = 4, arbiters = 2 }
environment = { name = "household", data = "builtin" }
strategy = { name = "react" }
roles.executor.implementation = "rules"
limits.steps = 30

[matrix.method]
react = {}
respact = { strategy.name = "respact", user.kind = "helpful" }
[matrix.prompt]
p0 = { roles.executor.permutation = 0 }
p1 = { roles.executor.permutation = 1, limits.steps = 1 }
[matrix.split]
seen = { environment = { split = "seen", games = 3 } }
unseen = { environment.split = "unseen" }

[table]
title = "Success in %"
paper = "Paper, Table 0"
notes = ["The games are few."]
by_rules = ["Rules played all."]

[[table.columns]]
name = "Seen"
cells = "*-seen"
[[table.columns]]
name = "Steps"
metric = "steps"
lower_is_better = true
[[table.columns]]
name = "Solved"
figure = "count"
[[table.columns]]
name = "All"

[[table.rows]]
label = "Ask"
model = "GPT-0"
published = [101, 7.5, "134/134", "<0.1"]
cells = "respact-p0-*"
take = "repeats"
[[table.rows]]
label = "Ask (best)"
published = ["-", "-", "-", 1]
cells = ["respact-*"]
take = "best"
[[table.rows]]
label = "Act"
published = [1, 2, "3/134", 4]
deviation = [0.5, 1, 2, 3]
cells = "react-p0-*"
[[table.rows]]
label = "Hopeless"
cells = "react-p1-*"
[[table.rows]]
label = "Trained"
published = [90, 91, "92/100", 93]

[[table.order]]
better = "Ask"
worse = "Act"
column = "Steps"
[[table.order]]
better = "Act"
worse = "Hopeless"
[[table.order]]
better = "Hopeless"
worse = "Ask"
otherwise = "one step is too few"
by_rules = "rules need two"
[[table.order]]
better = "Ask"
worse = "Trained"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let papers = folder.path().join("configs/papers");
    fs::create_dir_all(&papers).unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    fs::write(papers.join("none-tiny.toml"), CONFIG).unwrap();
    folder
}

fn reproduce(folder: &Path, arguments: &[&str]) -> Output {
    let arguments = [&["reproduce", "--quiet"], arguments].concat();
    rolecall(folder, &arguments).output().unwrap()
}

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = reproduce(folder, arguments);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    text(&output.stdout)
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = reproduce(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    text(&output.stderr)
}

/// Our figure of a row and a column.
fn ours(table: &Value, row: usize, column: usize) -> &Value {
    &table["rows"][row]["figures"][column]["ours"]
}

#[test]
fn ours_stand_beside_the_published_figures() {
    let folder = folder();
    let made = printed(folder.path(), &["none-tiny", "--json"]);
    let table: Value = serde_json::from_str(&made).unwrap();
    // Three games and four, twice.
    let ask = ours(&table, 0, 3);
    assert_eq!((&ask["value"], &ask["n"]), (&100.0.into(), &14.into()));
    assert_eq!((&ask["deviation"], &ask["outside"]), (&0.0.into(), &true.into()));
    assert_eq!(ask["text"], "100.0 ± 0.0");
    let seen = ours(&table, 0, 0);
    assert_eq!((&seen["n"], &seen["difference"]), (&6.into(), &(-1.0).into()));
    assert_eq!(ours(&table, 0, 2)["text"], "14/14");
    assert_eq!(ours(&table, 0, 2)["difference"], 0.0);
    // The better of two prompts, of which the other allows for one step.
    assert_eq!(ours(&table, 1, 3)["value"], 100.0);
    assert!(table["rows"][1]["source"].as_str().unwrap().ends_with("respact-p0-seen"));
    assert_eq!(table["rows"][2]["figures"][0]["published"], "1 ± 0.5");
    assert_eq!(ours(&table, 3, 3)["value"], 0.0);
    assert_eq!(ours(&table, 4, 0), &Value::Null);
    let holds: Vec<&Value> = table["orders"].as_array().unwrap().iter().map(|order| &order["holds"]).collect();
    assert_eq!(holds, [&true.into(), &true.into(), &false.into(), &Value::Null]);
    // However it came out, an order has n, the difference and its interval.
    for order in table["orders"].as_array().unwrap() {
        let known = !order["holds"].is_null();
        assert_eq!(order["n"].is_array() && order["difference"].is_f64(), known, "{order}");
        if let Some(low) = order["interval"][0].as_f64() {
            let (high, at) = (order["interval"][1].as_f64().unwrap(), order["difference"].as_f64().unwrap());
            assert!(low < high && low <= at && at <= high, "{order}");
        }
    }
    let steps = &table["orders"][0];
    let (asked, acted) = (ours(&table, 0, 1), ours(&table, 2, 1));
    let expected = asked["value"].as_f64().unwrap() - acted["value"].as_f64().unwrap();
    assert!((steps["difference"].as_f64().unwrap() - expected).abs() < 1e-9, "{steps}");
    assert!(steps["interval"][1].as_f64().unwrap() < 0.0, "{steps}");
    // One step each: that all are alike is no interval.
    assert_eq!(ours(&table, 3, 1)["value"], 1.0);
    assert_eq!(ours(&table, 3, 1)["interval"], Value::Null);
    let seats = table["seats"].to_string();
    assert!(seats.contains("rules") && seats.contains("helpful"), "{seats}");

    told_again(&folder, &made);
}

/// The same again, from the log, as a table and in files.
fn told_again(folder: &tempfile::TempDir, made: &str) {
    let run = folder.path().join("logs/tiny");
    let shown = printed(folder.path(), &["--run", "tiny"]);
    for part in [
        "Paper, Table 0",
        "Success in %",
        "100.0 ± 0.0*",
        "difference -100.0",
        "rules need two",
        "one step is too few",
        "The games are few.",
        "Rules played all.",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    let markdown = printed(folder.path(), &["--run", "tiny", "--markdown"]);
    let written = fs::read_to_string(run.join("reproduction.md")).unwrap();
    assert_eq!(markdown, written);
    let page = fs::read_to_string(run.join("reproduction.html")).unwrap();
    assert!(page.contains("100.0 ± 0.0*") && !page.contains("<script"));
    let again = printed(folder.path(), &["--run", "tiny", "--json"]);
    assert_eq!(again, made);
}

#[test]
fn an_unfinished_run_goes_on_first() {
    let folder = folder();
    let made = printed(folder.path(), &["tiny", "--json", "--seed", "3", "--limit", "2"]);
    let run = folder.path().join("logs/tiny");
    for (name, share) in [("events.jsonl", 2), ("results.jsonl", 3)] {
        let content = fs::read(run.join(name)).unwrap();
        fs::write(run.join(name), &content[..content.len() / share]).unwrap();
    }
    // As after a machine that failed.
    fs::write(run.join("running"), "123\nanother start\n").unwrap();
    fs::remove_file(run.join("events.index")).unwrap();
    let again = printed(folder.path(), &["--run", "tiny", "--json", "--concurrency", "2"]);
    assert_eq!(again, made);
    // Once it is over, the texts around a table may be changed, what is played may not.
    let config = folder.path().join("configs/papers/none-tiny.toml");
    fs::write(&config, CONFIG.replace("are few", "are very few")).unwrap();
    assert!(printed(folder.path(), &["--run", "tiny"]).contains("are very few"));
    let results = fs::read(run.join("results.jsonl")).unwrap();
    fs::write(run.join("results.jsonl"), &results[..results.len() / 2]).unwrap();
    let changed = refused(folder.path(), &["--run", "tiny"]);
    assert!(changed.contains("not the one that was begun"), "{changed}");
}

#[test]
fn tables_are_listed_and_found_from_the_working_folder_upwards() {
    let folder = folder();
    let below = folder.path().join("below");
    let listed = printed(&below, &[]);
    let words: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(words.iter().any(|line| line.first() == Some(&"none-tiny")), "{listed}");
    // The shipped ones are there too.
    assert!(words.iter().any(|line| line[0] == "respact-table6"), "{listed}");
    let unknown = refused(&below, &["none-tyni"]);
    assert!(unknown.contains("there is no table `none-tyni` (did you mean `none-tiny`?)"), "{unknown}");
    let second = folder.path().join("configs/papers/other-tiny.toml");
    fs::write(second, CONFIG).unwrap();
    let either = refused(&below, &["tiny"]);
    assert!(either.contains("`tiny` may be any of none-tiny, other-tiny"), "{either}");
    let lost = refused(Path::new("/"), &["none-tiny"]);
    assert!(lost.contains("there is no table `none-tiny`"), "{lost}");
    fs::write(below.join("plain.toml"), CONFIG.split("[table]").next().unwrap()).unwrap();
    let plain = refused(&below, &["plain.toml"]);
    assert!(plain.contains("has no `[table]`"), "{plain}");
}

#[test]
fn what_makes_no_sense_in_a_table_is_said_by_check() {
    let folder = folder();
    let cases = [
        ("cells = \"react-p0-*\"", "cells = \"raect-*\"", "`table.rows.2.cells` names `raect-*`, which is no cell"),
        ("metric = \"steps\"", "metric = \"stpes\"", "is `stpes`, which is no metric (did you mean `steps`?)"),
        ("published = [90, 91, \"92/100\", 93]", "published = [90]", "has 1 figures for 4 columns"),
        ("\"92/100\"", "\"92/\"", "must hold numbers, or texts"),
        ("label = \"Trained\"", "label = \"Ask\"", "has two rows that are called `Ask`"),
        ("take = \"best\"", "take = \"bets\"", "is `bets` (did you mean `best`?)"),
        ("worse = \"Trained\"", "worse = \"Train\"", "`table.order.3.worse` is `Train`"),
        ("column = \"Steps\"", "column = \"None\"", "`table.order.0.column` is `None`"),
        ("paper = \"Paper, Table 0\"", "", "`table.paper` is missing"),
        ("figure = \"count\"", "figures = \"count\"", "`table.columns.2.figures` is unknown"),
        ("cells = \"*-seen\"", "cells = \"respact-p1-*\"", "has no cell for the row `Ask` in the column `Seen`"),
    ];
    refused_by_check(folder.path(), &cases);
}

#[test]
fn a_table_that_contradicts_itself_is_refused_by_check() {
    let folder = folder();
    let cases = [
        ("model = \"GPT-0\"", "missing = 1", "`table.rows.0.missing` is"),
        (
            "published = [90, 91, \"92/100\", 93]",
            "missing = \"needs a server\"",
            "`table.rows.4.missing` is for a row that names cells",
        ),
        ("worse = \"Trained\"", "worse = \"Ask\"", "`table.order.3.worse` is the row that is called the better one"),
        ("name = \"Steps\"", "name = \"Seen\"", "has two columns that are called `Seen`"),
        (
            "published = [90, 91, \"92/100\", 93]",
            "deviation = [1, \"-\", 1, -1]",
            "must be a number, 0 or more, for each column",
        ),
    ];
    refused_by_check(folder.path(), &cases);
    let (before, _) = CONFIG.split_once("[table]").unwrap();
    let empty = "[table]\ntitle = \"T\"\npaper = \"P\"\ncolumns = []\nrows = []\n";
    let told = refused_config(folder.path(), &format!("{before}{empty}"));
    for key in ["columns", "rows"] {
        assert!(told.contains(&format!("`table.{key}` is empty")), "{told}");
    }
}

/// Puts one part of the config for another, and looks for what `check` says of it.
fn refused_by_check(folder: &Path, cases: &[(&str, &str, &str)]) {
    for (part, other, expected) in cases {
        assert!(CONFIG.contains(part), "{part}");
        let told = refused_config(folder, &CONFIG.replacen(part, other, 1));
        assert!(told.contains(expected), "{expected}\n{told}");
    }
}

fn refused_config(folder: &Path, config: &str) -> String {
    fs::write(folder.join("wrong.toml"), config).unwrap();
    let output = rolecall(folder, &["check", "wrong.toml"]).output().unwrap();
    text(&output.stderr)
}

#[test]
fn a_column_that_nothing_played_fills_is_told() {
    let folder = folder();
    let config = CONFIG.replacen("name = \"All\"", "name = \"All\"\nkind = \"none\"", 1);
    fs::write(folder.path().join("kind.toml"), config).unwrap();
    let told = printed(folder.path(), &["kind.toml"]);
    assert!(told.contains("for: All"), "{told}");
}

/// A model may be told of what rules cannot do, but no table explains its figures with it.
#[test]
fn what_is_said_of_players_by_rules_is_said_of_nobody_else() {
    let folder = folder();
    let script = r#"{"moves": [{"kind": "act", "action": {"text": "look"}}]}"#;
    fs::write(folder.path().join("moves.jsonl"), script).unwrap();
    let executor = "roles.executor = { implementation = \"scripted\", file = \"moves.jsonl\" }";
    let config = CONFIG.replace("roles.executor.permutation = 1", executor);
    fs::write(folder.path().join("mixed.toml"), config).unwrap();
    let output = reproduce(folder.path(), &["mixed.toml"]);
    let told = text(&output.stdout);
    assert!(told.contains("one step is too few"), "{told}{}", text(&output.stderr));
    assert!(!told.contains("rules need two") && !told.contains("Rules played all."), "{told}");
}

#[test]
fn a_row_may_be_without_its_cells_and_says_why() {
    let folder = folder();
    let row = "published = [90, 91, \"92/100\", 93]\ncells = \"more-*\"\nmissing = \"needs a server\"";
    let config = CONFIG.replace("published = [90, 91, \"92/100\", 93]", row);
    fs::write(folder.path().join("some.toml"), config).unwrap();
    let told = printed(folder.path(), &["some.toml", "--limit", "1"]);
    assert!(told.contains("needs a server"), "{told}");
    assert!(told.contains("is not played"), "{told}");
    let more = "matrix.method.more={strategy={name=\"respact\"},user={kind=\"helpful\"}}";
    let arguments = ["some.toml", "--limit", "1", "--logs", "elsewhere", "--set", more];
    let told = printed(folder.path(), &arguments);
    assert!(folder.path().join("elsewhere/tiny/run.toml").is_file());
    assert!(!told.contains("needs a server") && !told.contains("is not played"), "{told}");
}

#[test]
fn cells_of_different_sizes_are_compared_branched_and_played_again() {
    let folder = folder();
    printed(folder.path(), &["tiny"]);
    let told = |arguments: &[&str]| {
        let output = rolecall(folder.path(), arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    // Each with the first that played the same games: seen with seen, unseen with unseen.
    let compared = told(&["compare", "tiny", "--json"]);
    let compared: Value = serde_json::from_str(&compared).unwrap();
    let pairs = compared.to_string();
    for pair in ["react-p0-unseen", "respact-p1-seen", "respact-p1-unseen"] {
        assert!(pairs.contains(pair), "{pair}\n{pairs}");
    }
    told(&["replay", "tiny"]);
    told(&["logs", "verify", "tiny"]);
    let branch = ["branch", "tiny", "respact-p0-unseen:3:1", "--at", "last", "--quiet"];
    told(&branch);
    let missing = ["branch", "tiny", "respact-p0-seen:3:1", "--at", "last"];
    let missing = rolecall(folder.path(), &missing).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn every_table_that_comes_with_the_program_can_be_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let logs = tempfile::tempdir().unwrap();
    let logs = format!("run.logs={}", logs.path().display());
    let mut tables = 0;
    for entry in fs::read_dir(root.join("configs/papers")).unwrap() {
        let config = entry.unwrap().path();
        let config = config.to_str().unwrap();
        let few = ["--limit", "2", "--json", "--set", "repeats=2", "--set", &logs];
        let made = printed(root, &[&[config], &few[..]].concat());
        let table: Value = serde_json::from_str(&made).unwrap();
        let rows = table["rows"].as_array().unwrap();
        // What models cost and what people think is not played.
        let others = ["tpe-table8.toml", "tpe-table9.toml"];
        let told = others.iter().any(|name| config.ends_with(name));
        let filled = rows.iter().filter(|row| !told && !row["source"].is_null());
        for row in filled {
            let figures = row["figures"].as_array().unwrap();
            let any = figures.iter().any(|figure| !figure["ours"].is_null());
            assert!(any, "{config}: {row}");
        }
        tables += 1;
    }
    assert!(tables >= 20, "{tables} tables");
}
