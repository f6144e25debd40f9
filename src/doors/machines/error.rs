//! The errors of a queue.

/// The reason why a queue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// It cannot be reached at the moment; it is worth trying again.
    #[error("the queue `{queue}` cannot be reached: {reason}")]
    Unreachable {
        /// The queue, without secrets.
        queue: String,
        /// What is wrong.
        reason: String,
    },
    /// It cannot be used, now or later, without somebody's help.
    #[error("the queue `{queue}` cannot be used: {reason}")]
    Unusable {
        /// The queue, without secrets.
        queue: String,
        /// What is wrong, and what to do.
        reason: String,
    },
}

impl QueueError {
    /// Whether trying again may help.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}
