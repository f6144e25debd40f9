//! How much the response overlaps with what people responded.

use super::super::overlap::{Overlap, Overlaps};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Each figure is a metric, from 0 to 1: the first response of the episode beside its references, which
/// only metrics see. An empty response is measured like any other. Absent without references, or, for
/// figures that need none, on tasks that are no dialogues.
impl Metric for Overlap {
    fn name(&self) -> &'static str {
        (*self).name()
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let overlaps = Overlaps::of(log);
        let value = overlaps.and_then(|overlaps| overlaps.get(*self));
        value.map_or(Measurement::Absent, Measurement::Value)
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
