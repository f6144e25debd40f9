//! Playing many episodes of a run again, on all cores.

use super::{Replay, replay_cast};
use crate::config::Plan;
use crate::runtime::casting::LastTask;
use crate::runtime::difference::Difference;
use crate::runtime::over_log::{block_on, over_episodes};
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::{LogError, RecordedEpisode, RunLog};

/// An episode that was played again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Which one.
    pub episode: EpisodeId,
    /// The result of the second play.
    pub result: Result<(), ReplayError>,
}

/// The reason why an episode did not come out as its log has it.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Something differs.
    #[error(transparent)]
    Differs(#[from] Difference),
    /// Its log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Setting it up panicked (a strategy's factory, for instance).
    #[error("setting it up failed: {0}")]
    Panicked(String),
    /// The system gives no timers for the deadlines of turns.
    #[error("no timers for the deadlines of turns: {0}")]
    Timers(String),
}

/// Plays these episodes of the run again and tells of each as soon as it is done, on any thread. What
/// is returned is in the order in which they were given.
pub fn replay_run(
    plan: &Plan,
    run: &RunLog,
    ids: &[EpisodeId],
    who: Replay,
    done: &(dyn Fn(&Replayed) + Sync),
) -> Vec<Replayed> {
    let finish = |id: &EpisodeId, result| {
        let replayed = Replayed { episode: id.clone(), result };
        done(&replayed);
        replayed
    };
    let last = LastTask::default();
    let work = |id: &EpisodeId, episode: Result<RecordedEpisode, LogError>| {
        let episode = episode.map_err(ReplayError::from);
        let replayed = episode.and_then(|episode| replay_one(plan, &last, &episode, who));
        finish(id, replayed)
    };
    let panicked = |id: &EpisodeId, panic| finish(id, Err(ReplayError::Panicked(panic)));
    let sought: Vec<&EpisodeId> = ids.iter().collect();
    match over_episodes(run, &sought, work, panicked) {
        Ok(all) => all,
        Err(error) => {
            ids.iter().map(|id| Replayed { episode: id.clone(), result: Err(error.clone().into()) }).collect()
        }
    }
}

fn replay_one(
    plan: &Plan,
    last: &LastTask,
    RecordedEpisode { id, events, .. }: &RecordedEpisode,
    who: Replay,
) -> Result<(), ReplayError> {
    let played = async { replay_cast(last.cast_of(plan, id, events), id, events, who).await };
    let played = block_on(played);
    Ok(played.map_err(|error| ReplayError::Timers(error.to_string()))??)
}
