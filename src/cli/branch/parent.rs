//! The run that another one branched off from, and checks that a branch takes over just what its parent wrote.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::output;
use crate::reload_plan::{reload_plan, started_in};
use crate::runs::whole;
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::{LogError, Parent, RunLog, RunRecord};
use rolecall_core::maps::ordered;
use rolecall_core::text::{shell_path, visible};
use rolecall_run::config::{Absent, Change, Plan};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{Replay, ResumeState, replay_run};

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
    let whole = whole(folder);
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
        check_beginnings(&log, &needed, &parent, registry)?;
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
    let beside = || Some(run.canonicalize().ok()?.parent()?.join(parent.folder.file_name()?));
    let was = started_in(run).unwrap_or_default().join(&parent.folder);
    match is_run(&was) {
        true => was,
        false => beside().filter(is_run).unwrap_or(was),
    }
}

/// Checks that episodes are what they were when they closed, as far as that was noted.
pub(super) fn check_closed<'a>(
    log: &RunLog,
    ids: impl IntoIterator<Item = &'a EpisodeId>,
    registry: &Registry,
) -> anyhow::Result<()> {
    for id in ids {
        let recorded = log.recorded_digest(id);
        // The end of an episode may be lost although it was noted: what there is of it is whole.
        if recorded.is_some() && log.digest(id) != recorded && log.is_closed(id)? {
            return Err(changed(log, id, "when it closed", registry));
        }
    }
    Ok(())
}

/// Checks that the beginnings of episodes are what they were when the branch was made.
pub(super) fn check_beginnings(
    log: &RunLog,
    ids: &[&EpisodeId],
    parent: &Parent,
    registry: &Registry,
) -> anyhow::Result<()> {
    if parent.digests.is_empty() {
        return check_closed(log, ids.iter().copied(), registry);
    }
    for id in ids {
        let events = parent.episodes.get(*id).copied().unwrap_or_default();
        let pinned = parent.digests.get(*id).copied();
        if pinned.is_some_and(|pinned| log.digest_of_first(id, events).ok() != Some(pinned)) {
            return Err(changed(log, id, "when the branch was made", registry));
        }
    }
    Ok(())
}

/// The digests of the beginnings of episodes, for the record of the branch.
pub(super) fn digests(log: &RunLog, events: &BTreeMap<EpisodeId, u32>) -> Result<BTreeMap<String, String>, LogError> {
    events
        .iter()
        .map(|(id, events)| Ok((id.to_string(), log.digest_of_first(id, *events)?.to_string())))
        .collect::<Result<Vec<_>, _>>()
        .map(ordered)
}

/// An error that names the episode, with its first difference from what comes out when it is played again.
fn changed(log: &RunLog, id: &EpisodeId, when: &str, registry: &Registry) -> anyhow::Error {
    // A config that cannot be resolved any more, or another one, explains nothing.
    let now = reload_plan(log.folder(), &[], &[], Absent::Taken, registry).ok();
    let difference = now.filter(|now| now.changes.iter().all(Change::is_version)).and_then(|now| {
        let replayed = replay_run(&now.resolved.plan, log, std::slice::from_ref(id), Replay::Models, &|_| ());
        let error = replayed.into_iter().find_map(|each| each.result.err())?.to_string();
        Some(error.lines().map(|line| format!("\n{}", visible(line))).collect::<String>())
    });
    anyhow!(
        "the log of `{}` was changed: its episode `{id}` is not as it was {when}{}\n\
         `rolecall logs verify {}` checks all its episodes; restore that log to go on, or leave the \
         episode out",
        output::shown(log.folder()),
        difference.unwrap_or_default(),
        shell_path(log.folder())
    )
}
