//! Where the seat of an episode and its client meet: a client waits here under the name of its episode, and
//! whoever is asked in that seat hands the turn over and waits for the answer.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use crate::locked;
use rolecall_core::domain::{Answer, EpisodeId, Utterance};
use rolecall_core::ports::{Role, RoleError, RoleFactory, Turn, UserError, UserFactory, UserSimulator};

/// A turn of the seat, and the way to answer it.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) turn: Turn,
    pub(super) answer: oneshot::Sender<Said>,
}

/// A client's answer: moves of a role, words of the user, or nothing that could be read as one of these.
#[derive(Debug)]
pub(super) enum Said {
    Moves(Answer),
    Words(Utterance),
    Unreadable(String),
}

/// The clients that wait to be asked, by episode.
#[derive(Debug, Default)]
pub(super) struct Desk(Mutex<FxHashMap<EpisodeId, oneshot::Sender<Asked>>>);

impl Desk {
    /// Waits for the next turn of the seat in the episode.
    pub(super) fn wait(&self, id: &EpisodeId) -> oneshot::Receiver<Asked> {
        let (asked, waiting) = oneshot::channel();
        locked(&self.0).insert(id.clone(), asked);
        waiting
    }

    /// Nobody waits any more.
    pub(super) fn forget(&self, id: &EpisodeId) {
        locked(&self.0).remove(id);
    }

    /// The role that the client plays.
    pub(super) fn role(self: &Arc<Self>) -> RoleFactory {
        let desk = Arc::clone(self);
        Arc::new(move || Box::new(Seated(Arc::clone(&desk))))
    }

    /// The user that the client plays.
    pub(super) fn user(self: &Arc<Self>) -> UserFactory {
        let desk = Arc::clone(self);
        Arc::new(move || Box::new(Seated(Arc::clone(&desk))))
    }
}

/// The seat of a client.
struct Seated(Arc<Desk>);

impl Seated {
    /// Has the client take the turn. However long it thinks, that is no slowness of the turn: the server
    /// closes sessions that do nothing.
    async fn ask(&self, turn: &Turn) -> Option<Said> {
        let said = self.answered(turn).await;
        if said.is_none() {
            // Who is gone has no answer, which is no fault: the episode is about to be cancelled.
            turn.cancel.cancelled().await;
        }
        said
    }

    async fn answered(&self, turn: &Turn) -> Option<Said> {
        let client = locked(&self.0.0).remove(&turn.episode)?;
        let (answer, answered) = oneshot::channel();
        let turn = turn.clone();
        let waiting = turn.calls.waiting().clone();
        let _waiting = waiting.begin();
        client.send(Asked { turn, answer }).ok()?;
        answered.await.ok()
    }
}

/// The reason why nobody answers.
const GONE: &str = "the client of this seat is gone";

#[async_trait]
impl Role for Seated {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        match self.ask(turn).await {
            Some(Said::Moves(answer)) => Ok(answer),
            Some(Said::Words(_)) => Err(RoleError::Unusable("a role answers with moves".to_owned())),
            Some(Said::Unreadable(why)) => Err(RoleError::Unusable(why)),
            None => Err(RoleError::Unavailable(GONE.to_owned())),
        }
    }

    fn is_external(&self) -> bool {
        true
    }
}

#[async_trait]
impl UserSimulator for Seated {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        match self.ask(turn).await {
            Some(Said::Words(utterance)) => Ok(utterance),
            Some(Said::Moves(_)) => Err(UserError::Failed("a user answers with words".to_owned())),
            Some(Said::Unreadable(why)) => Err(UserError::Failed(why)),
            None => Err(UserError::Unavailable(GONE.to_owned())),
        }
    }

    fn is_external(&self) -> bool {
        true
    }
}
