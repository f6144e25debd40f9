//! Finding the run that a command names.

use std::path::{Path, PathBuf};

use super::output;
use crate::evaluation::{EpisodeResult, measure_run};
use crate::log::{LogError, RUN, RunLog};
use crate::registry::Registry;
use crate::reports;

/// Opens a run, given its folder or its name below `logs`, and says on standard error what a reader
/// must know about its log.
pub(crate) fn open(run: &Path) -> Result<RunLog, LogError> {
    let run = RunLog::open(&folder(run))?;
    for note in reports::notes(&run) {
        output::note(&format!("note: {note}"));
    }
    Ok(run)
}

/// The results of a run, computed from its events.
pub(crate) fn results(run: &RunLog) -> Result<Vec<EpisodeResult>, LogError> {
    measure_run(run, &Registry::standard().measured())
}

fn folder(run: &Path) -> PathBuf {
    let below = Path::new("logs").join(run);
    if !run.join(RUN).exists() && below.join(RUN).exists() {
        return below;
    }
    run.to_owned()
}
