//! `rolecall replay`: plays the episodes of a run again and says whether they come out the same.

mod report;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use self::report::Way;
use super::choice::ChoiceArguments;
use super::progress::{bar, prepare};
use super::reload_plan::{ReloadedPlan, reload_plan};
use super::{diagnostics, episodes, output, runs};
use rolecall_core::log::{Accepted, RunLog};
use rolecall_core::text::{joined, visible};
use rolecall_run::config::{Absent, Change};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{Replay, replay_run};

/// The most changes of the config that are named.
const MOST_CHANGES: usize = 5;

/// The arguments of `replay`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// The episodes as cell:task:repeat, for instance main:12:0, or just 12 if that is enough;
    /// without them, all are played again
    episode: Vec<String>,
    /// Only with roles and users: they take their turns again, on the replies of models that were
    /// recorded
    #[arg(long, conflicts_with = "log")]
    models: bool,
    /// Only without roles and users: what they did is taken from the log, and the strategy and the
    /// environment are played again
    #[arg(long)]
    log: bool,
    /// Give a value of the run's config again that may be a secret, so that `run.toml` does not have it;
    /// may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
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
pub(crate) fn execute(arguments: &ReplayArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let absent = match arguments.log {
        true => Absent::Unasked,
        false => Absent::Taken,
    };
    let ReloadedPlan { resolved, changes } = reload_plan(run.folder(), &arguments.sets, &[], absent, registry)?;
    print_changes(&changes);
    print_accepted(&run.record().changes);
    let ids = episodes::chosen(&run, &arguments.episode, &arguments.choice, registry)?;
    diagnostics::trace_panics();
    prepare(&resolved.plan, false)?;
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
        output::emit_json(&as_json(&run, &ways))?;
    }
    let differ = ways.iter().any(|way| way.identical() < way.replayed.len());
    Ok(ExitCode::from(u8::from(differ)))
}

/// Prints the changes since the run was played: they explain differences.
pub(crate) fn print_changes(changes: &[Change]) {
    for change in changes.iter().take(MOST_CHANGES) {
        output::remark(&format!("note: changed since the run: {change}"));
    }
    if let Some(more @ 1..) = changes.len().checked_sub(MOST_CHANGES) {
        output::remark(&format!("note: {more} more of the config changed"));
    }
}

/// Prints the changes while the run was played: episodes before have no config any more by which they could
/// be played again.
fn print_accepted(accepted: &[Accepted]) {
    for entry in accepted {
        let count = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
        output::remark(&format!(
            "note: `--accept-changes`, with {} episodes closed and {} open: {}",
            count(entry.closed),
            count(entry.open),
            visible(&changes_line(&entry.what))
        ));
    }
    if !accepted.is_empty() {
        output::remark(
            "note: all episodes are played again by the config as it is now; those that were begun \
             before changes were accepted (`[[changes]]` in `run.toml`) may differ for that reason \
             alone",
        );
    }
}

/// The first changes in one line.
fn changes_line(what: &[String]) -> String {
    let first = what.iter().take(MOST_CHANGES).map(String::as_str);
    joined(first.chain(what.get(MOST_CHANGES).map(|_| "...")))
}

fn as_json(run: &RunLog, ways: &[Way]) -> String {
    let ways: Vec<Value> = ways.iter().map(Way::json).collect();
    let folder = run.folder().display().to_string();
    let accepted = run.record().changes.iter().map(|entry| {
        json!({
            "episodes_closed": entry.closed,
            "episodes_open": entry.open,
            "what": entry.what,
        })
    });
    let accepted: Vec<Value> = accepted.collect();
    let object = json!({ "run": folder, "accepted_changes": accepted, "replays": ways });
    format!("{object}\n")
}
