//! What somebody did to the lines of an open episode: `rolecall resume` refuses with the file and the line,
//! or it goes on and the log is whole afterwards.

use std::fs;
use std::path::PathBuf;

use crate::support::binary::{rolecall, text};
use serde_json::{Value, json};

const CONFIG: &str = r#"
name = "made"
strategy = { name = "respact" }
environment = { name = "household", data = "builtin" }
tasks = { limit = 3 }
run = { concurrency = 3, arbiters = 1 }
roles.executor.implementation = "rules"
user.kind = "helpful"
"#;

/// A run that was killed: two episodes are closed, and one, whose id this is, is open.
struct Killed {
    folder: tempfile::TempDir,
    events: Vec<String>,
    canonical: Vec<u8>,
    id: String,
}

impl Killed {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("made.toml"), CONFIG).unwrap();
        let run = ["run", "made.toml", "--quiet", "--no-report"];
        let output = rolecall(folder.path(), &run).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let mut killed = Self { folder, events: Vec::new(), canonical: Vec::new(), id: "main:1:0".to_owned() };
        killed.canonical = killed.canonical_now();
        let log = fs::read_to_string(killed.path("events.jsonl")).unwrap();
        killed.events = log.lines().map(str::to_owned).collect();
        let own = killed.own();
        let left = own[own.len() / 2];
        let mut number = 0;
        let id = format!("\"episode\":\"{}\"", killed.id);
        killed.events.retain(|line| {
            number += 1;
            number <= left || !line.contains(&id)
        });
        for name in ["results.jsonl", "timings.jsonl"] {
            let path = killed.path(name);
            let lines = fs::read_to_string(&path).unwrap();
            let kept = lines.lines().filter(|line| !line.contains(&id));
            fs::write(path, kept.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        }
        killed
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("logs/made").join(name)
    }

    fn rolecall(&self, arguments: &[&str]) -> std::process::Output {
        rolecall(self.folder.path(), arguments).output().unwrap()
    }

    fn canonical_now(&self) -> Vec<u8> {
        self.rolecall(&["logs", "canonical", "made"]).stdout
    }

    /// The places of the open episode's lines.
    fn own(&self) -> Vec<usize> {
        let id = format!("\"episode\":\"{}\"", self.id);
        let lines = self.events.iter().enumerate();
        let own = lines.filter(|(_, line)| line.contains(&id));
        own.map(|(place, _)| place).collect()
    }

    /// Puts these lines in the place of the log and resumes: it is refused with a line of that file and
    /// nothing has changed (then this is what was told), or the log is as it would have been.
    fn resumed(&self, what: &str, lines: &[String]) -> Option<String> {
        let copy = tempfile::tempdir().unwrap();
        fs::copy(self.folder.path().join("made.toml"), copy.path().join("made.toml")).unwrap();
        let run = copy.path().join("logs/made");
        fs::create_dir_all(&run).unwrap();
        for name in ["run.toml", "results.jsonl", "timings.jsonl"] {
            fs::copy(self.path(name), run.join(name)).unwrap();
        }
        let content: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(run.join("events.jsonl"), &content).unwrap();
        let resume = ["resume", "made", "--quiet", "--no-report"];
        let output = rolecall(copy.path(), &resume).output().unwrap();
        let told = text(&output.stderr);
        if output.status.code() == Some(2) {
            let after = fs::read_to_string(run.join("events.jsonl")).unwrap();
            assert!(after == content, "{what}: refused, and changed: {told}");
            return Some(told);
        }
        assert_eq!(output.status.code(), Some(0), "{what}: {told}");
        let verify = ["logs", "verify", "made"];
        let verified = rolecall(copy.path(), &verify).output().unwrap();
        let found = text(&verified.stdout);
        assert_eq!(verified.status.code(), Some(0), "{what}: {found}");
        let canonical = ["logs", "canonical", "made"];
        let canonical = rolecall(copy.path(), &canonical).output().unwrap();
        assert!(canonical.stdout == self.canonical, "{what}: another log");
        None
    }
}

