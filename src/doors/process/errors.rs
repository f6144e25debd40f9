//! Why there is no answer from another process.

use crate::wire::{Gone, RpcError};
use rolecall_core::ports::{EnvironmentError, RoleError, UserError};
use rolecall_core::text::visible;

/// The error of a participant itself; `data.kind` says more.
pub(super) const OWN_ERROR: i64 = -32000;
/// The events of the view that it had are lost.
pub(super) const NEED_VIEW: i64 = -32010;

/// Why there is no answer from another process. The texts are harmless for terminals.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// Its answer cannot be used: that is its own failure.
    #[error("{0}")]
    Unusable(String),
    /// Its prompt does not fit the window of the model that it asks.
    #[error("{0}")]
    ContextFull(String),
    /// The model that it asks, or a filter, refused to answer.
    #[error("{0}")]
    Refused(String),
    /// Something that it depends on, or itself, is not there.
    #[error("{0}")]
    Unavailable(String),
    /// It cannot go on for another reason.
    #[error("{0}")]
    Failed(String),
}

impl From<RpcError> for ProcessError {
    fn from(error: RpcError) -> Self {
        /// The most letters of its words that become part of a log.
        const SHOWN: usize = 2_000;
        let words: String = visible(&error.message).chars().take(SHOWN).collect();
        match (error.code, error.data.get("kind").and_then(|kind| kind.as_str())) {
            (OWN_ERROR, Some("unusable")) => Self::Unusable(words),
            (OWN_ERROR, Some("context_full")) => Self::ContextFull(words),
            (OWN_ERROR, Some("refused")) => Self::Refused(words),
            (OWN_ERROR, Some("unavailable")) => Self::Unavailable(words),
            (OWN_ERROR, _) => Self::Failed(words),
            (code, _) => Self::Failed(format!("{words} (error {code})")),
        }
    }
}

impl From<Gone> for ProcessError {
    fn from(gone: Gone) -> Self {
        match gone {
            Gone::NotStarted(text) => Self::Unavailable(text.to_string()),
            Gone::Died(text) | Gone::Breach(text) => Self::Failed(text.to_string()),
        }
    }
}

impl From<ProcessError> for RoleError {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::Unusable(text) => Self::Unusable(text),
            ProcessError::ContextFull(text) => Self::ContextFull(text),
            ProcessError::Refused(text) => Self::Refused(text),
            ProcessError::Unavailable(text) => Self::Unavailable(text),
            ProcessError::Failed(text) => Self::Failed(text),
        }
    }
}

impl From<ProcessError> for UserError {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::Unavailable(text) => Self::Unavailable(text),
            ProcessError::Unusable(text)
            | ProcessError::ContextFull(text)
            | ProcessError::Refused(text)
            | ProcessError::Failed(text) => Self::Failed(text),
        }
    }
}

/// The error of a world. No conversion: with two of those, `?` in worlds would have to say which it means.
pub(super) fn of_world(error: ProcessError) -> EnvironmentError {
    EnvironmentError::Failed(error.to_string())
}
