//! How often a participant failed.

use super::count;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Faults of any seat, those included after which the episode went on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults;

impl Metric for Faults {
    fn name(&self) -> &'static str {
        "faults"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| matches!(message, Message::Fault(_)))
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
