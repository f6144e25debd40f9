//! Whether the task was solved.

use crate::ports::{EpisodeLog, Measurement, Metric};

/// Whether the last go solved the task, as the environment says (success rate of ReSpAct Table 1).
#[derive(Clone, Copy, Debug, Default)]
pub struct Success;

impl Metric for Success {
    fn name(&self) -> &'static str {
        "success"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        log.outcome().map_or(Measurement::Absent, |outcome| {
            Measurement::Rate(outcome.success)
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
