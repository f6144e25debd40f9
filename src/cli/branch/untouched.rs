//! Whether what a branch takes over is what its parent wrote.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::cli::reload_plan::reload_plan;
use crate::config::Change;
use crate::domain::EpisodeId;
use crate::log::{LogError, Parent, RunLog};
use crate::runtime::{Replay, replay_run};
use crate::text::visible;

/// Why nothing is taken over.
#[derive(Debug, thiserror::Error)]
pub(super) enum TouchedError {
    /// An episode is not as it was.
    #[error(
        "the log of `{}` was changed: its episode `{episode}` is not as it was {when}{difference}\n\
         `rolecall logs verify {}` checks all its episodes; restore that log to go on, or leave the \
         episode out",
        visible(&.folder.display().to_string()), visible(&.folder.display().to_string())
    )]
    Written {
        /// The parent's folder.
        folder: PathBuf,
        /// The first such episode.
        episode: EpisodeId,
        /// Since when it is another one.
        when: &'static str,
        /// Where it differs from what is played again, on lines of its own; empty if it does not.
        difference: String,
    },
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Checks that episodes are what they were when they closed, as far as that was noted.
pub(super) fn as_written<'a>(
    log: &RunLog,
    ids: impl IntoIterator<Item = &'a EpisodeId>,
) -> Result<(), TouchedError> {
    for id in ids {
        let Some(recorded) = log.recorded_digest(id) else {
            continue;
        };
        // The end of an episode may be lost although it was noted: what there is of it is whole.
        if log.digest(id) != Some(recorded) && log.is_closed(id)? {
            return Err(changed(log, id, "when it closed"));
        }
    }
    Ok(())
}

/// Checks that the beginnings of episodes are what they were when the branch was made.
pub(super) fn since(log: &RunLog, ids: &[&EpisodeId], parent: &Parent) -> Result<(), TouchedError> {
    if parent.digests.is_empty() {
        return as_written(log, ids.iter().copied());
    }
    for id in ids {
        let events = parent.episodes.get(*id).copied().unwrap_or_default();
        let pinned = parent.digests.get(*id).copied();
        if pinned.is_some_and(|pinned| log.digest_of_first(id, events).ok() != Some(pinned)) {
            return Err(changed(log, id, "when the branch was made"));
        }
    }
    Ok(())
}

/// What the beginnings of episodes come to, for the record of the branch.
pub(super) fn pinned(
    log: &RunLog,
    events: &BTreeMap<EpisodeId, u32>,
) -> Result<BTreeMap<String, String>, LogError> {
    let digest = |(id, events): (&EpisodeId, &u32)| {
        let digest = log.digest_of_first(id, *events)?;
        Ok((id.to_string(), digest.to_string()))
    };
    events.iter().map(digest).collect()
}

/// The episode, with its first difference from what comes out when it is played again.
fn changed(log: &RunLog, id: &EpisodeId, when: &'static str) -> TouchedError {
    // A config that cannot be resolved any more, or another one, explains nothing.
    let now = reload_plan(log.folder(), &[], &[]).ok();
    let now = now.filter(|now| now.changes.iter().all(Change::is_version));
    let difference = now.and_then(|now| {
        let one = std::slice::from_ref(id);
        let replayed = replay_run(&now.resolved.plan, log, one, Replay::Models, &|_| ());
        let error = replayed.into_iter().find_map(|each| each.result.err())?;
        let lines = error.to_string();
        Some(
            lines
                .lines()
                .map(|line| format!("\n{}", visible(line)))
                .collect(),
        )
    });
    TouchedError::Written {
        folder: log.folder().to_owned(),
        episode: id.clone(),
        when,
        difference: difference.unwrap_or_default(),
    }
}
