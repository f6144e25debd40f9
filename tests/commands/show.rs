//! `rolecall show`: filters, JSON lines, finding a run.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use crate::support::binary::text;
use crate::support::made_up::{RECORD, append, folder, show, stories};
use crate::support::synthetic::Story;
use serde_json::Value;

/// The episodes that a list names, in its order.
fn listed(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = show(folder, &[&["r"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let list = text(&output.stdout);
    let names = list.lines().filter_map(|line| line.split(' ').next());
    names.filter(|name| name.contains(':')).map(str::to_owned).collect()
}

/// Options, and the episodes that they leave.
const CHOICES: [(&[&str], &[&str]); 14] = [
    (&["--failed"], &["react:1:0", "respact:1:0", "respact:2:0"]),
    (&["--broken"], &["react:2:0"]),
    (&["--task-type", "heat"], &["react:1:0", "respact:1:0"]),
    (&["--cell", "respact", "--failed"], &["respact:1:0", "respact:2:0"]),
    (&["--user", "helpful", "--ending", "solved"], &["respact:0:0"]),
    (&["--ending", "out-of-steps"], &["react:1:0", "respact:1:0"]),
    (&["--ending", "out of steps", "--ending", "user-left", "--cell", "respact"], &["respact:1:0", "respact:2:0"]),
    (&["--sort", "steps", "-n", "2"], &["react:1:0", "respact:1:0"]),
    (&["--sort", "questions", "-n", "2"], &["respact:1:0", "respact:0:0"]),
    (&["--sort", "invalid", "--limit", "1"], &["respact:1:0"]),
    (&["--sort", "reward", "--reverse", "-n", "1"], &["respact:2:0"]),
    (&["--reverse", "-n", "1"], &["respact:2:0"]),
    (&["--limit", "1", "--ending", "broken"], &["react:2:0"]),
    (&["--cell", "react", "--cell", "respact", "--task-type", "put", "--ending", "broken"], &["react:2:0"]),
];

#[test]
fn episodes_are_chosen_by_what_became_of_them() {
    let folder = folder();
    for (arguments, expected) in CHOICES {
        assert_eq!(listed(folder.path(), arguments), expected, "{arguments:?}");
    }
    let all = listed(folder.path(), &[]);
    assert_eq!(all.len(), 6);
    let none = show(folder.path(), &["r", "--cell", "react", "--user", "helpful"]);
    assert_eq!((none.status.code(), text(&none.stdout).as_str()), (Some(0), ""));
    assert!(text(&none.stderr).contains('6'), "{none:?}");
}

#[test]
fn words_that_nothing_has_are_refused_with_those_there_are() {
    let folder = folder();
    let cases: [(&[&str], &str); 9] = [
        (&["r", "--task-type", "heet"], "(did you mean `heat`?); there is `heat`, `put`"),
        (&["r", "--cell", "main"], "the cell `main`; there is `react`, `respact`"),
        (&["r", "--user", "x"], "there is `helpful`"),
        (
            &["r", "respact:0:0", "--seat", "usr"],
            "no seat `usr` (did you mean `user`?); there is `executor`, `user`, `environment`, `conductor`",
        ),
        (&["r", "--kind", "thnk"], "a similar value exists: 'think'"),
        (&["r", "--ending", "out-of-step"], "'out-of-steps'"),
        (&["r", "--sort", "sreps"], "steps"),
        (&["r", "react:0:0", "--failed"], "cannot be used with"),
        (&["r", "--failed", "--broken"], "cannot be used with"),
    ];
    for (arguments, expected) in cases {
        let output = show(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
}

#[test]
fn events_are_chosen_by_seat_and_kind() {
    let folder = folder();
    let shown = |arguments: &[&str]| text(&show(folder.path(), arguments).stdout);
    let dialogue = shown(&["r", "respact:0:0", "--kind", "speak", "--kind", "replied"]);
    assert_eq!(dialogue.matches("Where is the mug?").count(), 2, "{dialogue}");
    assert_eq!(dialogue.matches("In drawer 1.").count(), 2);
    assert!(!dialogue.contains("go to drawer 1"), "{dialogue}");
    let second = |line: &str| line.split_whitespace().take(2).eq(["2", "executor"]);
    assert!(dialogue.lines().any(second), "steps keep their numbers: {dialogue}");
    let both = shown(&["r", "respact:0:0", "--kind", "replied", "--seat", "executor"]);
    assert!(!both.contains("drawer"), "{both}");
    // What is passed on as it was said is shown when it is asked for.
    let told = shown(&["r", "respact:0:0", "--kind", "told"]);
    assert_eq!(told.matches("Where is the mug?").count(), 2, "{told}");
    let hidden = shown(&["r", "respact:0:0", "--kind", "entrusted"]);
    assert!(!hidden.contains("SECRET") && hidden.contains("--private"), "{hidden}");
    let private = shown(&["r", "respact:0:0", "--kind", "private", "--private"]);
    assert!(private.contains("SECRET"), "{private}");
    let many = shown(&["r", "--failed", "--transcripts", "--cell", "respact"]);
    assert!(many.contains("respact:1:0") && many.contains("respact:2:0") && !many.contains("respact:0:0"), "{many}");
    // A choice of events asks for transcripts by itself.
    let speech = shown(&["r", "--kind", "speak"]);
    assert_eq!(speech.matches("Where is the mug?").count(), 7, "{speech}");
}

#[test]
fn json_lines_are_results_or_events() {
    let folder = folder();
    let values = |arguments: &[&str]| -> Vec<Value> {
        let output = show(folder.path(), &[&["r", "--json"], arguments].concat());
        let lines = text(&output.stdout);
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let results = values(&["--failed"]);
    let names: Vec<&Value> = results.iter().map(|result| &result["episode"]).collect();
    assert_eq!(names, ["react:1:0", "respact:1:0", "respact:2:0"]);
    assert_eq!(results[0]["counts"]["steps"], 10);
    let replies = values(&["--kind", "replied"]);
    assert_eq!(replies.len(), 7);
    assert_eq!(replies[0]["message"]["replied"]["text"], "In drawer 1.");
    let open = values(&["respact:0:0"]);
    let whole = values(&["respact:0:0", "--private"]);
    assert_eq!(whole.len(), open.len() + 1);
    assert!(whole.iter().zip(0..).all(|(event, seq)| event["seq"] == seq));
    let noted = show(folder.path(), &["r", "respact:0:0", "--json"]);
    assert!(text(&noted.stderr).contains("--private"), "{noted:?}");
    assert!(values(&["react:0:0", "--seat", "user"]).is_empty());
}

#[test]
fn the_list_is_that_of_the_events_when_the_results_are_missing_or_behind() {
    let folder = folder();
    let results = folder.path().join("logs/r/results.jsonl");
    let whole = fs::read_to_string(&results).unwrap();
    let expected = text(&show(folder.path(), &["r"]).stdout);
    let half: String = whole.split_inclusive('\n').take(3).collect();
    let twice = whole.clone() + &half;
    for stored in [half, "{}\n".repeat(6), twice, String::new()] {
        fs::write(&results, stored).unwrap();
        assert_eq!(text(&show(folder.path(), &["r"]).stdout), expected);
    }
    fs::remove_file(&results).unwrap();
    assert_eq!(text(&show(folder.path(), &["r"]).stdout), expected);
}

#[test]
fn runs_are_listed_newest_first_and_named_when_one_is_not_found() {
    let folder = folder();
    let logs = folder.path().join("logs");
    let begin = |name: &str, age: u64, stories: &[Story]| {
        let run = logs.join(name);
        fs::create_dir(&run).unwrap();
        let record = File::create(run.join("run.toml")).unwrap();
        (&record).write_all(RECORD.as_bytes()).unwrap();
        let now = record.metadata().unwrap().modified().unwrap();
        record.set_modified(now - Duration::from_secs(age)).unwrap();
        fs::write(run.join("events.jsonl"), "").unwrap();
        fs::write(run.join("results.jsonl"), "").unwrap();
        stories.iter().for_each(|story| append(&run, story));
    };
    begin("older", 7200, &stories()[..3]);
    begin("oldest", 86_400, &[]);
    fs::create_dir(logs.join("no-run")).unwrap();
    let list = show(folder.path(), &[]);
    let list = text(&list.stdout);
    let first = list.lines().filter_map(|line| line.split_whitespace().next());
    let named: Vec<&str> = first.filter(|name| ["r", "older", "oldest"].contains(name)).collect();
    assert_eq!(named, ["r", "older", "oldest"], "{list}");
    let json = text(&show(folder.path(), &["--json"]).stdout);
    let runs: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts = |run: &Value| {
        Value::from(["run", "episodes", "planned", "success", "state"].map(|key| run[key].clone()).to_vec())
    };
    assert_eq!(runs.len(), 3, "{json}");
    assert_eq!(facts(&runs[0]), serde_json::json!(["r", 6, 6, 0.4, "finished"]));
    assert_eq!(facts(&runs[1]), serde_json::json!(["older", 3, 6, 0.5, "interrupted"]));
    assert_eq!(facts(&runs[2]), serde_json::json!(["oldest", 0, 6, null, "interrupted"]));
    let limited = text(&show(folder.path(), &["--json", "--limit", "1"]).stdout);
    assert_eq!(limited.lines().count(), 1, "{limited}");
    let json = text(&show(folder.path(), &["--json", "-n", "1"]).stdout);
    let line: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&line["run"], &line["episodes"]), (&"r".into(), &6.into()));
    assert_eq!((&line["success"], &line["state"]), (&0.4.into(), &"finished".into()));
    // A folder that holds runs may be named as well.
    assert_eq!(text(&show(folder.path(), &["logs"]).stdout), list);
    let unknown = show(folder.path(), &["rr"]);
    assert_eq!(unknown.status.code(), Some(2));
    let complaint = text(&unknown.stderr);
    assert!(complaint.contains("there are `r`, `older`, `oldest`"), "{complaint}");
    assert_eq!(show(folder.path(), &["--failed"]).status.code(), Some(2));
    let empty = tempfile::tempdir().unwrap();
    let nothing = show(empty.path(), &[]);
    assert_eq!(nothing.status.code(), Some(0));
    assert!(text(&nothing.stderr).contains("`logs`"), "{nothing:?}");
}
