//! `rolecall replay`: plays the episodes of a run again and says whether they come out the same.

mod told;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use self::told::Way;
use super::again::{Again, again};
use super::progress::bar;
use super::show::ChoiceArguments;
use super::{diagnostics, episodes, output, runs};
use crate::config::Change;
use crate::log::RunLog;
use crate::runtime::{Replay, replay_run};

/// The most changes of the config that are named.
const MOST_CHANGES: usize = 5;

/// The arguments of `replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// The run's folder, or its name below `logs`
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The episodes as cell:task:repeat, for instance main:12:0, or just 12 if that is enough;
    /// without them, all are played again
    #[arg(value_name = "EPISODE")]
    episode: Vec<String>,
    /// Only with roles and users: they take their turns again, on the replies of models that were
    /// recorded
    #[arg(long, conflicts_with = "log")]
    models: bool,
    /// Only without roles and users: what they did is taken from the log, and the strategy and the
    /// environment are played again
    #[arg(long)]
    log: bool,
    /// Print what was found as one JSON object, with every difference
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: ChoiceArguments,
}

impl ReplayArguments {
    /// Who is played again, one after the other.
    fn ways(&self) -> Vec<Replay> {
        match (self.models, self.log) {
            (true, _) => vec![Replay::Models],
            (_, true) => vec![Replay::Log],
            (false, false) => vec![Replay::Models, Replay::Log],
        }
    }
}

/// Plays episodes again and prints how many came out identical, and the first difference of each
/// that did not.
pub(crate) fn execute(arguments: &ReplayArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let Again { resolved, changes } = again(run.folder(), &[], &[])?;
    tell_changes(&changes);
    let ids = episodes::chosen(&run, &arguments.episode, &arguments.choice)?;
    diagnostics::trace_panics();
    let mut ways = Vec::new();
    for who in arguments.ways() {
        let progress = bar(ids.len(), "episodes again", std::io::stderr().is_terminal());
        let replayed = replay_run(&resolved.plan, &run, &ids, who, &|_| progress.inc(1));
        progress.finish_and_clear();
        let way = Way { who, replayed };
        if !arguments.json {
            output::emit(&way.text())?;
        }
        ways.push(way);
    }
    if arguments.json {
        output::emit(&json(&run, &ways))?;
    }
    let differ = ways.iter().any(|way| way.identical() < way.replayed.len());
    Ok(ExitCode::from(u8::from(differ)))
}

/// Says what is another thing than when the run was played: it explains differences.
fn tell_changes(changes: &[Change]) {
    for change in changes.iter().take(MOST_CHANGES) {
        output::note(&format!("note: changed since the run: {change}"));
    }
    if let Some(more @ 1..) = changes.len().checked_sub(MOST_CHANGES) {
        output::note(&format!("note: {more} more of the config changed"));
    }
}

fn json(run: &RunLog, ways: &[Way]) -> String {
    let ways: Vec<serde_json::Value> = ways.iter().map(Way::json).collect();
    let run = run.folder().display().to_string();
    format!("{}\n", serde_json::json!({ "run": run, "replays": ways }))
}
