//! `rolecall logs compact`: compresses the events of a run.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use crate::cli::output;
use crate::log::{RunFolder, RunLog, is_events_file};
use crate::text::counted;

/// Puts the run right, compresses its events and says what that saved.
pub(super) fn execute(folder: &Path) -> anyhow::Result<ExitCode> {
    let mut locked = RunFolder::lock(folder)?;
    for repair in locked.repair()? {
        output::remark(&format!("note: {repair}"));
    }
    if let Some(repair) = locked.check_closed(&RunLog::open(folder)?)? {
        output::remark(&format!("note: {repair}"));
    }
    let before = taken(folder)?;
    locked.compact()?;
    let after = taken(folder)?;
    let run = RunLog::open(folder)?;
    let saved = before.saturating_sub(after);
    let share = 100.0 * saved as f64 / before.max(1) as f64;
    output::succeed(&format!(
        "{} of `{}` take {} instead of {before} ({share:.0} % less)\n",
        counted(run.event_count(), "event", "events"),
        output::shown(folder),
        counted(after, "byte", "bytes"),
    ))
}

/// Bytes of all files of events.
fn taken(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_events_file(&entry.file_name().to_string_lossy()) {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}
