//! The runtime without any real world: messages per second beside a bare channel, and memory per
//! idle episode. Run with `cargo bench --bench runtime`.
//!
//! Figures are processor time of the whole process (both sides of every channel, the log's thread
//! included), read from `/proc`; elsewhere the bench says so and stops.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::expect_used
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rolecall::domain::Move;
use rolecall::log::LogWriter;
use rolecall::runtime::{Directory, Launch, Observer};
use support::{Does, ToyTasks, friend, plan, play, role};
use tokio_util::sync::CancellationToken;

/// Processor time of this process so far.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    // Fields 14 and 15 of proc(5), in ticks of 10 ms.
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// Resident memory of this process in bytes.
fn resident_bytes() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<f64>()
        .unwrap()
        * 4096.0
}

/// Messages to and fro over two bare channels between two tasks of one thread.
fn bare_channels(messages: u64) -> f64 {
    let before = processor_seconds();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (ask, mut asked) = tokio::sync::mpsc::channel::<u64>(1);
        let (reply, mut replied) = tokio::sync::mpsc::channel::<u64>(1);
        tokio::spawn(async move {
            while let Some(number) = asked.recv().await {
                reply.send(number).await.unwrap();
            }
        });
        for number in 0..messages / 2 {
            ask.send(number).await.unwrap();
            let answer = tokio::time::timeout(Duration::from_secs(60), replied.recv()).await;
            assert_eq!(answer.unwrap(), Some(number));
        }
    });
    messages as f64 / (processor_seconds() - before)
}

/// Whole episodes of the toy world: 46 moves each, every event logged as JSON.
fn episodes(count: usize) -> (f64, f64) {
    let player = || {
        role(|turn| match turn.number {
            0..45 => Move::act("try").into(),
            _ => Move::act("win").into(),
        })
    };
    let mut plan = plan(ToyTasks::new(count), player(), friend());
    plan.cells[0].limits.steps = 50;
    plan.run.concurrency = 1000;
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record).unwrap();
    let before = processor_seconds();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: Arc::from([]),
        stop: CancellationToken::new(),
    };
    let launched = launch.run(&mut support::Watch::default()).unwrap();
    writer.close().unwrap();
    let spent = processor_seconds() - before;
    (launched.events as f64 / spent, count as f64 / spent)
}

/// Notes the memory once all episodes wait, then stops the run.
struct Waiting {
    stop: CancellationToken,
    asked: Arc<AtomicU64>,
    count: u64,
    resident: f64,
}

impl Observer for Waiting {
    fn closed(&mut self, _: &rolecall::evaluation::EpisodeResult, _: &Directory) {}

    fn tick(&mut self, _: &Directory) {
        if self.asked.load(Ordering::Relaxed) == self.count && !self.stop.is_cancelled() {
            self.resident = resident_bytes();
            self.stop.cancel();
        }
    }
}

/// Resident bytes of an episode whose role never answers (conductor, role and environment alive).
fn idle_episode(count: usize) -> f64 {
    let asked = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&asked);
    let silent = role(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Does::Never
    });
    let mut plan = plan(ToyTasks::new(count), silent, friend());
    plan.cells[0].limits.turn = Duration::from_secs(600);
    plan.run.concurrency = count;
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record).unwrap();
    let stop = CancellationToken::new();
    let before = resident_bytes();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: Arc::from([]),
        stop: stop.clone(),
    };
    let mut waiting = Waiting {
        stop,
        asked,
        count: count as u64,
        resident: before,
    };
    launch.run(&mut waiting).unwrap();
    writer.close().unwrap();
    (waiting.resident - before) / count as f64
}

fn main() {
    if !std::path::Path::new("/proc/self/stat").exists() {
        println!("this bench reads /proc, which is not here: nothing measured");
        return;
    }
    let bytes = idle_episode(10_000);
    play(plan(ToyTasks::new(100), support::winner(), friend()));
    let bare = bare_channels(2_000_000);
    let (events, per_second) = episodes(4_000);
    println!(
        "baseline: two bare tokio channels    {:>10.0} messages per CPU second",
        bare
    );
    println!(
        "events recorded, asked, logged       {:>10.0} events per CPU second",
        events
    );
    println!(
        "                                     {:>10.3} of the baseline",
        events / bare
    );
    println!(
        "episodes of 46 moves                 {:>10.0} per CPU second",
        per_second
    );
    println!(
        "memory of an idle episode            {:>10.0} bytes (10,000 alive)",
        bytes
    );
}
