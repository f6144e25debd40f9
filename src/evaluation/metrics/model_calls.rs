//! How often models were called.

use super::over_calls;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Calls of models by any seat; absent if there was none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelCalls;

impl Metric for ModelCalls {
    fn name(&self) -> &'static str {
        "model_calls"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        over_calls(log, |_| Some(1.0))
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
