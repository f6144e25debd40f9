//! Waiting for a place: a turn's deadline does not count it, and cancelling ends it.

use std::time::Duration;

use tokio::time::Instant;

use crate::ports::ModelError;
use crate::ports::model::{CallContext, CallTrace, Waiting, WaitingGuard};

/// Waits for something that is not the server's answer.
pub(crate) async fn wait<T>(
    context: &CallContext,
    trace: &mut CallTrace,
    what: impl Future<Output = T>,
) -> Result<T, ModelError> {
    let wait = Wait::begin(&context.waiting);
    let came = tokio::select! {
        biased;
        () = context.cancel.cancelled() => Err(ModelError::Cancelled),
        came = what => Ok(came),
    };
    trace.waited += wait.end();
    came
}

/// A wait that is counted when it ends, however it ends.
#[derive(Debug)]
pub(crate) struct Wait<'a> {
    began: Instant,
    waiting: &'a Waiting,
    _guard: WaitingGuard<'a>,
}

impl<'a> Wait<'a> {
    pub(crate) fn begin(waiting: &'a Waiting) -> Self {
        Self {
            began: Instant::now(),
            waiting,
            _guard: waiting.begin(),
        }
    }

    /// Ends it and says how long it was.
    pub(crate) fn end(self) -> Duration {
        self.began.elapsed()
    }
}

/// Counted before the guard goes: nobody sees a wait that is over and not counted.
impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.waiting.add(self.began.elapsed());
    }
}
