//! Types of actions, as ReSpAct Figure 5 shows them.

use crate::domain::{Message, Move};
use crate::ports::EpisodeLog;

/// A type of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionType {
    /// A thought.
    Think,
    /// A plan.
    Plan,
    /// A verdict whether to ask.
    Judge,
    /// An utterance to the user.
    Speak,
    /// An action that the environment took.
    Act,
    /// An action that the environment refused.
    Refused,
    /// A lesson.
    Learn,
    /// An answer that ends the task.
    Finish,
}

names! { ActionType, label:
    Think => "think", Plan => "plan", Judge => "judge", Speak => "speak", Act => "act",
    Refused => "refused act", Learn => "learn", Finish => "finish",
}

/// How often each type occurred, in the order of [`ActionType::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionCounts([u64; ActionType::ALL.len()]);

impl ActionCounts {
    /// Counts what was done in an episode. What was said counts when the user was told it, and what was done
    /// when the environment was to perform it, as the metrics count them.
    pub fn of_log(log: &EpisodeLog<'_>) -> Self {
        let mut counts = Self::default();
        for event in &log.events {
            let kind = match &event.message {
                Message::Told(_) => ActionType::Speak,
                Message::Perform(_) => ActionType::Act,
                Message::Observed(observed) if observed.invalid => {
                    // It was counted as one that was taken.
                    let taken = &mut counts.0[ActionType::Act as usize];
                    *taken = taken.saturating_sub(1);
                    ActionType::Refused
                }
                Message::Moved(Move::Think { .. }) => ActionType::Think,
                Message::Moved(Move::Plan { .. }) => ActionType::Plan,
                Message::Moved(Move::Judge { .. }) => ActionType::Judge,
                Message::Moved(Move::Learn { .. }) => ActionType::Learn,
                Message::Moved(Move::Finish { .. }) => ActionType::Finish,
                _ => continue,
            };
            counts.0[kind as usize] += 1;
        }
        counts
    }

    /// Adds those of another episode.
    pub fn join(&mut self, other: &Self) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }

    /// How often the type occurred.
    pub fn of(&self, kind: ActionType) -> u64 {
        self.0[kind as usize]
    }
}
