//! Whether the strategies that people used were planned.

use super::super::response::Sample;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Whether the strategies that were planned for the first response are those that somebody saw in one of
/// its references, whatever their order. Absent without annotations, and where nobody was to plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrategyAccuracy;

impl Metric for StrategyAccuracy {
    fn name(&self) -> &'static str {
        "strategy_accuracy"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let sample = Sample::of(log);
        let right = sample.and_then(|sample| sample.is_planned_as_annotated());
        right.map_or(Measurement::Absent, Measurement::Rate)
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
