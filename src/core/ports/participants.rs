//! Participants: roles, which are the agents of a cast, users, and the turn that either is handed.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::model::Calls;
use crate::domain::{Answer, Brief, EpisodeId, Message, PublicTask, Seat, Seed, Utterance, View};

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

    /// Introduction of a role in another process, which is started if need be; none of one in this process.
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
pub enum RoleError {
    /// Its answer cannot be used: a failure of the role, and after too many attempts of the
    /// agent ([`Ending::Unusable`](crate::domain::Ending::Unusable)).
    #[error("the answer cannot be used: {0}")]
    Unusable(String),
    /// Its prompt does not fit the window of its model, and nothing more can be left out: after too many attempts
    /// [`Ending::ContextFull`](crate::domain::Ending::ContextFull).
    #[error("{0}")]
    ContextFull(String),
    /// Its model, or a filter, refused to answer: after too many attempts
    /// [`Ending::Refused`](crate::domain::Ending::Refused).
    #[error("{0}")]
    Refused(String),
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

/// Introduction of a participant in another process, before it is asked anything. It becomes part of the run's
/// record: nobody else may continue the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// Its name.
    pub name: String,
    /// Its version; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Hash of its code; empty if it says none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// Equal views and seeds give equal answers.
    pub deterministic: bool,
    /// Its answers come from outside, for instance from a model that it asks itself.
    pub external: bool,
}

impl Introduction {
    /// Whether its answers cannot be asked for again: they are on disk before they are used, and a replay takes
    /// them from the log.
    pub fn is_taken(&self) -> bool {
        self.external || !self.deterministic
    }
}

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

    /// Introduction of a user in another process, which is started if need be; none of one in this process.
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

/// One turn of a role or of the user.
///
/// A participant's answer is a function of the view (which holds the brief) and the seed.
/// Whatever it keeps between turns is a cache that it can rebuild from the view.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The episode.
    pub episode: EpisodeId,
    /// Whose turn it is.
    pub seat: Seat,
    /// Turn number of the seat in the episode, from 0.
    pub number: u32,
    /// How often this turn was tried before, from 0.
    pub attempt: u32,
    /// The events that the seat may see.
    pub view: View,
    /// The seat's seed for this turn and attempt.
    pub seed: Seed,
    /// The time that the answer may take, without waiting for models (`limits.turn_seconds`).
    pub deadline: Duration,
    /// Struck when the answer is no longer wanted.
    pub cancel: CancellationToken,
    /// Where calls of models are recorded ([`Turn::complete`]).
    pub calls: Calls,
}

impl Turn {
    /// The task as everybody may see it.
    pub fn task(&self) -> Option<&PublicTask> {
        self.view.all().find_map(|event| match &event.message {
            Message::Opened(opened) => Some(&*opened.task),
            _ => None,
        })
    }

    /// The role's brief for this turn; none for a user.
    pub fn brief(&self) -> Option<&Brief> {
        self.last_new(|message| match message {
            Message::Brief(brief) => Some(brief),
            _ => None,
        })
    }

    /// The utterance that the user is to answer; none for a role.
    pub fn question(&self) -> Option<&Utterance> {
        self.last_new(|message| match message {
            Message::Told(utterance) => Some(utterance),
            _ => None,
        })
    }

    /// The last of the new messages to this seat that is wanted.
    fn last_new<T>(&self, wanted: impl Fn(&Message) -> Option<&T>) -> Option<&T> {
        self.view.new_events().filter(|event| event.to == self.seat).filter_map(|event| wanted(&event.message)).last()
    }
}
