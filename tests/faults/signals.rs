//! Ctrl-C once and twice, `SIGTERM`, a terminal that is closed: the run ends, what was logged is there,
//! and resuming it comes to the same as if nothing had happened.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};
use crate::support::toy::block;
use rolecall::log::is_running;

/// Episodes of a run, all at once.
const EPISODES: u64 = 8;

/// So many requests there are when every episode has asked twice.
const SECOND_CALLS_END: u64 = 2 * EPISODES;

/// A server that takes a moment for every reply.
fn slow() -> FakeModel {
    FakeModel::start(Duration::from_millis(100), |_| Does::Says("Act: look"))
}

/// A folder with a config whose executor is played by the server's model.
fn folder(server: &FakeModel) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let more = format!("limits.steps = 10\ntasks.limit = {EPISODES}");
    server.write_config(folder.path(), &more, "");
    folder
}

const RUN: [&str; 6] = ["run", "live.toml", "--logs", "logs", "--name", "live"];

/// Starts the run and waits until every episode has asked the server twice.
fn started(folder: &Path, server: &FakeModel) -> Child {
    let mut command = rolecall(folder, &RUN);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    wait_for(|| server.requests() >= SECOND_CALLS_END);
    child
}

fn wait_for(what: impl Fn() -> bool) {
    for _ in 0..1500 {
        if what() {
            return;
        }
        block(Duration::from_millis(10));
    }
    panic!("it did not happen within 15 seconds");
}

/// Sends signals, one right after the other.
fn send(process: u32, signals: &[&str]) {
    let kills: Vec<String> = signals.iter().map(|signal| format!("kill -{signal} {process}")).collect();
    let sent = Command::new("sh").args(["-c", &kills.join("; ")]).status();
    assert!(sent.unwrap().success());
}

fn said(folder: &Path, arguments: &[&str]) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

