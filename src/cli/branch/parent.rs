//! The run that another one branched off from.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::untouched;
use crate::reload_plan::started_in;
use rolecall_core::log::{Parent, RunLog, RunRecord};
use rolecall_core::text::visible;
use rolecall_run::config::Plan;
use rolecall_run::registry::Registry;
use rolecall_run::runtime::ResumeState;

/// The name of the run: its folder's name, if a run can have that name.
pub(super) fn name(run: &RunLog) -> String {
    let whole = run.folder().canonicalize().ok();
    let last = whole.as_deref().and_then(Path::file_name);
    let good = |name: &&str| {
        let letter = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        name.starts_with(|first: char| first.is_ascii_alphanumeric()) && name.chars().all(letter)
    };
    last.and_then(|name| name.to_str()).filter(good).unwrap_or(&run.record().name).to_owned()
}

/// The folder as `run.toml` names it: relative to the working folder of the run if it lies below.
pub(super) fn shown(folder: &Path, working: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let below = working.canonicalize().ok().and_then(|working| whole.strip_prefix(working).ok());
    below.unwrap_or(&whole).display().to_string()
}

/// The state of a run before it goes on, with the beginnings that it takes over from its parent.
pub(crate) fn forked(
    resume_state: ResumeState,
    run: &RunLog,
    plan: &Plan,
    registry: &Registry,
) -> anyhow::Result<ResumeState> {
    let Some(parent) = run.record().parent.clone() else {
        return Ok(resume_state);
    };
    let needed = resume_state.needed(&parent.episodes);
    let log = (!needed.is_empty()).then(|| {
        let log = RunLog::open(&folder_of(run.folder(), &parent))?;
        untouched::since(&log, &needed, &parent, registry)?;
        anyhow::Ok(log)
    });
    let log = log.transpose().with_context(|| {
        format!(
            "the run branched off from `{}`, whose log is needed for what was not taken over yet",
            visible(&parent.run)
        )
    })?;
    let resume_state = resume_state.forked(log, &parent.run, parent.episodes).steered(parent.steering);
    Ok(resume_state.with_whole_beginnings(plan)?)
}

/// The folder of the parent of the run in this folder: where it was, seen from where the run was started, or
/// beside the run.
pub(crate) fn folder_of(run: &Path, parent: &Parent) -> PathBuf {
    let is_run = |folder: &PathBuf| RunRecord::read(folder).is_ok();
    let beside = || {
        let name = parent.folder.file_name()?;
        Some(run.canonicalize().ok()?.parent()?.join(name))
    };
    let was = started_in(run).unwrap_or_default().join(&parent.folder);
    match is_run(&was) {
        true => was,
        false => beside().filter(is_run).unwrap_or(was),
    }
}
