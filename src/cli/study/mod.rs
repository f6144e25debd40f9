//! `rolecall study`: when a question is worth it, and whose fault a difference is.

mod arm;
mod seats;
mod timing;

use std::process::ExitCode;

use clap::{Args, Subcommand};
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
