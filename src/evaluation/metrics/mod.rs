//! The metrics: one file each. Every one is a line in the table of `registry.rs`.

mod actions;
mod faults;
mod first_question;
mod invalid;
mod questions;
mod reward;
mod steps;
mod success;
mod thoughts;

pub use actions::Actions;
pub use faults::Faults;
pub use first_question::FirstQuestion;
pub use invalid::Invalid;
pub use questions::Questions;
pub use reward::Reward;
pub use steps::Steps;
pub use success::Success;
pub use thoughts::Thoughts;

use crate::domain::{Message, Outcome};
use crate::ports::EpisodeLog;

/// How the episode closed; none if the run was interrupted before.
pub(super) fn outcome<'a>(log: &EpisodeLog<'a>) -> Option<&'a Outcome> {
    let last = log.events.last()?;
    match &last.message {
        Message::Closed(outcome) => Some(outcome),
        _ => None,
    }
}

fn count(log: &EpisodeLog<'_>, counted: impl Fn(&Message) -> bool) -> crate::ports::Measurement {
    let events = log.events.iter();
    let number = events.filter(|event| counted(&event.message)).count();
    crate::ports::Measurement::Value(number as f64)
}
