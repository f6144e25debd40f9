//! How many strategies were planned for a response.

use super::super::response::Sample;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Strategies that were planned for the first response, adjacent repeats as one. Absent where nobody was
/// to plan, and on tasks whose tools are no strategies.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrategiesPlanned;

impl Metric for StrategiesPlanned {
    fn name(&self) -> &'static str {
        "strategies_planned"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let sample = Sample::of(log);
        let planned = sample.and_then(|sample| Some(sample.collapsed()?.len()));
        planned.map_or(Measurement::Absent, |planned| {
            Measurement::Value(planned as f64)
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
