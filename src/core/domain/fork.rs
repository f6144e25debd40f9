//! Where an episode leaves another one, and what happens there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::action::is_false;
use super::{EpisodeId, Event, Message, Seed};

/// Point where an episode leaves another one: all events before it are the other one's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The run of the other episode, which has the same name as this one.
    pub run: String,
    /// Number of events that both have in common; the first may differ in the cast that it names,
    /// and briefs in what is left of the limits.
    pub events: u32,
    /// Facts that a study handed over, here or in a run that this one continues, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
    /// From here on nobody may ask the user anything.
    #[serde(default, skip_serializing_if = "is_false")]
    pub silent: bool,
    /// Where other seeds take the place of the run's, in the order of events; empty where the run's go on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reseeded: Vec<Reseeded>,
}

/// Interventions of a study where the episodes of a branch leave those of its parent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steering {
    /// Nobody may ask the user anything from there on.
    #[serde(default, skip_serializing_if = "is_false")]
    pub silent: bool,
    /// Root of the seeds after the fork; none keeps the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// The facts that are handed over, by episode.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub given: BTreeMap<EpisodeId, Given>,
}

/// A fact that a study hands over: an answer of the user that takes no move and counts as no question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The number of events before it.
    pub at: u32,
    /// The question that it answers.
    pub question: String,
    /// The fact, in the words of a user.
    pub answer: String,
}

/// Turns that begin from an event on have seeds that are derived from another one than the run's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reseeded {
    /// The first event that is not of turns before.
    pub from: u32,
    /// Root that the seeds are derived from.
    pub seed: Seed,
}

impl Fork {
    /// Leaves an episode of a run, which has these events, after so many of them. What happened by a study before
    /// goes with it.
    pub fn of(run: &str, id: &EpisodeId, theirs: &[Event], events: u32, steering: &Steering) -> Self {
        let opened = theirs.first().map(|event| &event.message);
        let before = match opened {
            Some(Message::Opened(opened)) => opened.fork.as_deref(),
            _ => None,
        };
        let given = before.map_or(&[][..], |fork| &fork.given).iter();
        let given = given.filter(|given| given.at < events).chain(steering.given.get(id)).cloned();
        let mut reseeded = before.map_or_else(Vec::new, |fork| fork.reseeded.clone());
        if let Some(seed) = steering.seed {
            reseeded.retain(|reseeded| reseeded.from < events);
            reseeded.push(Reseeded { from: events, seed });
        }
        Self { run: run.to_owned(), events, reseeded, given: given.collect(), silent: steering.silent }
    }

    /// Root of the seed of a turn that begins at this event, if it is not the run's.
    pub fn seed_at(&self, event: u32) -> Option<Seed> {
        self.reseeded.iter().rev().find(|reseeded| reseeded.from <= event).map(|reseeded| reseeded.seed)
    }
}
