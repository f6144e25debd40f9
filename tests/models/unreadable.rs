//! Answers of models that could not be read, by seat, in whatever shows the figures of a run.

use std::fs;
use std::path::Path;

use crate::support::binary::{rolecall, text};
use serde_json::Value;

const MODEL: &str = r#"
[cache]
mode = "off"
[models.agent]
provider = "scripted"
script = "replies.jsonl"
capabilities = { json_schema = true }
"#;

/// The second answer is read when it is asked for again; the third one never, in either attempt.
const HOUSEHOLD: (&str, &str) = (
    r#"name = "r"
strategy.name = "react"
environment = { name = "household", data = "builtin" }
tasks.limit = 1
limits = { attempts = 2, steps = 9 }
[roles.executor]
implementation = "model"
persona = "react/executor"
model = "agent"
moves = "json"
"#,
    r#"{"seat": "executor", "text": "{\"kind\": \"act\", \"command\": \"look\"}"}
{"seat": "executor", "text": "{}"}
{"seat": "executor", "again": true, "text": "{\"kind\": \"think\", \"text\": \"hm\"}"}
{"seat": "executor", "text": "{}"}
{"seat": "executor", "again": true, "text": "{}"}
"#,
);

/// The sample is never answered so that it could be read, which counts as an empty response.
const DIALOGUE: (&str, &str) = (
    r#"name = "r"
strategy = { name = "tpe", cast = ["thinker", "executor"] }
environment = { name = "dialogue", data = "builtin", dataset = "cima" }
tasks.limit = 1
[roles.thinker]
implementation = "rules"
[roles.executor]
implementation = "model"
persona = "tpe/executor"
model = "agent"
shots = 0
"#,
    r#"{"seat": "executor", "text": " "}
{"seat": "executor", "again": true, "text": "```"}
"#,
);

fn made(folder: &Path, (config, replies): (&str, &str)) {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    let config = format!("agents = {agents:?}\n{config}{MODEL}");
    fs::write(folder.join("r.toml"), config).unwrap();
    fs::write(folder.join("replies.jsonl"), replies).unwrap();
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = rolecall(folder, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?} {output:?}");
    text(&output.stdout)
}

/// The row of a seat in the table of answers, as words.
fn row(printed: &str, seat: &str) -> Vec<String> {
    let mut lines = printed.lines();
    lines.find(|line| line.starts_with("Answers of models"));
    let row = lines.find(|line| line.split_whitespace().any(|word| word == seat));
    let row = row.unwrap_or_else(|| panic!("{printed}"));
    row.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_rate_of_unreadable_answers_is_told_by_seat_in_every_environment() {
    // Answers, those that could not be read, and how often the seat was asked again.
    for (config, unreadable, answers, again) in [(HOUSEHOLD, 5, 7, 4), (DIALOGUE, 2, 2, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        made(folder, config);
        let printed = said(folder, &["run", "r.toml"]);
        let found = row(&printed, "executor");
        assert_eq!([&found[2], &found[5]], [&answers.to_string(), &unreadable.to_string()], "{printed}");
        assert!(
            printed
                .contains(&format!("{:.0} % of the answers of `executor`", 100.0 * unreadable as f64 / answers as f64))
        );
        // Roles by rules have no such figures.
        assert!(!printed.contains("thinker "), "{printed}");
        let object: Value = serde_json::from_str(&said(folder, &["report", "r", "--json"])).unwrap();
        let share = &object["cells"][0]["shares"]["unreadable.executor"];
        assert_eq!((&share["hits"], &share["n"]), (&unreadable.into(), &answers.into()));
        assert_eq!(object["metrics"]["retries.executor"].as_f64(), Some(f64::from(again)));
        let rate = object["metrics"]["unreadable"].as_f64().unwrap();
        assert!((rate - unreadable as f64 / answers as f64).abs() < 1e-12);
        assert!(object["intervals"]["unreadable.executor"][0].is_f64());
        for file in ["report.md", "report.html"] {
            let page = fs::read_to_string(folder.join("logs/r").join(file)).unwrap();
            assert!(page.contains("executor"), "{file}");
        }
        // The log says it, and gives it again.
        said(folder, &["replay", "r"]);
        said(folder, &["logs", "verify", "r"]);
    }
}
