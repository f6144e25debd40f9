//! The thread that makes lines survive the end of the machine while others are written: soon after
//! an episode has closed, and at least once a second.
//!
//! Lines that are written while it works go along the next time: any number of episodes that close
//! meanwhile cost one more turn.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::LogError;
use super::handle::WriterState;
use super::sink::{FILES, Syncing};

/// The longest that something that was written waits.
const AT_LEAST: Duration = Duration::from_secs(1);
/// The time between two turns: disks have other things to do.
const BETWEEN: Duration = Duration::from_millis(20);

/// The writer's end. Dropping it ends the thread.
pub(super) struct Syncer {
    common: Arc<Common>,
    thread: Option<JoinHandle<()>>,
}

struct Common {
    state: Mutex<State>,
    changed: Condvar,
    files: Mutex<[Syncing; FILES]>,
    shared: Arc<WriterState>,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// Bytes that were written to each file so far.
    written: [u64; FILES],
    /// Something was written since the last turn.
    waiting: bool,
    /// An episode has closed since.
    soon: bool,
    ending: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What they hold is whole at any time.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Syncer {
    /// Starts the thread. A failure is noted for the writer, as one of its own.
    pub(super) fn start(files: [Syncing; FILES], shared: Arc<WriterState>) -> Result<Self, std::io::Error> {
        let common =
            Arc::new(Common { state: Mutex::default(), changed: Condvar::new(), files: Mutex::new(files), shared });
        let beside = Arc::clone(&common);
        let builder = thread::Builder::new().name("log syncer".to_owned());
        let thread = builder.spawn(move || beside.run())?;
        Ok(Self { common, thread: Some(thread) })
    }

    /// A group was written; `closed` if it ends an episode.
    pub(super) fn wrote(&self, written: [u64; FILES], closed: bool) {
        let mut state = locked(&self.common.state);
        let news = !state.waiting || (closed && !state.soon);
        state.written = written;
        state.waiting = true;
        state.soon |= closed;
        drop(state);
        if news {
            self.common.changed.notify_one();
        }
    }

    /// The file of this number goes on in another one; what is in the last one is on the disk.
    /// Waits for a turn that is under way: afterwards nobody here holds the last file.
    pub(super) fn go_on_in(&self, number: usize, next: Syncing) {
        if let Some(file) = locked(&self.common.files).get_mut(number) {
            *file = next;
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        locked(&self.common.state).ending = true;
        self.common.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Common {
    fn run(&self) {
        while let Some(written) = self.next() {
            if let Err(error) = self.sync(written) {
                self.shared.failure.get_or_init(|| error);
                return;
            }
            let state = locked(&self.state);
            let pause = self.changed.wait_timeout_while(state, BETWEEN, |state| !state.ending);
            drop(pause);
        }
    }

    /// Waits until it is time, and says how much was written by then; none at the end.
    fn next(&self) -> Option<[u64; FILES]> {
        let state = locked(&self.state);
        let idle = |state: &mut State| !state.waiting && !state.ending;
        let state = self.changed.wait_while(state, idle).unwrap_or_else(PoisonError::into_inner);
        let early = |state: &mut State| !state.soon && !state.ending;
        let waited = self.changed.wait_timeout_while(state, AT_LEAST, early);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.ending {
            // The writer itself does it for the last time.
            return None;
        }
        (state.waiting, state.soon) = (false, false);
        Some(state.written)
    }

    fn sync(&self, written: [u64; FILES]) -> Result<(), LogError> {
        let mut files = locked(&self.files);
        for (file, written) in files.iter_mut().zip(written) {
            file.sync(written)?;
        }
        Ok(())
    }
}
