//! What models cost.

use super::over_calls;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// What all calls cost by the prices of the config, also where the cache answered; absent if no
/// call has a price.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost;

impl Metric for Cost {
    fn name(&self) -> &'static str {
        "cost"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        over_calls(log, |call| call.cost)
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
