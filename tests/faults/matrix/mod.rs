//! Every kind of participant fails in every way, in a thousand episodes at once: each episode that it
//! touches has its typed ending, and everything else is as in a run in which nobody fails.

mod cast;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::support::fake_model::cast::{calling, client, settings};
use crate::support::fake_model::{self, FakeModel};
use crate::support::toy::{Watch, block, read_events};
use cast::{Breaks, CASES, FaultyMetric, How, TASKS, Who};
use cast::{alive, breaker, cell_name, is_affected, is_failure, plan, serves};
use rolecall::config::Plan;
use rolecall::domain::{CellName, Ending, EpisodeId, Event, FaultKind, Message};
use rolecall::evaluation::{EpisodeResult, Standing, Summary};
use rolecall::log::LogWriter;
use rolecall::ports::{Metric, ModelClient};
use rolecall::runtime::Launch;

/// What a run left behind.
struct Ran {
    results: BTreeMap<EpisodeId, EpisodeResult>,
    events: BTreeMap<EpisodeId, Vec<Event>>,
    live_at_the_end: usize,
    most_live: usize,
}

fn run(plan: Plan) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let writer = LogWriter::create(&path, &plan.record, &plan.run.log).unwrap();
    let metrics = vec![&FaultyMetric as &'static dyn Metric];
    let mut watch = Watch::default();
    let launched = Launch::new(plan, &writer, metrics).run(&mut watch).unwrap();
    writer.close().unwrap();
    let results = launched.results.into_iter();
    Ran {
        results: results.map(|result| (result.episode.clone(), result)).collect(),
        events: read_events(&path),
        live_at_the_end: watch.directory.len(),
        most_live: watch.live,
    }
}

/// A client of the server; it gives up soon.
fn model(server: &FakeModel) -> Arc<dyn ModelClient> {
    let mut settings = settings(&server.url());
    settings.retries.attempts = 2;
    settings.limits.in_flight = 512;
    client(&settings)
}

fn faults(events: &[Event]) -> Vec<FaultKind> {
    let faults = events.iter().filter_map(|event| match &event.message {
        Message::Fault(fault) => Some(fault.kind),
        _ => None,
    });
    faults.collect()
}

/// What must hold of an affected episode.
fn check_affected(case: &(Who, How, Breaks), result: &EpisodeResult, events: &[Event]) {
    let (who, how, breaks) = *case;
    let faults = faults(events);
    let ending = result.ending.as_ref().unwrap();
    match breaks {
        Some(kind) => {
            let expected =
                if is_failure(case) { (Ending::Unusable, Standing::Counted) } else { (breaker(who), Standing::Broken) };
            let found = (ending.clone(), result.standing());
            assert_eq!(found, expected, "{case:?}: {faults:?}");
            assert!(!result.success);
            let attempts = match (who, how) {
                (Who::Strategy, _) | (Who::Model, How::Never) => 1,
                _ => 3,
            };
            assert_eq!(faults, vec![kind; attempts], "{case:?}");
        }
        None if who == Who::Agent => {
            assert_eq!(ending.label(), "out of steps");
            assert!(!result.success && result.standing() == Standing::Counted);
        }
        None => {
            assert_eq!(*ending, Ending::Solved, "{case:?}: {faults:?}");
            let kind = match how {
                How::Panics => FaultKind::Panic,
                _ => FaultKind::Deadline,
            };
            // Role and user, each once.
            let expected = if who == Who::All { vec![kind; 2] } else { Vec::new() };
            assert_eq!(faults, expected, "{case:?}");
        }
    }
}

/// Nothing that takes part in episodes is alive any more. Threads of arbiters end a little after
/// their run.
fn assert_nobody_lives() {
    for _ in 0..500 {
        if alive() == 0 {
            return;
        }
        block(Duration::from_millis(10));
    }
    panic!("{} participants and strategies are alive after the run", alive());
}

/// Resident memory in bytes, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[test]
fn a_thousand_episodes_and_every_fault() {
    let server = FakeModel::start(Duration::from_millis(5), serves);
    let good = FakeModel::friendly();
    let undisturbed = run(plan(false, &model(&good)));
    assert_nobody_lives();
    let ran = run(plan(true, &model(&server)));
    assert_nobody_lives();
    let count = CASES.len() * TASKS;
    assert!(count > 1000);
    assert_eq!((ran.results.len(), ran.events.len()), (count, count));
    assert_eq!(ran.live_at_the_end, 0);
    assert!(ran.most_live > count / 4, "{} at once", ran.most_live);
    for case in &CASES {
        let cell = cell_name(case);
        for (id, result) in ran.results.iter().filter(|(id, _)| id.cell == cell) {
            let events = &ran.events[id];
            if is_affected(id.task) {
                check_affected(case, result, events);
            } else {
                assert_eq!(*events, undisturbed.events[id], "{id}");
                assert_eq!(*result, undisturbed.results[id], "{id}");
                assert!(result.success);
            }
        }
    }
    check_summary(&ran);
}

