//! How often the agent spoke.

use super::count;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Utterances to the user.
#[derive(Clone, Copy, Debug, Default)]
pub struct Questions;

impl Metric for Questions {
    fn name(&self) -> &'static str {
        "questions"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| matches!(message, Message::Told(_)))
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
