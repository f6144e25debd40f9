//! Participants that keep their thread to themselves: they are named, and one that never gives it
//! back costs the run the episodes of its thread at most.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::toy::{Does, ToyTasks, block, friend, plan, read_events, role};
use rolecall::config::{Plan, PlannedRole, Watching};
use rolecall::domain::{EpisodeId, Event, Message, Move};
use rolecall::evaluation::EpisodeResult;
use rolecall::log::{LogWriter, TIMINGS, read_timings};
use rolecall::runtime::{Blocked, BlockedState, Directory, Launch, Launched, ModelOutage, Observer};
use serde_json::Value;

/// Keeps what it is told.
#[derive(Default)]
struct Told {
    blocked: Vec<Blocked>,
    closed: Vec<EpisodeId>,
    live: Directory,
}

impl Observer for Told {
    fn closed(&mut self, result: &EpisodeResult, _: &Directory) {
        self.closed.push(result.episode.clone());
    }

    fn tick(&mut self, live: &Directory, _: &[ModelOutage]) {
        self.live = live.clone();
    }

    fn blocked(&mut self, blocked: &Blocked) {
        self.blocked.push(blocked.clone());
    }
}

/// Acts three times, and waits a little each time as if somebody was asked; in its first turn of
/// the task 3 it does something else.
fn player(in_three: impl Fn() + Send + Sync + 'static) -> PlannedRole {
    role(move |turn| {
        if turn.episode.task == 3 && turn.number == 0 {
            in_three();
        }
        let made = match turn.number {
            0 | 1 => Move::act("try"),
            _ => Move::act("win"),
        };
        Does::Later(Duration::from_millis(20), Box::new(made.into()))
    })
}

fn planned(tasks: usize, role: PlannedRole, (notice, grace): (u64, u64)) -> Plan {
    let mut plan = plan(ToyTasks::new(tasks), role, friend());
    plan.run.concurrency = 16;
    plan.cells[0].limits.turn = Duration::from_millis(200);
    plan.run.watching = Watching { notice: Duration::from_millis(notice), grace: Duration::from_millis(grace) };
    plan
}

fn run(plan: Plan, folder: &Path) -> (Launched, Told) {
    let path = folder.join("run");
    let writer = LogWriter::create(&path, &plan.record, &plan.run.log).unwrap();
    let mut told = Told::default();
    let launched = Launch::new(plan, &writer, Vec::new()).run(&mut told);
    writer.close().unwrap();
    (launched.unwrap(), told)
}

/// The lines of `timings.jsonl` about blocked threads.
fn blocks(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join(TIMINGS)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["kind"] == "block").collect()
}

fn is_closed(events: &[Event]) -> bool {
    matches!(events.last().unwrap().message, Message::Closed(_))
}

#[test]
fn who_keeps_its_thread_is_named_and_nobody_else_is_blamed() {
    let folder = tempfile::tempdir().unwrap();
    let role = player(|| block(Duration::from_millis(900)));
    let (launched, told) = run(planned(16, role, (250, 60_000)), folder.path());
    assert_eq!(launched.results.len(), 16);
    for result in &launched.results {
        assert!(result.success && result.faults.is_empty(), "{result:?}");
    }
    let states: Vec<BlockedState> = told.blocked.iter().map(|blocked| blocked.state).collect();
    let expected = [BlockedState::GoesOn, BlockedState::GoesOn, BlockedState::Over];
    assert_eq!(states, expected, "{:?}", told.blocked);
    let first = &told.blocked[0];
    assert_eq!((first.episode.to_string().as_str(), first.who.as_str()), ("main:3:0", "executor"));
    assert!(first.others >= 1 && first.time >= Duration::from_millis(250), "{first:?}");
    let lines = blocks(&folder.path().join("run"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!((&lines[0]["episode"], &lines[0]["by"]), (&"main:3:0".into(), &"executor".into()));
    assert_eq!(lines[0]["given_up"], false);
    assert!(lines[0]["blocked_ms"].as_f64().unwrap() >= 500.0, "{lines:?}");
    // They are no timings of episodes.
    assert_eq!(read_timings(&folder.path().join("run")).len(), 16);
}

/// A role that keeps its thread until the flag is set.
fn stubborn(free: &Arc<AtomicBool>) -> PlannedRole {
    let free = Arc::clone(free);
    player(move || {
        while !free.load(Ordering::Relaxed) {
            block(Duration::from_millis(5));
        }
    })
}

/// What must hold of a run whose task 3 was given up with its thread.
fn assert_given_up(launched: &Launched, told: &Told, run: &Path, tasks: usize) {
    let given_up: BTreeSet<&EpisodeId> = launched.given_up.iter().collect();
    let three: EpisodeId = "main:3:0".parse().unwrap();
    assert!(given_up.contains(&three), "{given_up:?}");
    assert!(given_up.len() <= 16, "{given_up:?}");
    assert_eq!(given_up.len() + launched.results.len(), tasks);
    assert!(launched.results.iter().all(|result| result.success));
    let episodes = read_events(run);
    assert!(episodes.len() <= tasks);
    for (id, events) in &episodes {
        assert_eq!(is_closed(events), !given_up.contains(id), "{id}");
        assert_eq!(told.closed.contains(id), !given_up.contains(id), "{id}");
    }
    assert!(told.live.is_empty(), "{:?}", told.live.ids());
    let last = told.blocked.last().unwrap();
    assert_eq!((last.state, &last.episode), (BlockedState::GivenUp, &three));
    let lines = blocks(run);
    assert_eq!(lines.last().unwrap()["given_up"], true);
}

#[test]
fn a_thread_that_never_comes_back_is_given_up_and_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let free = Arc::new(AtomicBool::new(false));
    // More tasks than permits: those of the lost episodes must be used again.
    let (launched, told) = run(planned(80, stubborn(&free), (200, 300)), folder.path());
    assert_given_up(&launched, &told, &folder.path().join("run"), 80);
    free.store(true, Ordering::Relaxed);
}

#[test]
fn a_thread_that_comes_back_after_it_was_given_up_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let free = Arc::new(AtomicBool::new(false));
    let later = Arc::clone(&free);
    // The last task ends only after the thread has come back.
    let stubborn = stubborn(&free).factory;
    let role = PlannedRole { factory: stubborn, ..role(|_| Move::act("win").into()) };
    let freeing = std::thread::spawn(move || {
        block(Duration::from_millis(900));
        later.store(true, Ordering::Relaxed);
    });
    let (launched, told) = run(planned(600, role, (200, 300)), folder.path());
    freeing.join().unwrap();
    assert_given_up(&launched, &told, &folder.path().join("run"), 600);
}

#[test]
fn a_run_that_is_to_end_does_not_wait_for_a_lost_thread() {
    let folder = tempfile::tempdir().unwrap();
    let free = Arc::new(AtomicBool::new(false));
    let mut plan = planned(8, stubborn(&free), (200, 3_600_000));
    plan.cells[0].limits.turn = Duration::from_secs(3600);
    let path = folder.path().join("run");
    let writer = LogWriter::create(&path, &plan.record, &plan.run.log).unwrap();
    let launch = Launch::new(plan, &writer, Vec::new());
    let stop = launch.stop.clone();
    let stopping = std::thread::spawn(move || {
        block(Duration::from_millis(400));
        stop.cancel();
    });
    let launched = launch.run(&mut Told::default()).unwrap();
    writer.close().unwrap();
    stopping.join().unwrap();
    assert!(launched.given_up.contains(&"main:3:0".parse().unwrap()));
    free.store(true, Ordering::Relaxed);
}
