//! One call of a model, which becomes as many attempts as it takes.

use super::wait::wait;
use crate::ports::ModelError;
use crate::ports::model::{CallContext, CallTrace, EncodedRequest, RetryReason};

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
