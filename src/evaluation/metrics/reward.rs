//! What the environment gave.

use crate::ports::{EpisodeLog, Measurement, Metric};

/// The reward of the episode, in the environment's own scale.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reward;

impl Metric for Reward {
    fn name(&self) -> &'static str {
        "reward"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        log.outcome().map_or(Measurement::Absent, |outcome| {
            Measurement::Value(outcome.reward)
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
