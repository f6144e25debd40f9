//! How much the agent did.

use super::count;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Actions on the environment, refused ones included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Actions;

impl Metric for Actions {
    fn name(&self) -> &'static str {
        "actions"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| matches!(message, Message::Perform(_)))
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
