//! `rolecall resume`: what it repairs, what it refuses, what it goes on with.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::binary::{rolecall, text};

const CONFIG: &str = r#"
name = "made"
strategy = { name = "respact" }
environment = { name = "household", data = "builtin" }
tasks = { limit = 6 }
repeats = 2
run = { concurrency = 4, arbiters = 2 }
roles.executor.implementation = "rules"
user.kind = "helpful"
"#;

/// A folder with a run that was played to its end.
struct Made {
    folder: tempfile::TempDir,
    canonical: Vec<u8>,
    results: BTreeSet<String>,
}

fn rolecall_in(folder: &Path, arguments: &[&str]) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

impl Made {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("made.toml"), CONFIG).unwrap();
        let run = ["run", "made.toml", "--quiet", "--no-report"];
        let output = rolecall_in(folder.path(), &run);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let mut made = Self { folder, canonical: Vec::new(), results: BTreeSet::new() };
        (made.canonical, made.results) = (made.canonical_now(), made.results_now());
        made
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("logs/made").join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Leaves only this many bytes of a file.
    fn cut(&self, name: &str, bytes: usize) {
        let content = fs::read(self.path(name)).unwrap();
        fs::write(self.path(name), &content[..bytes]).unwrap();
    }

    /// Leaves the run as a process does whose machine was started anew since.
    fn machine_failed(&self) {
        fs::write(self.path("running"), "123\nanother start\n").unwrap();
    }

    fn resume(&self, more: &[&str]) -> Output {
        let arguments = [&["resume", "made", "--no-report"], more].concat();
        rolecall_in(self.folder.path(), &arguments)
    }

    fn canonical_now(&self) -> Vec<u8> {
        let output = rolecall_in(self.folder.path(), &["logs", "canonical", "made"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        output.stdout
    }

    fn results_now(&self) -> BTreeSet<String> {
        self.read("results.jsonl").lines().map(str::to_owned).collect()
    }

    /// Resumes and compares with the run as it was. Returns what was told.
    fn restored(&self) -> String {
        let output = self.resume(&[]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(self.canonical_now() == self.canonical, "another log\n{told}");
        assert_eq!(self.results_now(), self.results, "{told}");
        assert_eq!(self.read("results.jsonl").lines().count(), 12, "{told}");
        let verified = rolecall_in(self.folder.path(), &["logs", "verify", "made"]);
        assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));
        told
    }

    /// What is told when it is refused. Nothing may have changed.
    fn refused(&self, more: &[&str]) -> String {
        let files = ["events.jsonl", "results.jsonl", "run.toml"];
        let before = files.map(|name| self.read(name));
        let output = self.resume(more);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert_eq!(files.map(|name| self.read(name)), before);
        told
    }
}

#[test]
fn a_log_cut_anywhere_is_gone_on_with() {
    let made = Made::new();
    let whole = fs::read(made.path("events.jsonl")).unwrap();
    let results = fs::read(made.path("results.jsonl")).unwrap();
    let timings = fs::read(made.path("timings.jsonl")).unwrap();
    // Whole lines, torn lines, nothing at all; with results that are ahead, behind and torn.
    for part in [0, 1, 7, 13, 21, 33, 48, 64, 80, 96, 99] {
        let end = whole.len() * part / 100;
        fs::write(made.path("events.jsonl"), &whole[..end]).unwrap();
        fs::write(made.path("results.jsonl"), &results[..results.len() * (99 - part) / 100]).unwrap();
        // What a machine that failed had noted may be ahead as well.
        fs::write(made.path("timings.jsonl"), &timings).unwrap();
        made.machine_failed();
        let told = made.restored();
        let torn = end > 0 && whole[end - 1] != b'\n' && whole[end] != b'\n';
        assert_eq!(told.contains("line of `events.jsonl`"), torn, "{told}");
    }
}

#[test]
fn a_missing_newline_and_a_missing_index_are_no_loss() {
    let made = Made::new();
    let length = made.read("events.jsonl").len();
    made.cut("events.jsonl", length - 1);
    let told = made.restored();
    assert!(told.contains("`events.jsonl`"), "{told}");
    fs::write(made.path("results.jsonl"), "half a resu").unwrap();
    let told = made.restored();
    assert!(told.contains("12 results"), "{told}");
    let half = made.read("events.jsonl").len() / 2;
    made.cut("events.jsonl", half);
    fs::write(made.path("timings.jsonl"), "").unwrap();
    made.machine_failed();
    made.restored();
}

#[test]
fn a_run_that_is_over_is_only_told_again() {
    let made = Made::new();
    let told = made.restored();
    assert!(told.contains("12 played"), "{told}");
}

