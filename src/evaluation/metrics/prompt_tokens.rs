//! How much models were told.

use super::over_calls;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Tokens of the prompts of all calls; absent if there was none.
#[derive(Clone, Copy, Debug, Default)]
pub struct PromptTokens;

impl Metric for PromptTokens {
    fn name(&self) -> &'static str {
        "prompt_tokens"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        over_calls(log, |call| Some(call.reply.usage.prompt as f64))
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
