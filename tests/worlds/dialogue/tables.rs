//! The tables of dialogue tasks as they are made in a shell: played, analysed, rated by people, and filled in.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::support::binary::{rolecall, text};
use crate::support::played::{ends, folder};
use serde_json::Value;
use tempfile::TempDir;

/// Two methods on a few built-in samples of tutoring.
const CONFIG: &str = r#"# A tiny table.
name = "tiny"
seed = 1
environment = { name = "dialogue", data = "builtin", dataset = "cima", references = "all" }
tasks = { limit = 6 }

[matrix.method]
react = { strategy.name = "react", roles.executor.persona = "react-dialogue/executor" }
tpe = { strategy = { name = "tpe", cast = ["thinker", "executor"] } }

[table]
title = "t"
paper = "P"
columns = [
    { name = "All", metric = "sacrebleu", figure = "corpus", scale = 100 },
    { name = "Mean", metric = "f1", scale = 100 },
    { name = "Others", figure = "published" },
    { name = "Hint", figure = "combination", combination = "Hint" },
    { name = "Rest", figure = "combination", combination = "rest" },
    { name = "Rated", figure = "rating", rating = "scale:1-5:quality" },
]

[[table.rows]]
label = "people"
cells = "tpe"
take = "annotated"
[[table.rows]]
label = "TPE"
published = [1, 2, 3, 4, 5, 3.5]
cells = "tpe"
"#;

/// The run, played once for all tests.
static RUN: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = folder();
    fs::write(folder.path().join("tiny.toml"), CONFIG).unwrap();
    let arguments = ["reproduce", "tiny.toml", "--name", "tiny", "-q"];
    ends(folder.path(), &arguments, 0);
    folder
});

fn at() -> &'static Path {
    RUN.path()
}

fn printed(arguments: &[&str]) -> String {
    text(&ends(at(), arguments, 0).stdout)
}

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// Our figure of a row and a column.
fn ours(table: &Value, row: usize, column: usize) -> &Value {
    &table["rows"][row]["figures"][column]["ours"]
}

#[test]
fn columns_of_responses_strategies_and_ratings_are_filled_in() {
    let table = object(&["reproduce", "--run", "tiny", "--json"]);
    let analysed = object(&["analyse", "tiny:tpe", "--json", "--only", "responses,strategies"]);
    let own = &analysed["rows"][0];
    let pooled = own["responses"]["cima"]["pooled"]["sacrebleu"].as_f64().unwrap();
    let found = ours(&table, 1, 0)["value"].as_f64().unwrap();
    assert!((found - pooled * 100.0).abs() < 1e-9, "{found} {pooled}");
    assert_eq!(ours(&table, 1, 0)["interval"], Value::Null);
    let mean = own["responses"]["cima"]["mean"]["f1"].as_f64().unwrap();
    let found = ours(&table, 1, 1)["value"].as_f64().unwrap();
    assert!((found - mean * 100.0).abs() < 1e-9, "{found} {mean}");
    // A published figure stands alone, and what people saw has no response.
    assert_eq!(ours(&table, 1, 2), &Value::Null);
    assert_eq!(table["rows"][1]["figures"][2]["published"], "3");
    assert_eq!(ours(&table, 0, 0), &Value::Null);
    // Everything is one of the combinations, for plans and for annotations of each reference.
    let annotated = own["strategies"]["cima"]["annotated"]["responses"].as_u64();
    for (row, n) in [(0, annotated), (1, Some(6))] {
        assert_eq!(ours(&table, row, 3)["n"].as_u64(), n);
        let shares = [3, 4].map(|column| ours(&table, row, column)["value"].as_f64().unwrap());
        assert!((shares[0] + shares[1] - 100.0).abs() < 1e-9, "{shares:?}");
    }
    let notes = table["notes"].to_string();
    assert!(notes.contains("nrefs:"), "{notes}");
    assert!(notes.contains("f1|tok:squad"), "{notes}");
}

/// On all built-in samples, played by rules.
#[test]
fn an_order_that_does_not_come_out_says_why() {
    for (name, orders) in [("tpe-table1", 8), ("tpe-table2", 3), ("tpe-fig4", 2), ("tpe-table10", 6)] {
        let folder = folder();
        let output = ends(folder.path(), &["reproduce", name, "--json", "-q"], 0);
        let table: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = table["orders"].as_array().unwrap();
        assert_eq!(found.len(), orders);
        for order in found {
            let says = order["holds"] == true || order["otherwise"].is_string();
            assert!(says, "{name}: {order}");
        }
    }
}

#[test]
fn people_rate_responses_without_knowing_the_method() {
    let what = "scale:1-5:quality";
    let export = ["rate", "export", "tiny", "--what", what, "--items", "responses", "--raters", "2", "--out", "sheets"];
    ends(at(), &export, 0);
    let sheet = fs::read_to_string(at().join("sheets/rater-1.csv")).unwrap();
    assert!(sheet.contains("User: "), "{sheet}");
    for word in ["tpe", "react", "thinker", "Action: ", "main"] {
        assert!(!sheet.contains(word), "{word}: {sheet}");
    }
    let instructions = fs::read_to_string(at().join("sheets/instructions.md")).unwrap();
    assert!(!instructions.is_empty());
    // One gives a four to all, the other a five.
    for (rater, point) in [("1", "4"), ("2", "5")] {
        let file = at().join(format!("sheets/rater-{rater}.csv"));
        fill(&file, point);
        let sheet = file.to_str().unwrap();
        let name = format!("rater-{rater}");
        ends(at(), &["rate", "import", "tiny", "--rater", &name, sheet], 0);
    }
    let table = object(&["reproduce", "--run", "tiny", "--json"]);
    let rated = ours(&table, 1, 5);
    assert_eq!((&rated["value"], &rated["n"]), (&4.5.into(), &12.into()));
    assert_eq!(rated["difference"], 1.0);
    let notes = table["notes"].to_string();
    assert!(notes.contains("rater-1") && notes.contains("rater-2"), "{notes}");
    let agreement = printed(&["rate", "agreement", "tiny", "--what", what]);
    assert!(agreement.contains("rater-1"), "{agreement}");
}

/// Writes a label into every row of a sheet.
fn fill(file: &Path, label: &str) {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let head = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let mut writer = csv::Writer::from_path(file).unwrap();
    writer.write_record(&head).unwrap();
    for row in rows {
        let mut fields: Vec<&str> = row.iter().collect();
        fields[3] = label;
        writer.write_record(fields).unwrap();
    }
    writer.flush().unwrap();
}

#[test]
fn what_there_is_not_is_refused_before_anything_is_played() {
    let refused = |old: &str, new: &str| {
        fs::write(at().join("wrong.toml"), CONFIG.replace(old, new)).unwrap();
        let output = rolecall(at(), &["reproduce", "wrong.toml", "--name", "wrong"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!at().join("logs/wrong").exists());
        text(&output.stderr)
    };
    let told = refused("metric = \"sacrebleu\"", "metric = \"f1\"");
    assert!(told.contains("`f1` has no value of all responses together"), "{told}");
    let told = refused("scale:1-5:quality", "categories");
    assert!(told.contains("`categories` is no scale"), "{told}");
    let told = refused("figure = \"published\"", "figure = \"combination\"");
    assert!(told.contains("`figure = \"combination\"` needs a text"), "{told}");
    let told = refused("figure = \"published\"", "rating = \"scale:1-5\"");
    assert!(told.contains("is for `figure = \"rating\"` only"), "{told}");
}
