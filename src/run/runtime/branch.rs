//! Whether a cast can go on from what another one played, asked before anything is written.

use std::collections::BTreeMap;

use super::casting::cast_of;
use super::resume_state::fork;
use crate::config::Plan;
use rolecall_core::domain::{EpisodeId, Fork, Steering};
use rolecall_core::log::{LogError, RunLog};

/// The reason why an episode cannot be gone on with by another cast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The episode.
    pub episode: EpisodeId,
    /// The first difference.
    pub problem: String,
}

/// Looks for an episode whose beginning the plan's cast can take over from the parent's log, up to so
/// many events. If there is none, this is why the first one cannot be gone on with.
///
/// # Errors
/// When the parent's log cannot be read.
pub fn misfit(plan: &Plan, parent: &RunLog, events: &BTreeMap<EpisodeId, u32>) -> Result<Option<Misfit>, LogError> {
    let mut first = None;
    for (id, events) in events {
        let Err(problem) = fits(plan, parent, id, *events)? else {
            return Ok(None);
        };
        first.get_or_insert_with(|| Misfit { episode: id.clone(), problem });
    }
    Ok(first)
}

fn fits(plan: &Plan, parent: &RunLog, id: &EpisodeId, events: u32) -> Result<Result<(), String>, LogError> {
    let mut log = parent.episode(id)?.events;
    let by = Fork::of("", id, &log, events, &Steering::default());
    log.truncate(events as usize);
    let none = || format!("the config gives no episode `{id}`");
    let cast = cast_of(plan, id, &log).ok_or_else(none);
    Ok(cast.and_then(|cast| fork(cast, by, &log).map(drop)))
}
