//! Runs that workers play which are killed, stopped or cut off: every episode counts once, with the bytes of an
//! undisturbed run. `ROLECALL_WORKER_KILLS` says how many are killed, and `ROLECALL_WORKER_EPISODES` how much
//! there is to play (`tests/long/worker_kills.sh`).

#![allow(clippy::disallowed_methods, reason = "it waits for other processes")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::kill_resume::{Numbers, says};
use crate::support::binary::{rolecall, text};
use crate::support::fake_model::FakeModel;
use crate::support::nats_server::{NatsServer, program};

/// Workers that play at the same time.
const WORKERS: usize = 4;
/// Episodes that each of them plays at the same time.
const ALIVE: &str = "4";
/// Nobody waits for longer for a run that does not end.
const LONGEST: Duration = Duration::from_secs(900);

fn number(variable: &str, otherwise: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(otherwise, |given| given.parse().unwrap())
}

/// Workers of one queue.
struct Crew<'a> {
    folder: &'a Path,
    queue: String,
    started: usize,
    alive: Vec<Child>,
}

impl<'a> Crew<'a> {
    fn new(folder: &'a Path, queue: &str) -> Self {
        let mut crew = Self { folder, queue: queue.to_owned(), started: 0, alive: Vec::new() };
        for _ in 0..WORKERS {
            let worker = crew.start();
            crew.alive.push(worker);
        }
        crew
    }

    fn start(&mut self) -> Child {
        self.started += 1;
        let name = format!("w{}", self.started);
        let command = ["worker", "--queue", &self.queue, "--name", &name, "--logs", "own"];
        let more = ["--concurrency", ALIVE, "--arbiters", "1"];
        let mut command = rolecall(self.folder, &[&command[..], &more].concat());
        // What it says is looked at where it fails.
        let said = fs::File::create(self.folder.join(format!("{name}.txt"))).unwrap();
        command.stdout(Stdio::null()).stderr(said).spawn().unwrap()
    }

    /// Kills one without a warning, and starts another.
    fn replace(&mut self, which: usize) {
        self.alive[which].kill().unwrap();
        self.alive[which].wait().unwrap();
        self.alive[which] = self.start();
    }
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        for worker in &mut self.alive {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

/// Waits for the end of a process, and does something meanwhile, again and again.
fn until_over(mut run: Child, mut meanwhile: impl FnMut()) -> Output {
    let began = Instant::now();
    while run.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < LONGEST, "the run does not end");
        meanwhile();
    }
    run.wait_with_output().unwrap()
}

fn plan(folder: &Path, config: &str, queue: &str, more: &[&str]) -> Child {
    let arguments = ["run", config, "--queue", queue, "--name", "many", "--logs", "logs", "-q"];
    let lease = ["--set", "queue.lease_seconds=1", "--no-report"];
    let mut command = rolecall(folder, &[&arguments[..], &lease, more].concat());
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn canonical(folder: &Path, run: &str) -> Vec<u8> {
    let run = format!("logs/{run}");
    let verified = rolecall(folder, &["logs", "verify", &run]).output().unwrap();
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    let printed = rolecall(folder, &["logs", "canonical", &run]).output().unwrap();
    assert!(printed.status.success(), "{}", text(&printed.stderr));
    printed.stdout
}

/// Plays the built-in games by workers that are killed, and compares with a run of one process.
fn killed_over(queue: &str, folder: &Path, mut meanwhile: impl FnMut(u64)) {
    let (kills, episodes) = (number("ROLECALL_WORKER_KILLS", 6), number("ROLECALL_WORKER_EPISODES", 134));
    let repeats = format!("repeats={}", episodes.div_ceil(67));
    let more = ["--set", &repeats, "--set", "run.concurrency=8", "--per-job", "5"];
    // A single cell, so that there are as many episodes as were asked for.
    let config = "household/react";
    let alone = ["run", config, "--name", "one", "--logs", "logs", "-q", "--no-report", "--set", &repeats];
    assert!(rolecall(folder, &alone).output().unwrap().status.success());
    let run = plan(folder, config, queue, &more);
    let mut crew = Crew::new(folder, queue);
    let (mut numbers, mut killed) = (Numbers(7), 0);
    let over = until_over(run, || {
        thread::sleep(Duration::from_millis(50 + numbers.below(400)));
        meanwhile(killed);
        if killed < kills {
            let which = numbers.below(WORKERS as u64) as usize;
            crew.replace(which);
            killed += 1;
        }
    });
    assert!(over.status.success(), "{}", text(&over.stderr));
    println!("{killed} workers were killed, {} worked", crew.started);
    assert!(killed > 0, "the run was over before anybody was killed");
    assert!(canonical(folder, "one") == canonical(folder, "many"), "the logs differ");
}

#[test]
fn workers_of_a_folder_are_killed_and_every_episode_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    killed_over("dir:queue", folder.path(), |_| ());
}

#[test]
fn workers_and_the_server_of_nats_are_killed_and_every_episode_counts_once() {
    let Some(program) = program() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut server = NatsServer::start(program, "");
    let queue = format!("nats://127.0.0.1:{}", server.port);
    killed_over(&queue, folder.path(), |killed| {
        if killed % 4 == 2 {
            server.kill();
            thread::sleep(Duration::from_millis(200));
            server.restart();
        }
    });
}

fn with_models(folder: &Path, latency: u64) -> FakeModel {
    let server = FakeModel::start(Duration::from_millis(latency), says);
    let more = "limits = { steps = 8 }\ntasks = { limit = 16 }";
    server.write_config(folder, more, "");
    server
}