#[test]
fn an_episode_that_was_edited_is_refused_with_its_first_difference() {
    let made = Made::new();
    let events = made.read("events.jsonl");
    let place = events.find(r#""message":{"moved":"#).unwrap();
    let edited = events[place..].replacen("go to", "goto", 1);
    assert_ne!(edited, events[place..]);
    let edited = events[..place].to_owned() + &edited;
    // Once in an episode that is closed, and once in one that is open.
    fs::write(made.path("events.jsonl"), &edited).unwrap();
    let told = made.refused(&[]);
    assert!(told.contains("the log was changed: episode `main:"), "{told}");
    assert!(told.contains("in the log: ") && told.contains("played now: "), "{told}");
    assert!(told.contains("goto") && told.contains("go to"), "{told}");
    let changed = edited.find("goto").unwrap();
    let end = changed + edited[changed..].find('\n').unwrap();
    let open = &edited[..=end];
    fs::write(made.path("events.jsonl"), open).unwrap();
    fs::write(made.path("results.jsonl"), "").unwrap();
    fs::write(made.path("timings.jsonl"), "").unwrap();
    let told = made.refused(&[]);
    assert!(told.contains("does not come out as its log has it"), "{told}");
    assert!(told.contains("goto") && told.contains("go to"), "{told}");
}

#[test]
fn another_config_is_refused_unless_it_is_accepted() {
    let made = Made::new();
    let half = made.read("events.jsonl").len() / 2;
    made.cut("events.jsonl", half);
    made.cut("results.jsonl", 0);
    made.machine_failed();
    let config = CONFIG.replace("helpful", "unhelpful");
    fs::write(made.folder.path().join("made.toml"), config).unwrap();
    let told = made.refused(&[]);
    for part in ["`cells.main.users.helpful`", "`files.made.toml.blake3`", "--accept-changes"] {
        assert!(told.contains(part), "{told}");
    }
    let output = made.resume(&["--accept-changes"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let record: toml::Table = made.read("run.toml").parse().unwrap();
    let change = &record["changes"].as_array().unwrap()[0];
    let what = change["what"].as_array().unwrap();
    assert!(what.iter().any(|text| text.as_str().unwrap().contains("unhelpful")));
    let closed = change["episodes_closed"].as_integer().unwrap();
    assert!(closed < 12);
    // Accepted once, it is the config of the run.
    let output = made.resume(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(made.results_now().len(), 12);
}

#[test]
fn episodes_that_are_played_keep_their_tasks_whatever_is_accepted() {
    let made = Made::new();
    let accepted = ["--accept-changes", "--set"];
    let told = made.refused(&[&accepted[..], &["tasks.offset=40"]].concat());
    assert!(told.contains("but it was played with"), "{told}");
    let told = made.refused(&[&accepted[..], &["seed=7"]].concat());
    assert!(told.contains("another seed cannot be accepted"), "{told}");
    for fewer in ["tasks.limit=5", "repeats=1"] {
        let told = made.refused(&[&accepted[..], &[fewer]].concat());
        assert!(told.contains("fewer cannot be accepted"), "{told}");
        assert!(!told.contains("another config"), "{told}");
    }
    // More tasks are no other ones.
    let output = made.resume(&[&accepted[..], &["tasks.limit=7"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(made.results_now().len(), 14);
}

#[test]
fn how_the_machine_is_used_may_change() {
    let made = Made::new();
    made.cut("events.jsonl", 5_000);
    made.machine_failed();
    let output = made.resume(&["--concurrency", "1", "--set", "run.sync=every-event"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(made.canonical_now() == made.canonical);
}

#[test]
fn what_is_no_run_or_another_ones_is_said() {
    let made = Made::new();
    let output = rolecall_in(made.folder.path(), &["resume", "nothing"]);
    let told = text(&output.stderr);
    assert!(told.contains("`nothing` is no run") && told.contains("`made`"), "{told}");
    let mut record = fs::OpenOptions::new().append(true).open(made.path("run.toml")).unwrap();
    writeln!(record, "this is not TOML").unwrap();
    let told = made.refused(&[]);
    assert!(told.contains("run.toml") || told.contains("TOML"), "{told}");
}

#[test]
fn a_log_of_other_episodes_is_refused() {
    let made = Made::new();
    let events = made.read("events.jsonl").replace("main:5:1", "main:77:1");
    fs::write(made.path("events.jsonl"), events).unwrap();
    fs::write(made.path("timings.jsonl"), "").unwrap();
    let told = made.refused(&[]);
    assert!(told.contains("episode `main:77:1`, which the config does not play"), "{told}");
}

#[test]
fn nobody_is_told_to_remove_a_run_that_is_not_over() {
    let made = Made::new();
    let again = || {
        let arguments = ["run", "made.toml", "--name", "made", "-q"];
        let output = rolecall_in(made.folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let told = again();
    assert!(told.contains("exists already") && told.contains("another run name"), "{told}");
    let results = made.read("results.jsonl");
    made.cut("results.jsonl", results.find('\n').unwrap() + 1);
    let told = again();
    assert!(told.contains("`rolecall resume logs/made`"), "{told}");
    assert!(!told.contains("remove"), "{told}");
    let lock = rolecall::log::RunFolder::lock(&made.path("")).unwrap();
    let told = again();
    assert!(told.contains("is being written by another process"), "{told}");
    assert!(!told.contains("remove") && !told.contains("resume"), "{told}");
    drop(lock);
}

#[test]
fn a_run_whose_record_was_cut_off_before_its_first_event_is_begun_again() {
    let made = Made::new();
    let record = made.read("run.toml");
    let files = record.find("[[files]]").unwrap();
    for bytes in [0, 1, 200, files / 2, files - 1] {
        fs::remove_dir_all(made.path("")).unwrap();
        fs::create_dir(made.path("")).unwrap();
        fs::write(made.path("run.toml"), &record[..bytes]).unwrap();
        fs::write(made.path("running"), "123\n").unwrap();
        let refused = made.resume(&[]);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{told}");
        assert!(told.contains("give the command again that was to begin it"), "{told}");
        let run = ["run", "made.toml", "--quiet", "--no-report", "--name", "made"];
        let output = rolecall_in(made.folder.path(), &run);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(made.canonical_now() == made.canonical, "{bytes}");
    }
}
