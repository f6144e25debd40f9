//! Reads a finished run: what was played, how it ended, and a figure of one's own.
//!
//! ```sh
//! cargo run --example read_log -- logs/quickstart
//! ```
//!
//! Without a run it plays a small one first.

#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use rolecall::config::{Request, load};
use rolecall::domain::CellName;
use rolecall::evaluation::{Summary, measure_run};
use rolecall::log::{LogWriter, RunLog};
use rolecall::prelude::*;
use rolecall::runtime::Launch;

/// How many different actions there were, in shares of all. A metric is a function of the events.
struct Variety;

impl Metric for Variety {
    fn name(&self) -> &'static str {
        "variety"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let actions = log.events.iter().filter_map(|event| match &event.message {
            Message::Perform(action) => Some(action.text.as_str()),
            _ => None,
        });
        let actions: Vec<&str> = actions.collect();
        let different: BTreeSet<&str> = actions.iter().copied().collect();
        if actions.is_empty() {
            return Measurement::Absent;
        }
        Measurement::Value(different.len() as f64 / actions.len() as f64)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    match std::env::args_os().nth(1) {
        Some(run) => read(Path::new(&run)),
        None => {
            let run = folder.path().join("run");
            play(&run)?;
            read(&run)
        }
    }
}

/// Plays the first three games of a config that comes along.
fn play(run: &Path) -> Result<(), Box<dyn Error>> {
    let request = Request {
        file: "configs/quickstart.toml".into(),
        sets: vec!["tasks.limit=3".to_owned()],
        working: env!("CARGO_MANIFEST_DIR").into(),
        ..Request::default()
    };
    let plan = load(&request, rolecall::worlds())?.plan;
    let log = LogWriter::create(run, &plan.record, &plan.run.log)?;
    Launch::new(plan, &log, Vec::new()).run(&mut ())?;
    log.close()?;
    Ok(())
}

fn read(run: &Path) -> Result<(), Box<dyn Error>> {
    // Only an index is in memory; episodes are read one at a time.
    let run = RunLog::open(run)?;
    println!("run {}: {} episodes, {} events", run.record().name, run.ids().len(), run.event_count());
    for episode in run.episodes()? {
        let episode = episode?;
        let log = episode.log();
        let counts = log.counts();
        let ending = log.outcome().map_or("unfinished".to_owned(), |outcome| outcome.ending.label());
        println!("  {}: {ending}, {} steps, {} questions", episode.id, counts.steps, counts.questions);
    }

    // The same for a whole run, with intervals; the crate's metrics are `Registry::measured`.
    let results = measure_run(&run, &[&Variety])?;
    let cells: Vec<CellName> = run.record().cells.clone();
    let summary = Summary::of(&results, &cells);
    for row in &summary.rows {
        let cell = row.cell.as_ref().map_or("-", CellName::as_str);
        if let Some(variety) = summary.estimate(row, "variety").value() {
            println!("variety of actions in {cell}: {variety:.2}");
        }
    }
    Ok(())
}
