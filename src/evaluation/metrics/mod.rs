//! The metrics: one file each. Every one is a line in the table of `registry.rs`.

mod actions;
mod faults;
mod finishes;
mod first_question;
mod invalid;
mod judgements;
mod lessons;
mod plans;
mod questions;
mod reward;
mod steps;
mod success;
mod thoughts;

pub use actions::Actions;
pub use faults::Faults;
pub use finishes::Finishes;
pub use first_question::FirstQuestion;
pub use invalid::Invalid;
pub use judgements::Judgements;
pub use lessons::Lessons;
pub use plans::Plans;
pub use questions::Questions;
pub use reward::Reward;
pub use steps::Steps;
pub use success::Success;
pub use thoughts::Thoughts;

use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement};

fn count(log: &EpisodeLog<'_>, counted: impl Fn(&Message) -> bool) -> Measurement {
    let events = log.events.iter();
    let number = events.filter(|event| counted(&event.message)).count();
    Measurement::Value(number as f64)
}
