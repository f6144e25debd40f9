//! How often the agent tried what was not possible.

use super::count;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Actions that the environment refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Invalid;

impl Metric for Invalid {
    fn name(&self) -> &'static str {
        "invalid"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(
            log,
            |message| matches!(message, Message::Observed(observed) if observed.invalid),
        )
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
