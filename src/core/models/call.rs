//! One call of a model, which becomes as many attempts as it takes.

use std::time::Duration;

use tokio::time::Instant;

use crate::ports::ModelError;
use crate::ports::model::{CallContext, CallTrace, EncodedRequest, RetryReason, RetrySettings, Waiting, WaitingGuard};

/// A call, with its attempts so far.
pub(super) struct Call<'a> {
    pub(super) request: &'a EncodedRequest,
    pub(super) context: &'a CallContext,
    pub(super) trace: &'a mut CallTrace,
    /// Attempts that failed since the call began, or since the last outage.
    pub(super) failures: u32,
    /// Attempts that were refused because of the rate, counted alike.
    pub(super) refusals: u32,
    /// All attempts, for the jitter.
    pub(super) attempts: u32,
    /// Probes that were answered with a failure.
    pub(super) probes: u32,
    /// Calls that had succeeded when it began.
    pub(super) successes: u64,
    /// The reason why the next attempt is one more.
    pub(super) retry_reason: Option<RetryReason>,
}

impl Call<'_> {
    pub(super) fn wait<T>(&mut self, what: impl Future<Output = T>) -> impl Future<Output = Result<T, ModelError>> {
        wait(self.context, self.trace, what)
    }

    /// Begins to count anew, after an outage.
    pub(super) fn renew(&mut self, successes: u64) {
        (self.failures, self.refusals) = (0, 0);
        self.successes = successes;
    }
}

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
        Self { began: Instant::now(), waiting, _guard: waiting.begin() }
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

/// The wait before a further attempt: doubled each time, with a jitter that depends on the call
/// alone.
pub(super) fn backoff(retries: &RetrySettings, key: &str, attempt: u32, tries: u32) -> Duration {
    let doublings = tries.saturating_sub(1).min(30);
    let longest = retries.first_wait.saturating_mul(1 << doublings).min(retries.longest_wait);
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.as_bytes()).update(&attempt.to_le_bytes());
    let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
    let share = f64::from(u32::from_le_bytes([a, b, c, d])) / f64::from(u32::MAX);
    longest.mul_f64(0.5 + 0.5 * share)
}
