//! Long work of a participant, off the thread that its episode shares with others.

use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::Calls;
use crate::ports::EnvironmentError;

/// The pieces of work that are done at once: one for each core, and not one alone, for a long one would
/// hold up all others.
static PLACES: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(2, usize::from).max(2)));

impl Calls {
    /// Does work that takes more than a few milliseconds (a search, a large file) on a thread for such
    /// work, so that the other episodes of the arbiter go on. A world does it with what
    /// [`may_call`](crate::ports::Environment::may_call) hands it. What comes out must depend on nothing but
    /// what the work is given: it is done again when the episode is played again.
    ///
    /// The deadline of the turn counts the work, but not the wait for a thread. Work that nobody waits for
    /// any more goes on to its end, and what comes out is dropped. A panic is that of the participant.
    ///
    /// # Errors
    /// When the program ends.
    pub async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, EnvironmentError> {
        let ends = |_| EnvironmentError::Failed("the program ends".to_owned());
        let waiting = self.waiting();
        let (began, waits) = (Instant::now(), waiting.begin());
        let place = PLACES.acquire().await.map_err(ends)?;
        waiting.add(began.elapsed());
        drop(waits);
        let done = tokio::task::spawn_blocking(move || {
            // Also work that nobody waits for any more takes its place.
            let _place = place;
            work()
        });
        match done.await {
            Ok(done) => Ok(done),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => Err(EnvironmentError::Failed("the program ends".to_owned())),
            },
        }
    }
}