/// The report keeps what the agent failed at apart from what was broken.
fn check_summary(ran: &Ran) {
    let cells: Vec<CellName> = CASES.iter().map(cell_name).collect();
    let results: Vec<EpisodeResult> = ran.results.values().cloned().collect();
    let summary = Summary::of(&results, &cells);
    let affected = (0..TASKS as u32).filter(|task| is_affected(*task)).count();
    let breaks = |case: &(Who, How, Breaks)| case.2.is_some() && !is_failure(case);
    let breaking = CASES.iter().filter(|case| breaks(case)).count();
    let total = &summary.total;
    assert_eq!(total.broken, breaking * affected);
    assert_eq!(total.counted, total.episodes - total.broken);
    assert_eq!((total.cancelled, total.unfinished), (0, 0));
    assert_eq!(total.endings["out of steps"], affected);
    let failing = CASES.iter().filter(|case| is_failure(case)).count();
    assert_eq!(total.endings["unusable answers"], failing * affected);
    for (row, case) in summary.rows.iter().zip(&CASES) {
        let broken = if breaks(case) { affected } else { 0 };
        assert_eq!(row.broken, broken, "{case:?}");
    }
}

/// What the test below starts in a process of its own.
#[test]
#[ignore = "started by `memory_goes_back_to_base`"]
fn rounds() {
    let server = FakeModel::start(Duration::from_millis(5), serves);
    let mut after = Vec::new();
    for _ in 0..4 {
        let mut plan = plan(true, &model(&server));
        // These take their time.
        let slow = ["model-never", "strategy-never"];
        plan.cells.retain(|cell| !slow.contains(&cell.name.as_str()));
        drop(run(plan));
        assert_nobody_lives();
        after.extend(resident());
    }
    println!("bytes after each round: {after:?}");
    if let [_, second, _, fourth] = after[..] {
        let more = fourth.saturating_sub(second);
        assert!(more < 16 << 20, "bytes after each round: {after:?}");
    }
}

#[test]
fn memory_goes_back_to_base() {
    // With an arena per thread, glibc keeps what the threads of earlier runs gave back.
    let rounds = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "matrix::rounds", "--ignored", "--nocapture"])
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&rounds.stderr);
    let told = said.lines().filter(|line| !line.contains("toy"));
    let told: Vec<&str> = told.collect();
    let last = &told[told.len().saturating_sub(20)..];
    assert!(rounds.status.success(), "{last:#?}");
}

/// A model server in a process of its own.
struct Server(std::process::Child);

impl Server {
    fn start(address: SocketAddr) -> Self {
        let server = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "matrix::serve", "--ignored"])
            .env("ADDRESS", address.to_string())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while std::net::TcpStream::connect(address).is_err() {
            block(Duration::from_millis(5));
        }
        Self(server)
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// What [`Server`] starts.
#[test]
#[ignore = "started by other tests"]
fn serve() {
    let address = std::env::var("ADDRESS").unwrap().parse().unwrap();
    let _server = FakeModel::at(address, Duration::from_millis(20));
    // The parent kills it; if that is gone, nobody needs it any more.
    block(Duration::from_secs(60));
}

/// An address that is free.
fn address() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

#[test]
fn a_server_process_that_is_killed_breaks_nothing_if_it_comes_back() {
    let address = address();
    let server = Server::start(address);
    let mut settings = settings(&format!("http://{address}/v1"));
    settings.limits.in_flight = 16;
    let watching = std::thread::spawn(move || {
        block(Duration::from_millis(200));
        server.kill();
        block(Duration::from_millis(300));
        Server::start(address)
    });
    let ran = fake_model::cast::run(calling(&client(&settings), 300, 3));
    watching.join().unwrap().kill();
    ran.assert_solved(300);
    assert!(!ran.pauses.is_empty(), "it was away");
}

#[test]
fn a_server_process_that_is_killed_for_good_ends_the_run_and_breaks_nothing() {
    let address = address();
    let server = Server::start(address);
    let mut settings = settings(&format!("http://{address}/v1"));
    settings.limits.in_flight = 16;
    settings.retries.outage = Duration::from_millis(400);
    let watching = std::thread::spawn(move || {
        block(Duration::from_millis(200));
        server.kill();
    });
    let ran = fake_model::cast::run(calling(&client(&settings), 300, 3));
    watching.join().unwrap();
    assert_eq!(ran.launched.lost[0].0, "fake");
    let endings = ran.endings();
    let solved = format!("{:?}", Ending::Solved);
    let solved = endings.get(&solved).copied().unwrap_or_default();
    assert_eq!(endings["open"] + solved, 300, "{endings:?}");
    assert!(ran.episodes.values().all(|events| faults(events).is_empty()));
}
