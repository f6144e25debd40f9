//! How often the agent planned.

use super::count;
use crate::domain::{Message, Move};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Moves that lay out a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plans;

impl Metric for Plans {
    fn name(&self) -> &'static str {
        "plans"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| {
            matches!(message, Message::Moved(Move::Plan { .. }))
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
