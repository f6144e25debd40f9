//! A session: an episode in which a client plays one seat.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;
use tokio_util::sync::DropGuard;

use super::desk::{Asked, Desk, Said};
use rolecall_core::domain::{Answer, EpisodeId, Outcome, Utterance, View};
use rolecall_core::ports::Turn;
use rolecall_run::runtime::Over;

/// Why a session cannot begin or go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// As many sessions are open as may be.
    #[error("{open} of {most} sessions are open: close one, or start the server with --max-sessions")]
    Full {
        /// Sessions that are open.
        open: usize,
        /// Sessions that may be.
        most: usize,
    },
    /// The order cannot be met.
    #[error("`{key}` {problem}")]
    Wrong {
        /// The part of the order that is to blame.
        key: &'static str,
        /// The problem with it, and the alternatives.
        problem: String,
    },
    /// The episode is over.
    #[error("the episode is over: reset first")]
    Over,
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
}

/// One of the sessions that may be open.
pub(super) struct Slot(pub(super) Arc<AtomicUsize>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An episode with its client. Dropping it ends the episode as cancelled, unless it is over.
pub struct Session {
    id: EpisodeId,
    name: Option<String>,
    state: State,
    desk: Arc<Desk>,
    over: oneshot::Receiver<Over>,
    _gone: DropGuard,
    _slot: Slot,
}

enum State {
    /// An answer is on its way.
    Waiting,
    /// The seat is asked.
    Asked(Box<Asked>),
    Over(Box<Over>),
}

impl Session {
    /// A session whose seat is not yet asked.
    pub(super) fn new(
        id: EpisodeId,
        name: Option<String>,
        desk: Arc<Desk>,
        over: oneshot::Receiver<Over>,
        gone: DropGuard,
        slot: Slot,
    ) -> Self {
        Self { id, name, state: State::Waiting, desk, over, _gone: gone, _slot: slot }
    }

    /// The episode in the log.
    pub fn id(&self) -> &EpisodeId {
        &self.id
    }

    /// The name that the client gave it, or else its name in the log.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.id.to_string())
    }

    /// The turn that the seat is asked for; none once the episode is over.
    pub fn turn(&self) -> Option<&Turn> {
        match &self.state {
            State::Asked(asked) => Some(&asked.turn),
            State::Waiting | State::Over(_) => None,
        }
    }

    /// The view of the seat; its [new events](View::new_events) came since its last answer.
    pub fn view(&self) -> Option<&View> {
        match &self.state {
            State::Waiting => None,
            State::Asked(asked) => Some(&asked.turn.view),
            State::Over(over) => Some(&over.view),
        }
    }

    /// The outcome of the episode, once it is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.state {
            State::Over(over) => Some(&over.outcome),
            State::Waiting | State::Asked(_) => None,
        }
    }

    /// Answers with moves of the role, and waits until the seat is asked again or the episode is over. An
    /// answer that cannot be used is a fault of the episode: the seat is asked again, with a notice in the
    /// brief, as often as the config's limits say.
    ///
    /// # Errors
    /// When the episode is over, or the server is stopping.
    pub async fn answer(&mut self, answer: Answer) -> Result<(), SessionError> {
        self.say(Said::Moves(answer)).await
    }

    /// Answers with words of the user, likewise.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub async fn reply(&mut self, utterance: Utterance) -> Result<(), SessionError> {
        self.say(Said::Words(utterance)).await
    }

    /// Answers with what could not be read, and why: a fault like that of a model whose answer cannot be used.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub async fn refuse(&mut self, why: String) -> Result<(), SessionError> {
        self.say(Said::Unreadable(why)).await
    }

    async fn say(&mut self, said: Said) -> Result<(), SessionError> {
        match mem::replace(&mut self.state, State::Waiting) {
            State::Asked(asked) => {
                let waiting = self.desk.wait(&self.id);
                // A seat that does not wait any more is over, or will be asked again.
                let _ = asked.answer.send(said);
                self.wait(waiting).await
            }
            other => {
                self.state = other;
                Err(SessionError::Over)
            }
        }
    }

    /// Waits until the seat is asked or the episode is over.
    pub(super) async fn wait(&mut self, asked: oneshot::Receiver<Asked>) -> Result<(), SessionError> {
        let state = tokio::select! {
            asked = asked => asked.ok().map(|asked| State::Asked(Box::new(asked))),
            over = &mut self.over => {
                self.desk.forget(&self.id);
                over.ok().map(|over| State::Over(Box::new(over)))
            }
        };
        self.state = state.ok_or(SessionError::Stopping)?;
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.desk.forget(&self.id);
    }
}
