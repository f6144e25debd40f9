//! How much models said.

use super::over_calls;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Tokens that were generated in all calls; absent if there was none.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompletionTokens;

impl Metric for CompletionTokens {
    fn name(&self) -> &'static str {
        "completion_tokens"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        over_calls(log, |call| Some(call.reply.usage.completion as f64))
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
