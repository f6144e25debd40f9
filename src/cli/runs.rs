//! Finding the run that a command names, and the runs that there are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use super::output;
use rolecall_core::domain::CellName;
use rolecall_core::evaluation::{EpisodeResult, KIND, Stored, measure_run};
use rolecall_core::log::{LogError, RUN, RUNNING, RunLog, RunRecord, ends_whole, is_running};
use rolecall_core::reports::{self, newest};
use rolecall_core::text::{joined, visible};
use rolecall_run::config::listed;
use rolecall_run::registry::Registry;

/// The folder below which runs are looked for by their names.
pub(crate) const LOGS: &str = "logs";

/// Bytes of events for which an index is written by who has read them; fewer are read again.
const WORTH_INDEXING: u64 = 8 << 20;

/// The most runs that the message about an unknown one names.
const MOST_NAMED: usize = 5;

/// Opens a run, given its folder or its name below `logs`, and says on standard error what a reader
/// must know about its log.
pub(crate) fn open(run: &Path) -> anyhow::Result<RunLog> {
    let folder = folder(run)?;
    // Asked before the events are read: a run that ends meanwhile leaves none half-written.
    let running = is_running(&folder);
    let run = RunLog::open(&folder)?;
    if running {
        output::remark("note: the run is still going on; this is what there is of it so far");
        return Ok(run);
    }
    for note in reports::notes(&run) {
        output::remark(&format!("note: {note}"));
    }
    if run.unindexed_bytes() > WORTH_INDEXING {
        // A folder that cannot be written is read as it is.
        let _ = run.write_index();
    }
    Ok(run)
}

/// Writes the index of a run that is over. It only helps: what is wrong with the log is said by
/// those who need the events.
pub(crate) fn write_index(folder: &Path) {
    let _ = RunLog::open(folder).and_then(|run| run.write_index());
}

/// The results of a run, computed from its events.
pub(crate) fn results(run: &RunLog, registry: &Registry) -> Result<Vec<EpisodeResult>, LogError> {
    measure_run(run, &registry.measured())
}

/// Fails if no task has this group, and says which there are.
pub(crate) fn check_group<'a>(name: &str, results: impl IntoIterator<Item = &'a EpisodeResult>) -> anyhow::Result<()> {
    let mut known = BTreeSet::from([KIND]);
    known.extend(results.into_iter().flat_map(|result| result.groups.keys().map(String::as_str)));
    if known.contains(name) {
        return Ok(());
    }
    bail!("no task has a group `{}`; results can be broken down by {}", visible(name), visible(&joined(known)))
}

/// The results as the run wrote them, if they are whole: one for each planned episode, beside
/// events that end with a whole line. Says so on standard error if somebody changed one.
pub(crate) fn whole_results(folder: &Path, record: &RunRecord) -> Option<Vec<EpisodeResult>> {
    let planned = record.episodes?;
    if !ends_whole(folder) {
        return None;
    }
    let stored = Stored::read(folder, record)?;
    if stored.results.len() as u64 != planned {
        return None;
    }
    if let Some(changed) = stored.changed() {
        let (file, line) = stored.files.locate(changed.line);
        output::remark(&format!(
            "note: `{}` line {line} was changed (`{}`): all results are computed from the events \
             (`rolecall resume` writes the file again)",
            output::shown(file),
            changed.result.episode
        ));
    }
    stored.believed()
}

/// The results of a run: as it wrote them if that is enough, else computed from its events.
pub(crate) fn results_in(folder: &Path, record: &RunRecord, registry: &Registry) -> anyhow::Result<Vec<EpisodeResult>> {
    whole_results(folder, record).map_or_else(|| Ok(results(&open(folder)?, registry)?), Ok)
}

/// The results of a run that is open: as it wrote them if that is enough, else computed from its events.
pub(crate) fn results_of(run: &RunLog, registry: &Registry) -> Result<Vec<EpisodeResult>, LogError> {
    whole_results(run.folder(), run.record()).map_or_else(|| results(run, registry), Ok)
}

/// The folder of a run, given as such or by its name below `logs`. If there is none, the message
/// names the newest runs.
pub(crate) fn folder(run: &Path) -> anyhow::Result<PathBuf> {
    folder_below(run, Path::new(LOGS))
}

/// The folder of a run, given as such or by its name below another folder of runs.
pub(crate) fn folder_below(run: &Path, logs: &Path) -> anyhow::Result<PathBuf> {
    [run.to_owned(), logs.join(run)]
        .into_iter()
        .find(|folder| folder.join(RUN).exists() || folder.join(RUNNING).exists())
        .ok_or_else(|| unknown(run, logs))
}

/// The folder of a run and the cell that is named with it: a run if there is one of that name, else
/// RUN:CELL.
pub(crate) fn with_cell(text: &str) -> anyhow::Result<(PathBuf, Option<&str>)> {
    match (folder(Path::new(text)), text.rsplit_once(':')) {
        (Ok(folder), _) => Ok((folder, None)),
        (Err(_), Some((run, cell))) => Ok((folder(Path::new(run))?, Some(cell))),
        (Err(error), None) => Err(error),
    }
}

fn unknown(run: &Path, logs: &Path) -> anyhow::Error {
    let error = LogError::NoRun { folder: run.to_owned() };
    let newest = newest(logs);
    let which = match newest.len() {
        0 => return error.into(),
        1..=MOST_NAMED => "there are",
        _ => "the newest of them are",
    };
    let names = newest.iter().take(MOST_NAMED).map(|run| run.name.as_str());
    anyhow!("{error}; {which} {}", listed(names))
}

/// The cell of this name, of a run that was given with it as `text`.
pub(crate) fn cell<'a>(text: &str, name: &str, cells: &'a [CellName]) -> anyhow::Result<&'a CellName> {
    cells.iter().find(|cell| cell.as_str() == name).ok_or_else(|| {
        let known: Vec<&str> = cells.iter().map(CellName::as_str).collect();
        anyhow!("`{}` has no cell `{}`{}", visible(text), visible(name), output::instead(name, &known))
    })
}

/// The folder in which a run's folder is, among its siblings, and the run's name there.
pub(crate) fn siblings(run: &Path) -> (PathBuf, String) {
    let whole = whole(run);
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (whole.parent().map_or_else(PathBuf::new, Path::to_owned), name)
}

/// A path without links, or as it is if nothing is there.
pub(crate) fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The text of `run.toml` in the folder of a run.
pub(crate) fn record_text(folder: &Path) -> anyhow::Result<String> {
    let path = folder.join(RUN);
    fs::read_to_string(&path).with_context(|| format!("`{}` cannot be read", path.display()))
}
