//! Roles: the agents of a cast.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Introduction, Turn};
use crate::domain::Answer;

/// An agent that answers with a move when it has its turn.
#[diagnostic::on_unimplemented(note = "a role implements `take_turn`; see docs/adding-a-role.md")]
#[async_trait]
pub trait Role: Send {
    /// Decides on a move (or several, where the strategy takes several).
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError>;

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
    fn introduction(&self) -> Result<Option<Introduction>, RoleError> {
        Ok(None)
    }
}

/// Makes the participant for one episode, and makes it anew after a fault.
pub type RoleFactory = Arc<dyn Fn() -> Box<dyn Role> + Send + Sync>;

/// Why a role has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RoleError {
    /// Its answer cannot be used: that is its own failure, and if it goes on so that of the
    /// agent ([`Ending::Unusable`](crate::domain::Ending::Unusable)).
    #[error("the answer cannot be used: {0}")]
    Unusable(String),
    /// Something that the role depends on is not there.
    #[error("not available: {0}")]
    Unavailable(String),
    /// It did not answer within its own time, which is not that of the turn.
    #[error("{0}")]
    TooLate(String),
    /// It leaves the task: the episode closes at once as [given up](crate::domain::Ending::GaveUp).
    #[error("it gives up")]
    GivesUp,
    /// The role cannot go on for another reason, which says nothing about the agent.
    #[error("{0}")]
    Failed(String),
}
