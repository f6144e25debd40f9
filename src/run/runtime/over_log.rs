//! Doing something with many episodes of a log, without actors.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::participant::panic_text;
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::{LogError, RecordedEpisode, RunLog};

/// Does something with each of these episodes, on all cores; the results are in the order of the
/// episodes. What panics (a strategy's factory, for instance) is handed to `panicked` as a text.
///
/// # Errors
/// If the run has not all of them.
pub(super) fn over_episodes<T: Send>(
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
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> io::Result<T> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    Ok(builder.enable_all().build()?.block_on(future))
}
