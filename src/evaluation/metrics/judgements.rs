//! How often the agent weighed whether to ask.

use super::count;
use crate::domain::{Message, Move};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Moves that judge whether the request must be clarified.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judgements;

impl Metric for Judgements {
    fn name(&self) -> &'static str {
        "judgements"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| {
            matches!(message, Message::Moved(Move::Judge { .. }))
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
