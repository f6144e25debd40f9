//! Runs whose files somebody changed, or that lost some of them: what `resume`, `show`, `compare` and
//! `logs verify` say of them.

use std::fs;
use std::path::PathBuf;

use crate::support::binary::{rolecall, text};

const CONFIG: &str = r#"
name = "made"
strategy = { name = "respact" }
environment = { name = "household", data = "builtin" }
tasks = { limit = 4 }
repeats = 2
run = { concurrency = 4, arbiters = 2 }
roles.executor.implementation = "rules"
user.kind = "helpful"
"#;

/// A folder with a run that was played to its end.
pub(super) struct Made {
    folder: tempfile::TempDir,
    canonical: String,
}

impl Made {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("made.toml"), CONFIG).unwrap();
        let canonical = String::new();
        let mut made = Self { folder, canonical };
        made.told(&["run", "made.toml", "--quiet", "--no-report"], 0);
        made.canonical = made.told(&["logs", "canonical", "made"], 0);
        made
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("logs/made").join(name)
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(super) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Everything that a command says, given its exit code.
    pub(super) fn told(&self, arguments: &[&str], code: i32) -> String {
        let output = rolecall(self.folder.path(), arguments).output().unwrap();
        let told = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        told
    }

    pub(super) fn resume(&self, code: i32) -> String {
        self.told(&["resume", "made", "--no-report", "--quiet"], code)
    }

    pub(super) fn verify(&self, code: i32) -> String {
        self.told(&["logs", "verify", "made"], code)
    }

    /// The run is as it was.
    pub(super) fn check_whole(&self) {
        assert_eq!(self.told(&["logs", "canonical", "made"], 0), self.canonical);
        self.verify(0);
    }

    /// Leaves the run as a process does that was killed, with the machine started anew since or not.
    fn left(&self, machine_failed: bool) {
        let start = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let start = if machine_failed { "another" } else { &start };
        self.write("running", format!("123\n{start}"));
    }

    /// Drops the end of the events, so that one episode at least is open and none of the files says so.
    fn open_one(&self) -> String {
        let events = self.read("events.jsonl");
        let end = events.rfind("\"closed\"").unwrap();
        let start = events[..end].rfind('\n').unwrap() + 1;
        let line = &events[start..];
        let name = line.split('"').nth(5).unwrap().to_owned();
        let left: String = events
            .split_inclusive('\n')
            .filter(|line| !(line.contains(&format!("\"{name}\"")) && line.contains("\"closed\"")))
            .collect();
        self.write("events.jsonl", left);
        for file in ["results.jsonl", "timings.jsonl"] {
            let content = self.read(file);
            let other = |line: &&str| !line.contains(&format!("\"{name}\""));
            self.write(file, content.split_inclusive('\n').filter(other).collect::<String>());
        }
        name
    }
}

#[test]
fn results_that_were_changed_are_believed_by_nobody_and_written_again() {
    let made = Made::new();
    let results = made.read("results.jsonl");
    let shown = made.told(&["show", "made", "--json"], 0);
    let edited = results.replacen("\"success\":true", "\"success\":false", 2);
    assert_ne!(edited, results);
    made.write("results.jsonl", &edited);
    let told = made.told(&["show", "made", "--json"], 0);
    assert!(told.starts_with(&shown), "{told}");
    assert!(told.contains("results.jsonl` line 1"), "{told}");
    assert!(made.told(&["show"], 0).contains("100.0"));
    let compared = made.told(&["compare", "made", "made"], 2);
    assert!(compared.contains("was changed"), "{compared}");
    let told = made.verify(1);
    assert!(told.contains("`results.jsonl` line 1: `main:"), "{told}");
    let told = made.resume(0);
    assert!(told.contains("1 result"), "{told}");
    assert!(told.contains("line 1") && told.contains("`success`"), "{told}");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&made.read("results.jsonl")), sorted(&results));
    made.check_whole();
    // Lines that say nothing of themselves, as earlier versions wrote them: the events are asked.
    let place = |line: &str| line.find(",\"events_digest\"").unwrap();
    let plain = edited.lines().map(|line| line[..place(line)].to_owned() + "}\n");
    made.write("results.jsonl", plain.collect::<String>());
    assert_eq!(made.told(&["show", "made", "--json"], 0), shown);
    assert!(made.resume(0).contains("`success`"));
    made.check_whole();
}

#[test]
fn an_episode_that_was_closed_and_lost_its_events_is_refused_and_not_played_again() {
    let made = Made::new();
    let events = made.read("events.jsonl");
    let first = made.read("timings.jsonl");
    let first = first.lines().next().unwrap().split('"').nth(5).unwrap();
    let without: String =
        events.split_inclusive('\n').filter(|line| !line.contains(&format!("\"episode\":\"{first}\""))).collect();
    let results = made.read("results.jsonl");
    // No failure of a machine takes an episode from among others, and no killed process takes any.
    for (left, failed) in [(without.as_str(), true), (&without, false), ("", false)] {
        made.write("events.jsonl", left);
        made.left(failed);
        let told = made.resume(2);
        assert!(
            told.contains("timings.jsonl` line 1: episode `main:") && told.contains("restore the files of events"),
            "{told}"
        );
        assert_eq!(made.read("results.jsonl"), results);
        assert_eq!(made.read("events.jsonl"), left);
    }
    // A run that came to its end lost nothing by itself.
    fs::remove_file(made.path("running")).unwrap();
    assert!(made.resume(2).contains("restore the files of events"));
    assert!(made.told(&["logs", "compact", "made"], 2).contains("line 1"));
    made.write("events.jsonl", &events);
    made.resume(0);
    made.check_whole();
}

