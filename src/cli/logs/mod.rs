//! `rolecall logs`: work with the log of a run.

mod verify;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::progress::watched;
use crate::{output, runs};
use rolecall_core::log::{
    CanonicalError, INDEX, RunFolder, RunLog, is_events_file, is_results_file, is_running, write_canonical,
};
use rolecall_core::text::counted;
use rolecall_run::registry::Registry;

/// The arguments of `logs`.
#[derive(Args, Debug)]
pub(crate) struct LogsArguments {
    /// The verb.
    #[command(subcommand)]
    command: LogsCommand,
}

/// The verbs of `logs`.
#[derive(Debug, Subcommand)]
enum LogsCommand {
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
struct RunArgument {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
}

/// Does what is asked with a log.
pub(crate) fn execute(arguments: &LogsArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        LogsCommand::Canonical(RunArgument { run }) => canonical(run),
        LogsCommand::Verify(RunArgument { run }) => verify::execute(&runs::folder(run)?, registry),
        LogsCommand::Compact(RunArgument { run }) => compact(&runs::folder(run)?),
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

/// Puts the run right, compresses its events and says what that saved.
fn compact(folder: &Path) -> anyhow::Result<ExitCode> {
    let mut locked = RunFolder::lock(folder)?;
    for repair in locked.repair()? {
        output::remark(&format!("note: {repair}"));
    }
    if let Some(repair) = locked.check_closed(&RunLog::open(folder)?)? {
        output::remark(&format!("note: {repair}"));
    }
    let taken = || anyhow::Ok((bytes_of(folder, is_events_file)?, bytes_of(folder, is_results_file)?));
    let before = taken()?;
    locked.compact()?;
    let after = taken()?;
    let events = counted(RunLog::open(folder)?.event_count(), "event", "events");
    let mut text = format!("{events} of `{}` take {}\n", output::shown(folder), instead(before.0, after.0));
    if before.1 != after.1 {
        text += &format!("its results take {}\n", instead(before.1, after.1));
    }
    output::succeed(&text)
}

fn instead(before: u64, after: u64) -> String {
    let share = 100.0 * before.saturating_sub(after) as f64 / before.max(1) as f64;
    format!("{} instead of {before} ({share:.0} % less)", counted(after, "byte", "bytes"))
}

/// Bytes of all files of such names.
fn bytes_of(folder: &Path, is_one: fn(&str) -> bool) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_one(&entry.file_name().to_string_lossy()) {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}