#[test]
fn what_models_said_is_paid_once_but_for_what_was_in_flight() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_models(folder.path(), 60);
    let alone = ["run", "live.toml", "--name", "one", "--logs", "logs", "-q", "--no-report"];
    rolecall(folder.path(), &alone).output().unwrap();
    let calls = server.requests();
    let run = plan(folder.path(), "live.toml", "dir:queue", &["--set", "run.concurrency=4"]);
    let mut crew = Crew::new(folder.path(), "dir:queue");
    let kills = number("ROLECALL_WORKER_KILLS", 3);
    let (mut numbers, mut killed) = (Numbers(3), 0);
    let over = until_over(run, || {
        thread::sleep(Duration::from_millis(250));
        let asked = server.requests() - calls;
        // Somewhere in the middle of its episodes.
        if killed < kills && asked > (killed + 1) * 10 {
            let which = numbers.below(WORKERS as u64) as usize;
            crew.replace(which);
            killed += 1;
        }
    });
    // Episodes of a model that goes nowhere are failures, not faults.
    assert!(over.status.code().is_some_and(|code| code <= 1), "{}", text(&over.stderr));
    assert!(killed > 0);
    assert!(canonical(folder.path(), "one") == canonical(folder.path(), "many"), "the logs differ");
    let more = server.requests() - 2 * calls;
    println!("{killed} workers were killed; {calls} calls, {more} more were sent");
    // In flight, or answered and not shipped yet: two calls of each episode that a killed worker played.
    let most = killed * ALIVE.parse::<u64>().unwrap() * 2;
    assert!(more <= most, "{more} calls were sent that were not needed");
    let record = fs::read_to_string(folder.path().join("logs/many/run.toml")).unwrap();
    let record: toml::Table = record.parse().unwrap();
    let workers = record["workers"].as_array().unwrap();
    // One that is killed before it has taken an episode leaves nothing.
    assert!((crew.started - killed as usize..=crew.started).contains(&workers.len()), "{workers:?}");
    let taken = |own: &toml::Value| own.get("taken_over").map_or(0, |count| count.as_integer().unwrap());
    let taken: i64 = workers.iter().map(taken).sum();
    assert!(taken > 0 || more == 0, "nobody says what was played again");
}

#[test]
fn workers_share_what_a_run_may_spend() {
    let folder = tempfile::tempdir().unwrap();
    let server = FakeModel::start(Duration::from_millis(20), says);
    // A call generates 16 tokens for 1 EUR.
    let model = "spend = 40\nprices = { input = 0, output = 62500, currency = \"EUR\" }\n";
    let more = "limits = { steps = 8 }\ntasks = { limit = 16 }";
    server.write_config(folder.path(), more, model);
    let run = plan(folder.path(), "live.toml", "dir:queue", &[]);
    let mut crew = Crew::new(folder.path(), "dir:queue");
    for worker in &mut crew.alive {
        // It ends because of the money, before its work is done.
        assert_eq!(worker.wait().unwrap().code(), Some(1));
    }
    // What a script starts in the background ignores Ctrl-C.
    signal("-TERM", &run);
    let over = until_over(run, || thread::sleep(Duration::from_millis(50)));
    assert_eq!(over.status.code(), Some(1), "{}", text(&over.stderr));
    // Calls that are in flight when the money is gone are paid for; what is left for each pays for none.
    let in_flight = WORKERS as u64 * ALIVE.parse::<u64>().unwrap();
    let calls = server.requests();
    println!("{calls} calls of 40 that may be paid for");
    assert!((40 - WORKERS as u64..40 + in_flight).contains(&calls), "{calls}");
}

#[test]
fn what_is_no_queue_begins_no_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("taken")).unwrap();
    fs::write(folder.path().join("taken/manifest.json"), "{}").unwrap();
    for queue in ["here", "dir:", "http://here", "dir:taken"] {
        let run = rolecall(folder.path(), &["run", "quickstart", "--queue", queue]).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{queue}");
        assert!(text(&run.stderr).contains("cannot be used"), "{}", text(&run.stderr));
        assert!(!folder.path().join("logs").exists(), "{queue}");
    }
}

/// Sends a signal to a process.
fn signal(name: &str, worker: &Child) {
    let sent = Command::new("kill").args([name, &worker.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_worker_that_was_frozen_for_three_leases_commits_too_late() {
    let folder = tempfile::tempdir().unwrap();
    let server = with_models(folder.path(), 200);
    let one = ["--set", "tasks.limit=1"];
    let run = plan(folder.path(), "live.toml", "dir:queue", &one);
    let work = |name: &str| {
        let arguments = ["worker", "--queue", "dir:queue", "--name", name, "--logs", "own", "-q"];
        let mut command = rolecall(folder.path(), &arguments);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let frozen = work("frozen");
    while server.requests() < 2 {
        thread::sleep(Duration::from_millis(10));
    }
    signal("-STOP", &frozen);
    let other = work("other");
    let over = until_over(run, || thread::sleep(Duration::from_millis(50)));
    assert!(over.status.code().is_some_and(|code| code <= 1), "{}", text(&over.stderr));
    let first = canonical(folder.path(), "many");
    signal("-CONT", &frozen);
    let said: BTreeMap<&str, String> = [("frozen", frozen), ("other", other)]
        .into_iter()
        .map(|(name, worker)| (name, text(&worker.wait_with_output().unwrap().stdout)))
        .collect();
    assert!(said["other"].contains("1 taken over"), "{said:?}");
    assert!(said["frozen"].contains("1 too late"), "{said:?}");
    assert!(first == canonical(folder.path(), "many"));
}
