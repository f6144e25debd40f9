//! Playing many episodes of a run again, on all cores.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Difference, Replay, replay_cast};
use crate::config::Plan;
use crate::runtime::casting::LastTask;
use crate::runtime::participant::panic_text;
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
        finish(id, episode.and_then(|episode| replay_one(plan, &last, &episode, who)))
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
    let played = block_on(async { replay_cast(last.cast_of(plan, id, events), id, events, who).await });
    Ok(played.map_err(|error| ReplayError::Timers(error.to_string()))??)
}

/// Does something with each of these episodes, on all cores; the results are in the order of the
/// episodes. What panics (a strategy's factory, for instance) is handed to `panicked` as a text.
///
/// # Errors
/// If the run has not all of them.
pub(crate) fn over_episodes<T: Send>(
    run: &RunLog,
    ids: &[&EpisodeId],
    work: impl Fn(&EpisodeId, Result<RecordedEpisode, LogError>) -> T + Sync,
    panicked: impl Fn(&EpisodeId, String) -> T + Sync,
) -> Result<Vec<T>, LogError> {
    let mut all = Vec::with_capacity(ids.len());
    let work = |id: &EpisodeId, episode| {
        catch_unwind(AssertUnwindSafe(|| work(id, episode))).unwrap_or_else(|panic| panicked(id, panic_text(&*panic)))
    };
    run.over_episodes(ids.iter().copied(), work, |done| {
        all.push(done);
        Ok::<_, LogError>(())
    })?;
    Ok(all)
}

/// Waits on this thread; participants that are played here may need timers, and worlds may ask servers.
///
/// # Errors
/// When the system gives none.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> io::Result<T> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(future))
}
