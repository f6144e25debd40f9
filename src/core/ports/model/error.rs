//! Why a model has no reply.

use crate::domain::Limit;
use crate::ports::{RoleError, UserError};

/// Why a model has no reply. The texts hold no secret, no clock and no random part, since they
/// become part of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The prompt and the answer do not fit the model's window.
    #[error("the prompt does not fit the window of the model: {0}")]
    Overflow(String),
    /// The server is asked too often, and went on saying so after every retry.
    #[error("the server refuses more requests: {0}")]
    RateLimit(String),
    /// The key is missing, refused, or not allowed to use the model.
    #[error("the server refuses the key: {0}")]
    Auth(String),
    /// The server does not accept the request (400, 404, 422): sending it again is pointless.
    #[error("the server does not accept the request: {0}")]
    BadRequest(String),
    /// The template by which the server writes prompts refuses this one, and all of its kind.
    #[error("the server's chat template refuses the prompt: {0}")]
    Template(String),
    /// The server failed (5xx), and went on failing.
    #[error("the server failed: {0}")]
    Server(String),
    /// The server did not answer in time.
    #[error("the server did not answer in time: {0}")]
    Timeout(String),
    /// The server cannot be reached.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The answer ended in the middle (a cut connection or stream).
    #[error("the answer was cut: {0}")]
    Truncated(String),
    /// The answer is not what the protocol says.
    #[error("the answer makes no sense: {0}")]
    Malformed(String),
    /// The model, or a filter, refused to answer.
    #[error("the model refuses to answer: {0}")]
    Refused(String),
    /// The answer is larger than what is read.
    #[error("the answer is too large: {0}")]
    TooLarge(String),
    /// The model cannot do what is asked of it.
    #[error("the model cannot do this: {0}")]
    Unsupported(String),
    /// A limit of the episode is used up.
    #[error("the episode is out of {}", .0.as_str())]
    OutOf(Limit),
    /// Only the cache may answer, and it does not hold this request.
    #[error("not in the cache, which alone may answer: {0}")]
    NotCached(String),
    /// The answer is no longer wanted.
    #[error("the call was cancelled")]
    Cancelled,
    /// The reply could not be written to the log, so it is not used.
    #[error("the reply could not be recorded: {0}")]
    NotRecorded(String),
}

impl From<ModelError> for RoleError {
    fn from(error: ModelError) -> Self {
        let text = error.to_string();
        match error {
            ModelError::TooLarge(_) => Self::Unusable(text),
            ModelError::Overflow(_) => Self::ContextFull(text),
            ModelError::Refused(_) => Self::Refused(text),
            // What its server did, or cannot do.
            ModelError::Malformed(_)
            | ModelError::BadRequest(_)
            | ModelError::Template(_)
            | ModelError::Unsupported(_) => Self::Failed(text),
            _ => Self::Unavailable(text),
        }
    }
}

impl From<ModelError> for UserError {
    fn from(error: ModelError) -> Self {
        match RoleError::from(error) {
            RoleError::Unavailable(text) => Self::Unavailable(text),
            RoleError::Unusable(text)
            | RoleError::ContextFull(text)
            | RoleError::Refused(text)
            | RoleError::TooLate(text)
            | RoleError::Failed(text) => Self::Failed(text),
            RoleError::GivesUp => Self::Failed(RoleError::GivesUp.to_string()),
        }
    }
}
