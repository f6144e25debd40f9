//! How often the agent reasoned aloud.

use super::count;
use crate::domain::{Message, Move};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Moves that are thoughts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thoughts;

impl Metric for Thoughts {
    fn name(&self) -> &'static str {
        "thoughts"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| {
            matches!(message, Message::Moved(Move::Think { .. }))
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
