//! Endings and scores of episodes, trials and rounds.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Seat;
use super::model::is_zero;

/// Why an episode ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// The environment says that the task is solved.
    Solved,
    /// The episode came to its end and the task is not solved.
    Failed,
    /// The agent finished without solving the task and before any limit.
    GaveUp,
    /// A counted or timed limit was reached.
    OutOf {
        /// Which one.
        limit: Limit,
    },
    /// The user ended the conversation, before it reached its goal where it has one.
    UserLeft,
    /// No attempt at a turn gave an answer that could be used: the agent failed, and nothing else.
    Unusable,
    /// The prompt of a role outgrew the window of its model: not solved, or whoever talks longest would lose fewest
    /// episodes.
    ContextFull,
    /// The model of a role, or a filter, refused every answer: not solved.
    Refused,
    /// The episode says nothing about the agent: something else failed.
    Broken {
        /// Whose fault ended it; the conductor stands for the infrastructure.
        by: Seat,
    },
    /// The run was stopped before the episode ended.
    Cancelled,
}

impl Ending {
    /// Whether the episode must be kept out of the agent's results.
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Broken { .. } | Self::Cancelled)
    }

    /// Whether a model gave no answer to read, because of its window or a filter. Such an episode counts as not
    /// solved; reports give their figures without it as well.
    pub fn is_withheld(&self) -> bool {
        matches!(self, Self::ContextFull | Self::Refused)
    }

    /// A short word for tables, such as `out of steps`.
    pub fn label(&self) -> String {
        match self {
            Self::Solved => "solved".to_owned(),
            Self::Failed => "failed".to_owned(),
            Self::GaveUp => "gave up".to_owned(),
            Self::OutOf { limit: Limit::Repeats } => "repeats itself".to_owned(),
            Self::OutOf { limit } => format!("out of {}", limit.as_str()),
            Self::UserLeft => "user left".to_owned(),
            Self::Unusable => "unusable answers".to_owned(),
            Self::ContextFull => "context full".to_owned(),
            Self::Refused => "refused by a filter".to_owned(),
            Self::Broken { by } => format!("broken by {by}"),
            Self::Cancelled => "cancelled".to_owned(),
        }
    }
}

/// A limit of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Moves of any kind in one trial.
    Steps,
    /// Utterances to the user.
    Questions,
    /// Responses of a conversation.
    Turns,
    /// Model calls.
    ModelCalls,
    /// Tokens.
    Tokens,
    /// The cost of model calls by the prices of the config.
    Cost,
    /// Wall time; not deterministic, and marked in reports.
    Time,
    /// Times in a row that a role made the same moves.
    Repeats,
}

names! { Limit, as_str:
    Steps => "steps", Questions => "questions", Turns => "turns", ModelCalls => "model calls",
    Tokens => "tokens", Cost => "cost", Time => "time",
    Repeats => "repeats",
}

/// The environment's score of one trial or round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The task is solved.
    pub success: bool,
    /// The reward, in the environment's own scale: 0 or 1 where a task is solved or not.
    pub reward: f64,
    /// Further figures of the environment, such as the parts of a reward.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub detail: Value,
}

impl Score {
    /// The score of a task that is solved, with the reward 1, or not, with the reward 0.
    pub fn all_or_nothing(success: bool) -> Self {
        Self { success, reward: if success { 1.0 } else { 0.0 }, ..Self::default() }
    }
}

/// Counts of an episode ([`Message::add_to`](super::Message::add_to)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Moves of roles, of every kind: thoughts and utterances are steps too.
    pub steps: u32,
    /// Utterances to the user.
    pub questions: u32,
    /// Actions on the environment.
    pub actions: u32,
    /// Actions that the environment refused.
    pub invalid: u32,
    /// Faults of any seat.
    pub faults: u32,
    /// Calls of models.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub model_calls: u32,
    /// Tokens of all calls, of prompts and answers.
    #[serde(default, skip_serializing_if = "none")]
    pub tokens: u64,
}

fn none(tokens: &u64) -> bool {
    *tokens == 0
}

/// How an episode closed: exactly one per episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// The last trial or round was solved.
    pub success: bool,
    /// The sum of the rewards of the last trial's rounds.
    pub reward: f64,
    /// The counts of the whole episode.
    pub counts: Counts,
}

/// A fault of one seat. It is an event of the episode, never only a line of tracing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who failed.
    pub seat: Seat,
    /// How.
    pub kind: FaultKind,
    /// The problem, for people; at most [`Fault::MESSAGE_LIMIT`] bytes.
    pub message: String,
    /// How often this seat had failed before in the same turn, from 0.
    pub attempt: u32,
}

impl Fault {
    /// The longest message that is kept, in bytes.
    pub const MESSAGE_LIMIT: usize = 500;

    /// Makes a fault, cutting a message that is too long.
    pub fn new(seat: Seat, kind: FaultKind, message: &str, attempt: u32) -> Self {
        let end = message.floor_char_boundary(Self::MESSAGE_LIMIT);
        Self { seat, kind, message: message[..end].to_owned(), attempt }
    }
}

/// The ways in which a participant can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// It panicked.
    Panic,
    /// It did not answer before the deadline of the turn.
    Deadline,
    /// It said that it could not go on.
    Error,
    /// Its answer could not be used: no move, a move that is not open, nonsense.
    Unusable,
    /// Its answer was larger than allowed.
    TooLarge,
    /// Something that it depends on (a model server, a process) was not there.
    Unavailable,
    /// Its prompt does not fit the window of its model.
    ContextFull,
    /// Its model, or a filter, refused to answer.
    Refused,
}

impl FaultKind {
    /// Ending of an episode in which every attempt of a role at a turn failed like this; none where that says
    /// nothing about the agent.
    pub fn ending(self) -> Option<Ending> {
        match self {
            Self::Unusable | Self::TooLarge => Some(Ending::Unusable),
            Self::ContextFull => Some(Ending::ContextFull),
            Self::Refused => Some(Ending::Refused),
            Self::Panic | Self::Deadline | Self::Error | Self::Unavailable => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_at_a_letter() {
        let fault = Fault::new(Seat::User, FaultKind::Error, &"é".repeat(400), 0);
        assert!(fault.message.len() <= Fault::MESSAGE_LIMIT);
        assert!(fault.message.chars().all(|letter| letter == 'é'));
    }
}