#[test]
fn the_last_events_may_be_lost_with_the_machine_and_are_played_again() {
    let made = Made::new();
    let events = made.read("events.jsonl");
    let end = events[..events.len() * 2 / 3].rfind('\n').unwrap() + 1;
    made.write("events.jsonl", &events[..end]);
    made.left(true);
    // What explains it is not forgotten by somebody who is refused for something else.
    made.told(&["resume", "made", "--set", "tasks.limit=3"], 2);
    made.resume(0);
    assert!(!made.path("running").exists());
    made.check_whole();
    made.write("events.jsonl", "");
    made.left(true);
    made.resume(0);
    made.check_whole();
}

#[test]
fn a_line_of_an_open_episode_that_is_written_otherwise_is_refused() {
    let made = Made::new();
    let name = made.open_one();
    let events = made.read("events.jsonl");
    let start = format!("{{\"schema\":1,\"episode\":\"{name}\",\"seq\":3,");
    let line = 1 + events.lines().position(|line| line.starts_with(&start)).unwrap();
    for other in
        [start.replace("\"schema\":1", "\"schema\": 1"), start.replace("\"schema\":1", "\"schema\":1,\"extra\":5")]
    {
        made.write("events.jsonl", events.replace(&start, &other));
        for told in [made.resume(2), made.verify(1)] {
            let place = format!("events.jsonl` line {line}: the event is written in another way");
            assert!(told.contains(&place), "{told}");
        }
        assert!(made.resume(2).contains("rolecall logs verify"));
    }
    made.write("events.jsonl", &events);
    made.resume(0);
    made.check_whole();
}

#[test]
fn what_is_wrong_with_events_is_told_with_the_file_the_line_and_what_to_do() {
    let made = Made::new();
    let events = made.read("events.jsonl");
    let lines: Vec<&str> = events.split_inclusive('\n').collect();
    let mut double = lines.clone();
    double.insert(9, lines[8]);
    let mut missing = lines.clone();
    missing.remove(8);
    let mut none = lines.clone();
    none[8] = "hello\n";
    for (changed, what, line) in [(double, " twice", 10), (missing, "events are missing", 0), (none, "not an event", 9)]
    {
        made.write("events.jsonl", changed.concat());
        for command in [&["report", "made"][..], &["show", "made", "--transcripts"], &["resume", "made"]] {
            let told = made.told(command, 2);
            assert!(told.contains(what) || command[0] == "resume", "{told}");
            let place = format!("events.jsonl` line {line}");
            assert!(line == 0 || told.contains(&place) || command[0] == "resume", "{told}");
            assert!(told.contains("rolecall logs verify"), "{command:?}: {told}");
        }
    }
    // The same in an episode that is open.
    made.write("events.jsonl", &events);
    let name = made.open_one();
    let events = made.read("events.jsonl");
    let third = format!("\"episode\":\"{name}\",\"seq\":3,");
    let double = events.split_inclusive('\n').flat_map(|line| {
        let times = if line.contains(&third) { 2 } else { 1 };
        std::iter::repeat_n(line, times)
    });
    made.write("events.jsonl", double.collect::<String>());
    let told = made.resume(2);
    assert!(told.contains("has event 3 twice; `rolecall logs verify`"), "{told}");
    assert!(told.contains("events.jsonl` line "), "{told}");
}

#[test]
fn room_that_was_never_filled_is_left_out_with_or_without_a_newline() {
    let made = Made::new();
    let events = made.read("events.jsonl");
    for end in ["", "\n", "\n\0\0\n"] {
        made.write("events.jsonl", format!("{events}{}{end}", "\0".repeat(4096)));
        made.told(&["show", "made", "--transcripts", "--no-pager"], 0);
        let told = made.resume(0);
        assert!(told.contains("`events.jsonl`"), "{told}");
        assert_eq!(made.read("events.jsonl"), events);
        made.check_whole();
    }
    // But not in front of lines that are whole.
    made.write("events.jsonl", format!("\0\0\n{events}"));
    assert!(made.told(&["report", "made"], 2).contains("events.jsonl` line 2: "));
    assert!(made.resume(2).contains("rolecall logs verify"));
}

#[test]
fn timings_that_cannot_be_read_are_left_out_and_the_run_is_verified_again() {
    let made = Made::new();
    let timings = made.read("timings.jsonl");
    let place = timings.find('\n').unwrap() + 1;
    let (first, rest) = timings.split_at(place);
    made.write("timings.jsonl", format!("{first}garbage\n{rest}{{}}\n"));
    assert!(made.verify(1).contains("`timings.jsonl` line 2: not a timing"));
    let told = made.resume(0);
    assert!(told.contains("`timings.jsonl`") && told.contains("line 2"), "{told}");
    assert_eq!(made.read("timings.jsonl"), timings);
    made.check_whole();
}
