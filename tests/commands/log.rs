//! `rolecall logs` and what becomes of a run whose process is killed, whose disk is full, or which
//! somebody else writes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use rolecall::log::{RunLog, write_canonical};
use tempfile::{TempDir, tempdir};

const CONFIG: &str = r#"
name = "x"
[environment]
name = "household"
data = "builtin"
games = 2
[strategy]
name = "respact"
[roles.executor]
implementation = "rules"
[user]
kind = "helpful"
[run]
segment_mb = 1
"#;

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), CONFIG).unwrap();
    folder
}

fn run(folder: &Path, more: &[&str]) -> PathBuf {
    let arguments = [&["run", "x.toml", "--quiet", "--no-report"], more].concat();
    let output = rolecall(folder, &arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    folder.join("logs/x")
}

fn logs(folder: &Path, what: &str) -> Output {
    rolecall(folder, &["logs", what, "x"]).output().unwrap()
}

/// What `logs verify` prints of a run in which so much is wrong.
fn verified(folder: &Path, code: i32) -> String {
    let output = logs(folder, "verify");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{printed}{output:?}");
    printed
}

fn canonical(run: &Path) -> Vec<u8> {
    let mut output = Vec::new();
    write_canonical(&RunLog::open(run).unwrap(), &mut output).unwrap();
    output
}

#[test]
fn a_good_run_is_verified_compacted_and_the_same_afterwards() {
    let folder = folder();
    let run = run(folder.path(), &["--set", "repeats=60"]);
    let first = run.join("events-000001.jsonl.zst");
    assert!(first.exists(), "one megabyte is closed while the run goes on");
    let before = canonical(&run);
    let report = |folder: &Path| {
        let output = rolecall(folder, &["report", "x"]).output().unwrap();
        text(&output.stdout)
    };
    let reported = report(folder.path());
    let printed = verified(folder.path(), 0);
    assert!(printed.contains("120"), "{printed}");
    assert!(run.join("events.index").exists());
    let output = logs(folder.path(), "compact");
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains('%'), "{output:?}");
    assert_eq!(fs::metadata(run.join("events.jsonl")).unwrap().len(), 0);
    assert_eq!(canonical(&run), before);
    assert_eq!(report(folder.path()), reported);
    verified(folder.path(), 0);
    let list = |name: &str| {
        let output = rolecall(folder.path(), &["show", "x", "--limit", "3", name]);
        text(&{ output }.output().unwrap().stdout)
    };
    assert!(list("--reverse").lines().count() > 3);
    assert!(list("--transcripts").contains("go to"));
    let followed = rolecall(folder.path(), &["show", "x", "--follow", "main:1:59"]);
    let followed = { followed }.output().unwrap();
    assert!(text(&followed.stdout).contains("go to"), "{followed:?}");
    fs::remove_file(run.join("events.index")).unwrap();
    let output = logs(folder.path(), "index");
    assert!(text(&output.stdout).contains("120"), "{output:?}");
    assert!(run.join("events.index").exists());
}

#[test]
fn everything_that_is_wrong_is_told_with_file_and_line() {
    let folder = folder();
    let run = run(folder.path(), &["--set", "repeats=3"]);
    let path = |name: &str| run.join(name);
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    let (events, results, timings) = (read("events.jsonl"), read("results.jsonl"), read("timings.jsonl"));
    let lines: Vec<&str> = events.lines().collect();
    let write = |name: &str, lines: &[&str]| {
        let whole: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(path(name), whole).unwrap();
    };
    let told = |part: &str| {
        let printed = verified(folder.path(), 1);
        assert!(printed.contains(part), "`{part}` in\n{printed}");
    };
    // A line that is none, and one that is missing.
    let mut changed = lines.clone();
    changed[4] = "{\"schema\":1}";
    write("events.jsonl", &changed);
    told("`events.jsonl` line 5: not an event");
    changed.remove(4);
    write("events.jsonl", &changed);
    told("belongs");
    // One that is there twice, behind the end.
    let end = lines.iter().position(|line| line.contains("\"closed\"")).unwrap();
    write("events.jsonl", &[&lines[..=end], &lines[end..]].concat());
    told(&format!("`events.jsonl` line {}: event ", end + 2));
    // A text that was changed: the digest of the events is another one then, if there is one, and
    // results that depend on it.
    let changed = events.replacen("\"success\":true", "\"success\":false", 2);
    assert_ne!(changed, events);
    fs::write(path("events.jsonl"), &changed).unwrap();
    told("`results.jsonl` line ");
    told("but the events give");
    // Cut off.
    fs::write(path("events.jsonl"), &events[..events.len() - 3]).unwrap();
    told("it was cut off");
    fs::write(path("events.jsonl"), &events).unwrap();
    // A digest that is another one.
    let noted = "{\"schema\":1,\"episode\":\"main:0:0\",\"wall_ms\":1,\"digest\":\"0123456789abcdef\"}";
    fs::write(path("timings.jsonl"), format!("{noted}\nx\n")).unwrap();
    told("`timings.jsonl` line 1: the events of `main:0:0` come to ");
    told("`timings.jsonl` line 2: not a timing");
    fs::write(path("timings.jsonl"), &timings).unwrap();
    // Results that are missing, double, unknown.
    let all: Vec<&str> = results.lines().collect();
    write("results.jsonl", &all[1..]);
    told("is closed, but has no result");
    write("results.jsonl", &[&all[..], &all[..1]].concat());
    told("has a result in line 1 already");
    let unknown = all[0].replacen("\"main:", "\"other:", 1);
    write("results.jsonl", &[&all[..], &[unknown.as_str()]].concat());
    told("has a result but no events");
    fs::write(path("results.jsonl"), &results).unwrap();
    verified(folder.path(), 0);
}