/// The log of the run that was stopped is whole as far as it goes, holds open episodes only, and
/// resuming it gives the log of a run that nobody stopped. No call that is in it is made again.
fn assert_nothing_is_lost(folder: &Path, server: &FakeModel) {
    let run = folder.join("logs/live");
    let events = fs::read_to_string(run.join("events.jsonl")).unwrap();
    assert!(events.ends_with('\n'), "{:?}", events.lines().last());
    assert!(!events.contains(r#""closed":"#), "they stay open");
    let recorded = events.matches(r#""model_called":"#).count() as u64;
    assert!(recorded >= EPISODES, "{recorded} calls in the log");
    assert_eq!(fs::read_to_string(run.join("results.jsonl")).unwrap(), "");
    let resumed = said(folder, &["resume", "logs/live", "--quiet"]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    let counts = server.counts();
    let twice = counts.by_key.values().filter(|count| **count == 2).count() as u64;
    assert!(counts.by_key.values().all(|count| *count <= 2));
    assert!(twice <= EPISODES, "{twice} calls were made again");
    let other = ["run", "live.toml", "--logs", "logs", "--name", "whole", "--quiet"];
    assert_eq!(said(folder, &other).status.code(), Some(0));
    let canonical = |name| said(folder, &["logs", "canonical", name]).stdout;
    let (stopped, whole) = (canonical("logs/live"), canonical("logs/whole"));
    assert!(!whole.is_empty() && stopped == whole, "the canonical logs differ");
}

fn ends_at_the_next_turn(signal: &str) {
    let server = slow();
    let folder = folder(&server);
    let child = started(folder.path(), &server);
    send(child.id(), &[signal]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = text(&output.stderr);
    assert!(told.contains("rolecall resume logs/live"), "{told}");
    assert!(folder.path().join("logs/live/report.html").exists());
    assert_nothing_is_lost(folder.path(), &server);
}

/// Whether these tests were started in the background of a script: then what they start takes no
/// interrupts either.
fn interrupts_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 2 == 2)
}

#[test]
fn an_interrupt_ends_the_run_at_the_next_turns() {
    if interrupts_are_ignored() {
        return;
    }
    ends_at_the_next_turn("INT");
}

#[test]
fn being_terminated_is_the_same_as_an_interrupt() {
    ends_at_the_next_turn("TERM");
}

#[test]
fn a_second_signal_ends_the_run_at_once_with_everything_written() {
    // The second signal must come before the calls end, however late it comes.
    let server = FakeModel::start(Duration::ZERO, |asked| match asked.number {
        EPISODES..SECOND_CALLS_END => Does::Stalls(Duration::from_secs(100)),
        _ => Does::Says("Act: look"),
    });
    let folder = folder(&server);
    let mut child = started(folder.path(), &server);
    let first = match interrupts_are_ignored() {
        true => "HUP",
        false => "INT",
    };
    send(child.id(), &[first]);
    // It says that it heard the first: of two at once the system may hand out the second before.
    let mut remark = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut remark).unwrap();
    send(child.id(), &["TERM"]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{remark}{output:?}");
    assert_nothing_is_lost(folder.path(), &server);
}

/// Signals of a closed terminal come in pairs: from the system and from the shell.
#[test]
fn being_hung_up_twice_is_being_hung_up() {
    let server = slow();
    let folder = folder(&server);
    let child = started(folder.path(), &server);
    send(child.id(), &["HUP", "HUP"]);
    block(Duration::from_millis(2));
    // If it is still there.
    let again = format!("kill -HUP {} 2>/dev/null", child.id());
    Command::new("sh").args(["-c", &again]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_nothing_is_lost(folder.path(), &server);
}

/// What a script puts into the background is not meant by the Ctrl-C that ends the script.
#[cfg(target_os = "linux")]
#[test]
fn in_the_background_of_a_script_an_interrupt_is_ignored() {
    let server = slow();
    let folder = folder(&server);
    let mut command = Command::new("sh");
    let script = "trap '' INT; exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_rolecall")]);
    command.args(RUN).current_dir(folder.path()).env_remove("RUST_LOG");
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = piped.stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| server.requests() >= SECOND_CALLS_END);
    send(child.id(), &["INT", "INT"]);
    block(Duration::from_millis(300));
    // It can be ended nevertheless.
    send(child.id(), &["TERM"]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_nothing_is_lost(folder.path(), &server);
}

#[test]
fn with_nohup_it_goes_on() {
    let server = slow();
    let folder = folder(&server);
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_rolecall")).args(RUN);
    command.current_dir(folder.path()).env_remove("RUST_LOG");
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = piped.stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| server.requests() >= SECOND_CALLS_END);
    send(child.id(), &["HUP"]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let results = fs::read_to_string(folder.path().join("logs/live/results.jsonl")).unwrap();
    assert_eq!(results.lines().count() as u64, EPISODES);
}

#[test]
fn a_terminal_that_is_closed_ends_the_run_and_not_its_ending() {
    if !cfg!(target_os = "linux") || Command::new("script").arg("-V").output().is_err() {
        println!("skipped: there is no `script` of util-linux to run in a terminal of its own");
        return;
    }
    let server = slow();
    let folder = folder(&server);
    let program = env!("CARGO_BIN_EXE_rolecall");
    let command = format!("exec '{program}' {}", RUN.join(" "));
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &command, "/dev/null"]);
    script.current_dir(folder.path()).env_remove("RUST_LOG");
    script.stdin(Stdio::null()).stdout(Stdio::null());
    // Nothing of it is to reach the terminal of whoever runs the tests.
    let mut terminal = script.process_group(0).spawn().unwrap();
    wait_for(|| server.requests() >= SECOND_CALLS_END);
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    let run = folder.path().join("logs/live");
    wait_for(|| !is_running(&run));
    wait_for(|| run.join("report.html").exists());
    let trace = fs::read_to_string(run.join("trace.log")).unwrap();
    assert!(trace.contains("run ends"), "{trace}");
    assert!(!trace.contains("panic"), "{trace}");
    assert_nothing_is_lost(folder.path(), &server);
}