fn changed(line: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut event: Value = serde_json::from_str(line).unwrap();
    change(&mut event);
    event.to_string()
}

#[expect(clippy::too_many_lines, reason = "most of it is a list of cases")]
#[test]
fn an_open_episode_with_damaged_lines_is_refused_with_the_line() {
    let killed = Killed::new();
    assert_eq!(killed.resumed("untouched", &killed.events), None);
    let own = killed.own();
    let (first, middle, last) = (own[0], own[own.len() / 2], own[own.len() - 1]);
    let before = own[own.len() / 2 - 1];
    let edit = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = killed.events.clone();
        change(&mut lines);
        lines
    };
    let in_middle =
        |change: &dyn Fn(&mut Value)| edit(&|lines| lines[middle] = changed(&lines[middle], |event| change(event)));
    let cases: Vec<(&str, Vec<String>)> = vec![
        ("two neighbours are swapped", edit(&|lines| lines.swap(before, middle))),
        ("the last is swapped", edit(&|lines| lines.swap(before, last))),
        ("the first is swapped", edit(&|lines| lines.swap(first, middle))),
        ("one is there twice", edit(&|lines| lines.insert(middle, lines[middle].clone()))),
        ("one is there twice at the end", edit(&|lines| lines.push(lines[middle].clone()))),
        ("the last is there twice", edit(&|lines| lines.push(lines[last].clone()))),
        ("one is gone", edit(&|lines| drop(lines.remove(middle)))),
        ("the first is gone", edit(&|lines| drop(lines.remove(first)))),
        (
            "one is moved to the end",
            edit(&|lines| {
                let moved = lines.remove(middle);
                lines.push(moved);
            }),
        ),
        (
            "all are turned round",
            edit(&|lines| {
                let turned: Vec<String> = own.iter().rev().map(|place| lines[*place].clone()).collect();
                own.iter().zip(turned).for_each(|(place, line)| lines[*place] = line);
            }),
        ),
        (
            "a number is skipped",
            edit(&|lines| {
                for place in own.iter().filter(|place| **place >= middle) {
                    lines[*place] = changed(&lines[*place], |event| {
                        event["seq"] = json!(event["seq"].as_u64().unwrap() + 1);
                    });
                }
            }),
        ),
        ("another cause", in_middle(&|event| event["cause"] = json!(0))),
        ("no cause", in_middle(&|event| drop(event.as_object_mut().unwrap().remove("cause")))),
        ("a later cause", in_middle(&|event| event["cause"] = json!(999))),
        ("another sender", in_middle(&|event| event["from"] = json!("user"))),
        ("another receiver", in_middle(&|event| event["to"] = json!("environment"))),
        ("another episode", in_middle(&|event| event["episode"] = json!("main:0:0"))),
        ("an unknown episode", in_middle(&|event| event["episode"] = json!("main:9:0"))),
        ("a further field", in_middle(&|event| event["note"] = json!("x"))),
        ("no line", edit(&|lines| lines[middle] = "{}".to_owned())),
        ("an empty line", edit(&|lines| lines[middle] = String::new())),
    ];
    for (what, lines) in cases {
        assert!(lines != killed.events, "{what}: nothing is damaged");
        let told = killed.resumed(what, &lines);
        let told = told.unwrap_or_else(|| panic!("{what}: not refused"));
        assert!(told.contains("`logs/made/events.jsonl` line "), "{what}: {told}");
        assert!(told.contains("from a copy, or undo the change"), "{what}: {told}");
    }
}

#[test]
fn an_episode_that_closed_without_its_digest_and_was_disordered_is_refused() {
    let mut killed = Killed::new();
    fs::write(killed.path("timings.jsonl"), "").unwrap();
    killed.id = "main:0:0".to_owned();
    let own = killed.own();
    let mut lines = killed.events.clone();
    lines.swap(own[2], own[3]);
    let told = killed.resumed("swapped", &lines).unwrap();
    let line = format!("`logs/made/events.jsonl` line {}: event 3 ", own[2] + 1);
    assert!(told.contains(&line), "{told}");
}
