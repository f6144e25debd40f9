//! How often the agent ended the task itself.

use super::count;
use crate::domain::{Message, Move};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Moves that end the task with an answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finishes;

impl Metric for Finishes {
    fn name(&self) -> &'static str {
        "finishes"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| {
            matches!(message, Message::Moved(Move::Finish { .. }))
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
