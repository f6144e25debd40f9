//! The turn that a participant is handed.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::model::Calls;
use crate::domain::{Brief, EpisodeId, Message, PublicTask, Seat, Seed, Utterance, View};

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
    /// That seat's turn number in the episode, from 0.
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
        let own = self.view.new_events().filter(|event| event.to == self.seat);
        own.filter_map(|event| wanted(&event.message)).last()
    }
}
