//! Whole household episodes: rule-based executor and helpful user on the built-in games,
//! under the runtime, beside the same participants in a plain loop without actors, log or metrics.
//! Run with `cargo bench --bench episodes`.
//!
//! The runtime does what `rolecall run` does: opens tasks, plays, measures, writes the log.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::expect_used)]

mod measure;
mod plain_loop;

use std::path::Path;
use std::sync::Arc;

use measure::{Spent, measured, resident_bytes};
use rolecall::config::{Plan, Request, load};
use rolecall::evaluation::EpisodeResult;
use rolecall::log::{LogSettings, LogWriter};
use rolecall::runtime::{Directory, Launch, Observer};
use tokio_util::sync::CancellationToken;

/// Episodes per measurement, about.
const EPISODES: usize = 10_000;

/// Notes how many episodes were alive at once and how much memory the process had.
#[derive(Default)]
struct Watch {
    live: usize,
    resident: f64,
    directory: Directory,
}

impl Observer for Watch {
    fn closed(&mut self, _: &EpisodeResult, live: &Directory) {
        self.live = self.live.max(live.len());
    }

    fn tick(&mut self, live: &Directory, _: &[(String, String)]) {
        self.directory = live.clone();
        self.resident = self.resident.max(resident_bytes());
    }
}

fn plan(concurrency: usize) -> Plan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let request = Request {
        file: root.join("configs/household/respact.toml"),
        sets: vec!["environment.games=12".to_owned()],
        working: root.to_owned(),
        ..Request::default()
    };
    let mut plan = load(&request, rolecall::worlds()).unwrap().plan;
    plan.repeats = u32::try_from(EPISODES.div_ceil(plan.episodes())).unwrap();
    plan.run.concurrency = concurrency;
    plan
}

/// The same episodes in a plain loop: how many, how many moves, what they cost.
fn plain_loop(plan: &Plan) -> (usize, u64, Spent) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut moves = 0;
    let play_all = || {
        for index in &plan.tasks {
            let cell = &plan.cells[0];
            let task = cell.tasks.open(*index).unwrap();
            for _ in 0..plan.repeats {
                let played = plain_loop::play(&task, cell, plan.seed);
                let (made, solved) = runtime.block_on(played);
                assert!(solved);
                moves += u64::from(made);
            }
        }
    };
    let ((), spent) = measured(play_all);
    (plan.episodes(), moves, spent)
}

fn line(what: &str, (episodes, moves): (usize, u64), spent: Spent, rest: &str) {
    let count = episodes as f64;
    println!(
        "{what:<24}{episodes:>8}{:>13.1}{:>16.0}{:>14.0}{rest}",
        moves as f64 / count,
        count / spent.processor,
        count / spent.wall,
    );
}

fn under_the_runtime(concurrency: usize, baseline: f64) {
    let plan = plan(concurrency);
    let folder = tempfile::tempdir().unwrap();
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record, &LogSettings::default()).unwrap();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: rolecall::worlds().measured().into(),
        stop: CancellationToken::new(),
        resume_state: rolecall::runtime::ResumeState::default(),
        orders: None,
    };
    let mut watch = Watch::default();
    let (launched, spent) = measured(|| {
        let launched = launch.run(&mut watch).unwrap();
        writer.close().unwrap();
        launched
    });
    assert!(watch.directory.is_empty());
    assert!(launched.results.iter().all(|result| result.success));
    let moves = launched.results.iter().map(|result| u64::from(result.counts.steps)).sum();
    let episodes = launched.results.len();
    let ratio = spent.processor / episodes as f64 * baseline;
    let events = launched.events as f64 / spent.processor;
    let (most, after) = (watch.resident / 1e6, resident_bytes() / 1e6);
    let rest = format!("{ratio:>8.2}{events:>16.0}{:>8}{most:>10.0}{after:>10.0}", watch.live);
    let what = format!("runtime, {concurrency} at once");
    line(&what, (episodes, moves), spent, &rest);
}

fn main() {
    if !measure::is_possible() {
        return;
    }
    println!(
        "{:<24}{:>8}{:>13}{:>16}{:>14}{:>8}{:>16}{:>8}{:>10}{:>10}",
        "household, respact",
        "episodes",
        "moves each",
        "per CPU second",
        "per second",
        "cost",
        "events/CPU s",
        "alive",
        "MB, most",
        "MB, after"
    );
    let (episodes, moves, spent) = plain_loop(&plan(1));
    line("baseline: plain loop", (episodes, moves), spent, "    1.00");
    let baseline = episodes as f64 / spent.processor;
    // The last once more: memory that was freed but not given back is used again.
    for concurrency in [1, 64, 1000, 10_000, 10_000] {
        under_the_runtime(concurrency, baseline);
    }
}
