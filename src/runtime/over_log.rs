//! Doing something with many episodes of a log, without actors.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use super::participant::panic_text;
use crate::domain::EpisodeId;
use crate::log::{LogError, RecordedEpisode, RunLog};

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
    let read = run.episodes_of(ids.iter().copied())?;
    // They are read in one order, since each by itself would unpack its segments anew.
    let read = Mutex::new(ids.iter().zip(read).enumerate());
    let next = || read.lock().unwrap_or_else(PoisonError::into_inner).next();
    let all = Mutex::new(Vec::from_iter(ids.iter().map(|_| None)));
    let walk = || {
        while let Some((place, (id, episode))) = next() {
            let done = catch_unwind(AssertUnwindSafe(|| work(id, episode)))
                .unwrap_or_else(|panic| panicked(id, panic_text(&*panic)));
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all[place] = Some(done);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (0..cores.min(ids.len())).for_each(|_| {
            scope.spawn(walk);
        });
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(all.into_iter().flatten().collect())
}

/// Waits on this thread; participants that are played here may need timers, and worlds may ask servers.
///
/// # Errors
/// When the system gives none.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> io::Result<T> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    Ok(builder.enable_all().build()?.block_on(future))
}
