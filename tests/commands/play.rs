//! People in seats: `rolecall play`, and runs whose config seats a person.

use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::support::binary::{rolecall, text};
use crate::support::shipped;

/// The program with this on its standard input, in a folder of its own; the shipped configs are found by name.
fn typed(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = rolecall(folder, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn ran(folder: &Path, arguments: &[&str], input: &str) -> (String, String) {
    let output = typed(folder, arguments, input);
    assert!(output.status.success(), "{output:?}");
    (text(&output.stdout), text(&output.stderr))
}

/// The lines of the only segment of a run.
fn events(folder: &Path, run: &str) -> String {
    let (lines, _) = ran(folder, &["logs", "canonical", &format!("logs/{run}")], "");
    lines
}

const ROLE: [&str; 8] = ["play", "household/respact", "--seat", "executor", "--name", "me", "--no-report", "--limit=2"];

#[test]
fn an_executor_plays_gives_up_and_is_counted_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let input = "\n/help\nlook\nthink: Where is it?\nspeak: Where is it?\nfly: away\n/quit\n/quit\n";
    let (_, asked) = ran(folder.path(), &ROLE, input);
    assert!(asked.contains("speak") && asked.contains("user") && asked.contains("go to {"), "{asked}");
    let log = events(folder.path(), "me");
    assert!(log.contains("\"kind\":\"gave_up\"") && log.contains("\"steps\":4,"), "{log}");
    assert!(!log.contains("\"kind\":\"broken\""), "{log}");
    assert!(!log.contains("\"fault\"") && !log.contains("repaired"), "{log}");
    ran(folder.path(), &["replay", "me"], "");
    ran(folder.path(), &["logs", "verify", "me"], "");
}

#[test]
fn what_a_person_began_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let output = typed(folder.path(), &ROLE, "look\n");
    // Standard input ended: the first episode breaks, and nothing is lost.
    assert!(text(&output.stderr).contains("standard input has ended"), "{output:?}");
    let whole = events(folder.path(), "me");
    let (mut kept, mut began) = (String::new(), false);
    for line in whole.lines() {
        began |= line.contains("\"fault\"");
        if !began && line.contains("main:0:0") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    assert!(kept.contains("look"), "{whole}");
    let run = folder.path().join("logs/me");
    for entry in std::fs::read_dir(&run).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with("events") && name.ends_with(".jsonl") {
            std::fs::write(&path, &kept).unwrap();
        } else if ["results", "events", "timings"].iter().any(|start| name.starts_with(start)) {
            std::fs::remove_file(&path).unwrap();
        }
    }
    let (_, asked) = ran(folder.path(), &["resume", "me", "--no-report"], "/quit\n/quit\n");
    assert!(events(folder.path(), "me").contains("\"kind\":\"gave_up\""), "{asked}");
    // Whoever goes on is shown everything again, its own move as well.
    assert!(asked.contains("Act: look"), "{asked}");
}

#[test]
fn any_seat_of_a_cast_is_a_persons() {
    let folder = tempfile::tempdir().unwrap();
    let seats = |seat: &'static str, input: &str| {
        let arguments = ["play", "dialogue/guide", "--seat", seat, "--name", seat, "--no-report"];
        ran(folder.path(), &arguments, input)
    };
    for seat in ["thinker", "planner"] {
        let (_, asked) = seats(seat, "/help\n/quit\n");
        assert!(events(folder.path(), seat).contains("\"kind\":\"gave_up\""), "{seat}: {asked}");
        assert!(asked.contains(seat), "{asked}");
    }
    let output = typed(folder.path(), &["play", "dialogue/guide", "--seat", "pilot"], "");
    let told = text(&output.stderr);
    assert!(!output.status.success() && told.contains("has the seat `pilot`"), "{told}");
    assert!(told.contains("planner") && told.contains("thinker"), "{told}");
}

#[test]
fn a_person_who_is_late_is_played_for() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "run",
        "household/respact",
        "--limit",
        "1",
        "--name",
        "late",
        "--no-report",
        "--set",
        "roles.executor.implementation=human",
        "--set",
        "roles.executor.patience=1s",
        "--set",
        "roles.executor.fallback=rules",
        "--set",
        "limits.steps=2",
    ];
    let mut command = rolecall(folder.path(), &arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Nothing is typed, and nothing ends.
    let open = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(open);
    assert!(output.status.success(), "{output:?}");
    let log = events(folder.path(), "late");
    assert_eq!(log.matches("\"kind\":\"deadline\"").count(), 2, "{log}");
    assert!(log.contains("\"kind\":\"out_of\""), "{log}");
    ran(folder.path(), &["replay", "late"], "");
}

#[test]
fn seats_that_nobody_can_take_are_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let person = "roles.executor.implementation=human";
    let refused = |set: &str| {
        let arguments = ["run", "household/respact", "--set", person, "--set", set];
        let output = typed(folder.path(), &arguments, "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!folder.path().join("logs").exists());
        text(&output.stderr)
    };
    let web = refused("roles.executor.at=web");
    assert!(web.contains("--set roles.executor.at=terminal"), "{web}");
    let fallback = refused("roles.executor.fallback=human");
    assert!(fallback.contains("fallback") && fallback.contains("rules"), "{fallback}");
    let patience = refused("roles.executor.patience=soon");
    assert!(patience.contains("`soon`, which is no time"), "{patience}");
    // Waiting for a person is no slowness of a turn.
    let plan = shipped::plan("household/respact", &[person, "roles.executor.at=web"]);
    assert!(plan.seat_of("human").is_some());
}
