//! How often the agent spoke.

use super::count;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Utterances to the user, without the responses to a dialogue that is the task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Questions;

impl Metric for Questions {
    fn name(&self) -> &'static str {
        "questions"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, Message::is_question)
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
