//! How often the agent learned.

use super::count;
use crate::domain::{Message, Move};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Moves that write a lesson.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lessons;

impl Metric for Lessons {
    fn name(&self) -> &'static str {
        "lessons"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| {
            matches!(message, Message::Moved(Move::Learn { .. }))
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
