//! `rolecall study`: when a question is worth it, and whose fault a difference is.

mod seats;
mod timing;

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::branch::Making;
use crate::playing::Playing;
use crate::reload_plan::ReloadedPlan;
use crate::resume::{prepare, reopen};
use crate::{output, runs};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{RUN, RunLog, RunRecord};
use rolecall_run::registry::Registry;

/// The arguments of `study`.
#[derive(Args, Debug)]
pub(crate) struct StudyArguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand, Debug)]
enum Study {
    /// Leave every episode of a run at several points of time, with the most helpful fact handed over, with an
    /// agent that may ask and with one that may not: when is knowing worth it, and did the agent ask in time?
    #[command(after_help = include_str!("../help/study-timing.txt"))]
    Timing(timing::TimingArguments),
    /// Play every mixture of two casts that differ in some seats: how much of the difference is whose, and which
    /// failures vanish when the user, the executor or another seat is swapped?
    #[command(after_help = include_str!("../help/study-seats.txt"))]
    Seats(seats::SeatsArguments),
}

/// Plays what the study needs, and prints what it says.
pub(crate) fn execute(arguments: &StudyArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.study {
        Study::Timing(arguments) => timing::execute(arguments, verbose, registry),
        Study::Seats(arguments) => seats::execute(arguments, verbose, registry),
    }
}

/// The results of a branch that is called so below the study's folder; none if it was stopped on the way.
fn branched(
    parent: &RunLog,
    folder: &Path,
    name: &str,
    making: Making<'_>,
    verbose: u8,
    registry: &Registry,
) -> anyhow::Result<Option<Vec<EpisodeResult>>> {
    let quiet = making.quiet;
    if making.events.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let branch = folder.join(name);
    if !branch.join(RUN).exists() {
        return played(making.begin(parent.clone(), registry)?.0, quiet, verbose);
    }
    let record = RunRecord::read(&branch)?;
    let as_now =
        record.parent.as_ref().is_some_and(|was| was.episodes == making.events && was.steering == making.steering);
    if !as_now {
        bail!(
            "`{}` is of another study (other episodes, or other facts): choose another `--name`",
            output::shown(&branch)
        );
    }
    if let Some(results) = runs::whole_results(&branch, &record) {
        return Ok(Some(results));
    }
    let (locked, ReloadedPlan { resolved, changes }) = reopen(&branch, &[], registry)?;
    played(prepare(locked, &resolved, &changes, quiet, registry)?, quiet, verbose)
}

/// Plays everything; none if it was stopped on the way.
fn played(playing: Playing, quiet: bool, verbose: u8) -> anyhow::Result<Option<Vec<EpisodeResult>>> {
    let over = playing.through(quiet, verbose)?;
    let results = (!over.is_incomplete()).then(|| over.results().to_vec());
    over.finish(false)?;
    Ok(results)
}
