//! The runtime without any real world: events per second beside bare channels and bare actors, and
//! memory per idle episode beside idle actors. Run with `cargo bench --bench runtime`.
//!
//! Figures are processor time of the whole process (both sides of every channel, the log's thread
//! included), read from `/proc`; elsewhere the bench says so and stops.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::expect_used)]

mod measure;
#[path = "../tests/support/toy/mod.rs"]
mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix::prelude::*;
use measure::{measured, resident_bytes, row};
use rolecall::domain::Move;
use rolecall::log::{LogSettings, LogWriter};
use rolecall::runtime::{Directory, Launch, Observer};
use support::{Does, ToyTasks, friend, plan, play, role};
use tokio_util::sync::CancellationToken;

/// Messages to and fro over two bare channels between two tasks of one thread.
fn bare_channels(messages: u64) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let exchange = async {
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
    };
    let ((), spent) = measured(|| runtime.block_on(exchange));
    messages as f64 / spent.processor
}

/// An actor that sends every number back, one less, until none is left.
struct Player {
    other: Option<Recipient<Ball>>,
    over: Option<tokio::sync::oneshot::Sender<()>>,
}

struct Ball(u64);

impl Message for Ball {
    type Result = ();
}

struct Meet(Recipient<Ball>);

impl Message for Meet {
    type Result = ();
}

impl Actor for Player {
    type Context = Context<Self>;
}

impl Handler<Meet> for Player {
    type Result = ();

    fn handle(&mut self, Meet(other): Meet, _: &mut Context<Self>) {
        self.other = Some(other);
    }
}

impl Handler<Ball> for Player {
    type Result = ();

    fn handle(&mut self, Ball(left): Ball, context: &mut Context<Self>) {
        match (left.checked_sub(1), &self.other) {
            (Some(left), Some(other)) => other.do_send(Ball(left)),
            (None, _) | (_, None) => {
                if let Some(over) = self.over.take() {
                    let _ = over.send(());
                }
                context.stop();
            }
        }
    }
}

/// Messages to and fro between two bare actors of one thread, without deadline, log or content.
#[expect(clippy::disallowed_methods, reason = "one message is in flight")]
fn bare_actors(messages: u64) -> f64 {
    let exchange = async {
        let (over, ended) = tokio::sync::oneshot::channel();
        let (one, other) = (None, Some(over));
        let first = Player { other: None, over: one }.start();
        let second = Player { other: Some(first.clone().recipient()), over: other }.start();
        first.do_send(Meet(second.clone().recipient()));
        // The one who holds the end of the channel receives the last ball.
        second.do_send(Ball(messages & !1));
        ended.await.unwrap();
    };
    let ((), spent) = measured(|| System::new().block_on(exchange));
    messages as f64 / spent.processor
}

/// Resident bytes of an actor that waits for its first message.
fn idle_actor(count: usize) -> f64 {
    System::new().block_on(async {
        let before = resident_bytes();
        let start = |_| Player { other: None, over: None }.start();
        let actors: Vec<Addr<Player>> = (0..count).map(start).collect();
        tokio::task::yield_now().await;
        let after = resident_bytes();
        assert_eq!(actors.len(), count);
        (after - before) / count as f64
    })
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
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record, &LogSettings::default()).unwrap();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: Arc::from([]),
        stop: CancellationToken::new(),
        resume_state: rolecall::runtime::ResumeState::default(),
        orders: None,
    };
    let (launched, spent) = measured(|| {
        let launched = launch.run(&mut support::Watch::default()).unwrap();
        writer.close().unwrap();
        launched
    });
    let episodes = count as f64 / spent.processor;
    (launched.events as f64 / spent.processor, episodes)
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

    fn tick(&mut self, _: &Directory, _: &[(String, String)]) {
        if self.asked.load(Ordering::Relaxed) == self.count && !self.stop.is_cancelled() {
            self.resident = resident_bytes();
            self.stop.cancel();
        }
    }
}

/// Resident bytes of an episode whose role never answers (conductor, role and environment alive).
/// All play one task, which they share.
fn idle_episode(count: usize) -> f64 {
    let asked = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&asked);
    let silent = role(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Does::Never
    });
    let mut plan = plan(ToyTasks::new(1), silent, friend());
    plan.repeats = u32::try_from(count).unwrap();
    plan.cells[0].limits.turn = Duration::from_secs(600);
    plan.run.concurrency = count;
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record, &LogSettings::default()).unwrap();
    let stop = CancellationToken::new();
    let before = resident_bytes();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: Arc::from([]),
        stop: stop.clone(),
        resume_state: rolecall::runtime::ResumeState::default(),
        orders: None,
    };
    let mut waiting = Waiting { stop, asked, count: count as u64, resident: before };
    launch.run(&mut waiting).unwrap();
    writer.close().unwrap();
    (waiting.resident - before) / count as f64
}

fn main() {
    if !measure::is_possible() {
        return;
    }
    // Memory first: later a part of what was freed would be used again unseen.
    let actor = idle_actor(10_000);
    let episode = idle_episode(10_000);
    play(plan(ToyTasks::new(100), support::winner(), friend()));
    let channels = bare_channels(2_000_000);
    let actors = bare_actors(2_000_000);
    let (events, episodes) = episodes(4_000);
    let per_second = "per CPU second";
    row("messages, baseline: two bare tokio channels", channels, per_second);
    row("messages, baseline: two bare actix actors", actors, per_second);
    row("events recorded, asked under deadline, logged", events, per_second);
    row("  of bare channels", events / channels, "");
    row("  of bare actors", events / actors, "");
    row("episodes of 46 moves in the toy world", episodes, per_second);
    row("idle actor, baseline (10,000 alive)", actor, "bytes");
    row("idle episode of three actors (10,000 alive)", episode, "bytes");
    row("  of three bare actors", episode / (3.0 * actor), "");
}
