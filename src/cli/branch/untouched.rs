//! Checks that a branch takes over just what its parent wrote.

use std::collections::BTreeMap;

use anyhow::anyhow;

use crate::output::shown;
use crate::reload_plan::reload_plan;
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::{LogError, Parent, RunLog};
use rolecall_core::maps::ordered;
use rolecall_core::text::{shell_path, visible};
use rolecall_run::config::{Absent, Change};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{Replay, replay_run};

/// Checks that episodes are what they were when they closed, as far as that was noted.
pub(super) fn as_written<'a>(
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
pub(super) fn since(log: &RunLog, ids: &[&EpisodeId], parent: &Parent, registry: &Registry) -> anyhow::Result<()> {
    if parent.digests.is_empty() {
        return as_written(log, ids.iter().copied(), registry);
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
pub(super) fn pinned(log: &RunLog, events: &BTreeMap<EpisodeId, u32>) -> Result<BTreeMap<String, String>, LogError> {
    events
        .iter()
        .map(|(id, events)| {
            let digest = log.digest_of_first(id, *events)?;
            Ok((id.to_string(), digest.to_string()))
        })
        .collect::<Result<Vec<_>, _>>()
        .map(ordered)
}

/// An error that names the episode, with its first difference from what comes out when it is played again.
fn changed(log: &RunLog, id: &EpisodeId, when: &str, registry: &Registry) -> anyhow::Error {
    // A config that cannot be resolved any more, or another one, explains nothing.
    let now = reload_plan(log.folder(), &[], &[], Absent::Taken, registry).ok();
    let now = now.filter(|now| now.changes.iter().all(Change::is_version));
    let difference = now.and_then(|now| {
        let one = std::slice::from_ref(id);
        let replayed = replay_run(&now.resolved.plan, log, one, Replay::Models, &|_| ());
        let error = replayed.into_iter().find_map(|each| each.result.err())?.to_string();
        let lines = error.lines().map(|line| format!("\n{}", visible(line)));
        Some(lines.collect::<String>())
    });
    let (folder, difference) = (shown(log.folder()), difference.unwrap_or_default());
    let pasted = shell_path(log.folder());
    anyhow!(
        "the log of `{folder}` was changed: its episode `{id}` is not as it was {when}{difference}\n\
         `rolecall logs verify {pasted}` checks all its episodes; restore that log to go on, or leave the \
         episode out"
    )
}
