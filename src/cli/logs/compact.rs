//! `rolecall logs compact`: compresses the events of a run, and its results where there are many.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use crate::output;
use rolecall_core::log::{RunFolder, RunLog, is_events_file, is_results_file};
use rolecall_core::text::counted;

/// Puts the run right, compresses its events and says what that saved.
pub(super) fn execute(folder: &Path) -> anyhow::Result<ExitCode> {
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
    let run = RunLog::open(folder)?;
    let (events, folder) = (run.event_count(), output::shown(folder));
    let events = counted(events, "event", "events");
    let mut text = format!("{events} of `{folder}` take {}\n", instead(before.0, after.0));
    if before.1 != after.1 {
        text += &format!("its results take {}\n", instead(before.1, after.1));
    }
    output::succeed(&text)
}

fn instead(before: u64, after: u64) -> String {
    let saved = before.saturating_sub(after);
    let share = 100.0 * saved as f64 / before.max(1) as f64;
    let after = counted(after, "byte", "bytes");
    format!("{after} instead of {before} ({share:.0} % less)")
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
