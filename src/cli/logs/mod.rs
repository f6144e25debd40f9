//! `rolecall logs`: work with the log of a run.

mod compact;
mod verify;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};

use super::progress::watched;
use super::{output, runs};
use rolecall_core::log::{CanonicalError, INDEX, RunLog, is_running, write_canonical};
use rolecall_core::text::counted;
use rolecall_run::registry::Registry;

/// The arguments of `logs`.
#[derive(Args, Debug)]
pub(crate) struct LogsArguments {
    /// What to do with the log.
    #[command(subcommand)]
    pub(crate) command: LogsCommand,
}

/// The verbs of `logs`.
#[derive(Debug, Subcommand)]
pub(crate) enum LogsCommand {
    /// Print the events in canonical order (cell, task, repeat, position), for comparing runs
    #[command(after_help = include_str!("../help/logs-canonical.txt"))]
    Canonical(RunArgument),
    /// Check every file, line, episode and result of a run that nobody writes
    #[command(after_help = include_str!("../help/logs-verify.txt"))]
    Verify(RunArgument),
    /// Compress all events, and many results, of a run that nobody writes
    #[command(after_help = include_str!("../help/logs-compact.txt"))]
    Compact(RunArgument),
    /// Write the index anew, from which a run is opened quickly
    #[command(after_help = include_str!("../help/logs-index.txt"))]
    Index(RunArgument),
}

/// The run that is meant.
#[derive(Args, Debug)]
pub(crate) struct RunArgument {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
}

/// Does what is asked with a log.
pub(crate) fn execute(arguments: &LogsArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        LogsCommand::Canonical(RunArgument { run }) => canonical(run),
        LogsCommand::Verify(RunArgument { run }) => verify::execute(&runs::folder(run)?, registry),
        LogsCommand::Compact(RunArgument { run }) => compact::execute(&runs::folder(run)?),
        LogsCommand::Index(RunArgument { run }) => index(&runs::folder(run)?),
    }
}

fn canonical(run: &Path) -> anyhow::Result<ExitCode> {
    let run = watched(runs::open(run)?);
    let mut output = output::JsonLines::new(BufWriter::new(io::stdout().lock()));
    let written = write_canonical(&run, &mut output).and_then(|()| output.flush().map_err(CanonicalError::Output));
    match written {
        // A reader that has gone away (`| head`) is no problem.
        Err(CanonicalError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written?,
    }
    Ok(ExitCode::SUCCESS)
}

fn index(folder: &Path) -> anyhow::Result<ExitCode> {
    if is_running(folder) {
        bail!("the run is still being written; its index is written when it ends");
    }
    let run = RunLog::open_afresh(folder)?;
    if !run.ends_whole() {
        bail!(
            "the last line of the events is not whole, and what is written next may change it: \
             `rolecall logs compact` puts that right and writes the index as well"
        );
    }
    run.write_index()?;
    let bytes = fs::metadata(folder.join(INDEX))?.len();
    output::succeed(&format!(
        "index of {} and {}: {}\n",
        counted(run.ids().len() as u64, "episode", "episodes"),
        counted(run.event_count(), "event", "events"),
        counted(bytes, "byte", "bytes"),
    ))
}
