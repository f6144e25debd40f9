//! The metrics: one file each. Every one is a line in the table of `registry.rs`.

mod actions;
mod completion_tokens;
mod cost;
mod faults;
mod finishes;
mod first_question;
mod invalid;
mod judgements;
mod lessons;
mod model_calls;
mod plans;
mod prompt_tokens;
mod questions;
mod reward;
mod steps;
mod success;
mod thoughts;

pub use actions::Actions;
pub use completion_tokens::CompletionTokens;
pub use cost::Cost;
pub use faults::Faults;
pub use finishes::Finishes;
pub use first_question::FirstQuestion;
pub use invalid::Invalid;
pub use judgements::Judgements;
pub use lessons::Lessons;
pub use model_calls::ModelCalls;
pub use plans::Plans;
pub use prompt_tokens::PromptTokens;
pub use questions::Questions;
pub use reward::Reward;
pub use steps::Steps;
pub use success::Success;
pub use thoughts::Thoughts;

use crate::domain::{Message, ModelCall};
use crate::ports::{EpisodeLog, Measurement};

fn count(log: &EpisodeLog<'_>, counted: impl Fn(&Message) -> bool) -> Measurement {
    let events = log.events.iter();
    let number = events.filter(|event| counted(&event.message)).count();
    Measurement::Value(number as f64)
}

/// The sum of a figure over the calls of models that have it; absent if none has.
fn over_calls(log: &EpisodeLog<'_>, figure: impl Fn(&ModelCall) -> Option<f64>) -> Measurement {
    let calls = log.events.iter().filter_map(|event| match &event.message {
        Message::ModelCalled(call) => figure(call),
        _ => None,
    });
    let sum = calls.fold(None, |sum: Option<f64>, value| {
        Some(sum.unwrap_or_default() + value)
    });
    sum.map_or(Measurement::Absent, Measurement::Value)
}
