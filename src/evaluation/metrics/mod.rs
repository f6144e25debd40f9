//! The metrics: one file each, or one for figures that are read off together. Every one is a line in the
//! table of `registry.rs`.

mod actions;
mod advice_followed;
#[cfg(test)]
mod asking_tests;
mod completion_tokens;
mod cost;
mod dialogue_turns;
mod faults;
mod finishes;
mod first_question;
mod idle_questions;
mod invalid;
mod judgements;
mod lessons;
mod model_calls;
mod overlaps;
mod plans;
mod prompt_tokens;
mod questions;
mod repeated_questions;
mod retrieval;
mod reward;
mod rounds_solved;
mod solved_trial;
mod steps;
mod strategies_planned;
mod strategy_accuracy;
mod success;
mod success_several;
mod thoughts;
mod trials;

pub use super::overlap::Overlap;
pub use actions::Actions;
pub use advice_followed::AdviceFollowed;
pub use completion_tokens::CompletionTokens;
pub use cost::Cost;
pub use dialogue_turns::DialogueTurns;
pub use faults::Faults;
pub use finishes::Finishes;
pub use first_question::FirstQuestion;
pub use idle_questions::IdleQuestions;
pub use invalid::Invalid;
pub use judgements::Judgements;
pub use lessons::Lessons;
pub use model_calls::ModelCalls;
pub use plans::Plans;
pub use prompt_tokens::PromptTokens;
pub use questions::Questions;
pub use repeated_questions::RepeatedQuestions;
pub use retrieval::Retrieved;
pub use reward::Reward;
pub use rounds_solved::RoundsSolved;
pub use solved_trial::SolvedTrial;
pub use steps::Steps;
pub use strategies_planned::StrategiesPlanned;
pub use strategy_accuracy::StrategyAccuracy;
pub use success::Success;
pub use success_several::SuccessSeveral;
pub use thoughts::Thoughts;
pub use trials::Trials;

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
