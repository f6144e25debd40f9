//! Users: whoever answers when the agent speaks.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Introduction, Turn};
use crate::domain::Utterance;

/// A user, simulated or real.
#[diagnostic::on_unimplemented(note = "a user implements `reply`; see docs/adding-a-user.md")]
#[async_trait]
pub trait UserSimulator: Send {
    /// Answers what was just said ([`Turn::question`]).
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError>;

    /// Whether the answer comes from outside the process (a model, a person) and must be on disk
    /// before it is used.
    fn is_external(&self) -> bool {
        false
    }

    /// What it says of itself, where it is in another process; may start that one and wait for it. None
    /// usually.
    ///
    /// # Errors
    /// When it cannot be started.
    fn introduction(&self) -> Result<Option<Introduction>, UserError> {
        Ok(None)
    }
}

/// Makes the user for one episode, and makes it anew after a fault.
pub type UserFactory = Arc<dyn Fn() -> Box<dyn UserSimulator> + Send + Sync>;

/// Why a user has no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UserError {
    /// Something that the user depends on (a terminal, a model) is not there.
    #[error("not available: {0}")]
    Unavailable(String),
    /// It did not answer within its own time, which is not that of the turn.
    #[error("{0}")]
    TooLate(String),
    /// The user cannot go on for another reason.
    #[error("{0}")]
    Failed(String),
}
