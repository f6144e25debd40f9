//! `rolecall logs`: work with the log of a run.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use super::arguments::{LogsArguments, LogsCommand};
use super::runs;
use crate::log::{CanonicalError, write_canonical};

/// Does what is asked with a log.
pub(crate) fn execute(arguments: &LogsArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        LogsCommand::Canonical { run } => {
            let run = runs::open(run)?;
            let mut output = BufWriter::new(io::stdout().lock());
            let written = write_canonical(&run, &mut output);
            let written = written.and_then(|()| output.flush().map_err(CanonicalError::Output));
            match written {
                // A reader that has gone away (`| head`) is no problem.
                Err(CanonicalError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                }
                written => written?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
