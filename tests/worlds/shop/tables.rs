//! The papers' tables, played by rules, and what is shown and analysed of their sessions.

use std::path::Path;

use serde_json::Value;

use crate::support::binary::{rolecall, text};

/// Gives a command in a folder, which must succeed, and what it prints.
fn given(folder: &Path, arguments: &[&str]) -> String {
    let output = rolecall(folder, arguments).output().unwrap();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {out}{errors}");
    out
}

/// Plays a few tasks of a table.
fn reproduced(folder: &Path, name: &str) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = root.join(format!("configs/papers/{name}.toml"));
    let arguments = ["reproduce", config.to_str().unwrap(), "--limit", "3", "--quiet", "--json"];
    serde_json::from_str(&given(folder, &arguments)).unwrap()
}

#[test]
fn a_table_is_played_by_rules_and_its_sessions_are_staged_and_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let table = reproduced(folder, "chatshop-table3");
    assert_eq!(table["rows"][0]["figures"][0]["published"], "59");
    assert_eq!(table["rows"][0]["figures"][1]["ours"]["n"], 3);
    // People do not play here.
    assert_eq!(table["rows"][1]["figures"][1]["published"], "63.4");
    assert_eq!(table["rows"][1]["figures"][1]["ours"], Value::Null);

    let run = "logs/chatshop-table3";
    let shown = given(folder, &["show", run, "simulated-acts:0:0", "--no-pager"]);
    for part in ["What the shopper wants", "attributes:", "20 products"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let whole = given(folder, &["show", run, "simulated-acts:0:0", "--no-pager", "--private"]);
    assert!(!whole.is_empty() && !whole.contains("What the shopper wants"), "{whole}");
    let page = given(folder, &["report", run, "--html", "-"]);
    assert!(page.contains("What the shopper wants"));

    let found = given(folder, &["analyse", run, "--only", "errors,behaviours,categories", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    let said = &found["rows"][0]["behaviours"];
    assert_eq!(said["behaviours"]["implicit needs"], said["utterances"], "{found}");
    let results = given(folder, &["show", run, "--json"]);
    let first: Value = serde_json::from_str(results.lines().next().unwrap()).unwrap();
    for metric in ["r_type", "r_att", "searches", "questions_left", "answer_words", "leaks", "satisfaction"] {
        assert!(first["measures"][metric].is_number() || first["measures"][metric].is_object(), "{metric}: {first}");
    }
}

#[test]
fn the_tables_of_webshop_and_of_strategies_are_played_by_rules() {
    let folder = tempfile::tempdir().unwrap();
    let respact = reproduced(folder.path(), "respact-table3");
    assert_eq!(respact["rows"][3]["figures"][0]["published"], "85.8");
    assert_eq!(respact["rows"][1]["figures"][1]["ours"]["n"], 3);
    let strategies = reproduced(folder.path(), "chatshop-table2");
    let rows = strategies["rows"].as_array().unwrap();
    let ours = rows.iter().map(|row| row["figures"][0]["ours"]["value"].as_f64().unwrap());
    let ours: Vec<f64> = ours.collect();
    assert!(ours[0] < ours[1], "asking is worth something: {ours:?}");
}