/// A run that goes on for longer than any test.
fn endless(folder: &Path) -> Child {
    let arguments = ["run", "x.toml", "--quiet", "--set", "repeats=1000000"];
    let mut command = rolecall(folder, &arguments);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = child.unwrap();
    let closed = folder.join("logs/x/events-000002.jsonl.zst");
    let looks = (0..3000).inspect(|_| thread::park_timeout(Duration::from_millis(10)));
    if !{ looks }.any(|_| closed.exists()) {
        child.kill().unwrap();
        panic!("the run does not get on: {:?}", child.wait());
    }
    child
}

#[test]
fn nobody_else_changes_a_run_that_goes_on_and_one_that_was_killed_is_put_right() {
    let folder = folder();
    let mut child = endless(folder.path());
    let number = format!("process {}", child.id());
    for what in ["compact", "verify", "index"] {
        let output = logs(folder.path(), what);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(said.contains("being written"), "{said}");
        assert!(what != "compact" || said.contains(&number), "{said}");
    }
    // Readers are not kept out.
    let output = rolecall(folder.path(), &["show", "x", "--limit", "1"]);
    assert!({ output }.output().unwrap().status.success());
    child.kill().unwrap();
    child.wait().unwrap();
    let run = folder.path().join("logs/x");
    let events = run.join("events.jsonl");
    // What was being written when it was killed is a matter of luck: let there be a torn line. (No
    // whole line may go: a killed process has results only of episodes whose last event is there.)
    if fs::read(&events).unwrap().last().is_none_or(|last| *last == b'\n') {
        let mut file = fs::OpenOptions::new().append(true).open(&events).unwrap();
        file.write_all(b"{\"episode\":").unwrap();
    }
    let whole = RunLog::open(&run).unwrap();
    let output = logs(folder.path(), "compact");
    assert!(output.status.success(), "{output:?}");
    let compacted = RunLog::open(&run).unwrap();
    assert_eq!(compacted.event_count(), whole.event_count());
    assert_eq!(fs::metadata(&events).unwrap().len(), 0);
    assert!(!run.join("running").exists());
    let printed = text(&logs(folder.path(), "verify").stdout);
    for row in ["files of events", "lines of events", "episodes", "digests"] {
        let line = printed.lines().find(|line| line.starts_with(row)).unwrap();
        let words: Vec<&str> = line[row.len()..].split_whitespace().collect();
        assert_eq!(words[1], "0", "{printed}");
    }
}

/// A file system that is full, where one can be made; `ulimit` stands for it elsewhere.
#[cfg(unix)]
#[test]
fn a_disk_that_becomes_full_loses_nothing_that_was_written() {
    let folder = folder();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mounted =
        std::process::Command::new("mount").args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"]).arg(&disk).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        println!("skipped: no file system can be mounted here");
        return;
    }
    let ballast = disk.join("ballast");
    fs::write(&ballast, [0; 65536]).unwrap();
    let arguments = ["run", "x.toml", "--quiet", "--set", "repeats=1000000"];
    let logs = format!("run.logs={}", disk.display());
    let ended = rolecall(folder.path(), &[&arguments[..], &["--set", &logs]].concat()).output();
    let run = disk.join("x");
    let opened = RunLog::open(&run).map(|run| run.event_count());
    // A last line may lack its newline alone, for which a full disk has no room.
    fs::remove_file(&ballast).unwrap();
    let repaired = rolecall::log::RunFolder::lock(&run).and_then(|mut run| run.repair());
    let afterwards = RunLog::open(&run).map(|run| run.event_count());
    let unmounted = std::process::Command::new("umount").arg(&disk).status();
    assert!(unmounted.unwrap().success());
    let ended = ended.unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    let said = text(&ended.stderr);
    assert!(said.contains("the log of the run is incomplete"), "{said}");
    repaired.unwrap();
    assert!(opened.clone().unwrap() > 1000);
    assert_eq!(opened, afterwards);
}

#[cfg(unix)]
#[test]
fn a_folder_that_can_only_be_read_is_read_and_not_changed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let run = run(folder.path(), &["--set", "repeats=2"]);
    fs::remove_file(run.join("events.index")).unwrap();
    let allow = |mode| fs::set_permissions(&run, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    if fs::write(run.join("probe"), "").is_ok() {
        allow(0o755);
        println!("skipped: whoever runs this may write everywhere");
        return;
    }
    let outputs = ["verify", "compact", "index"].map(|what| logs(folder.path(), what));
    let report = rolecall(folder.path(), &["report", "x"]).output().unwrap();
    allow(0o755);
    assert_eq!(outputs.each_ref().map(|output| output.status.code()), [Some(0), Some(2), Some(2)]);
    let said = text(&outputs[1].stderr);
    assert!(said.contains("running") && said.contains("cannot be locked"), "{said}");
    assert!(report.status.success());
}
