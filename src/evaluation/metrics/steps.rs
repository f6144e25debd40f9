//! How long an episode was.

use super::count;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Moves of roles, of every kind: thoughts and utterances are steps too (`docs/papers/respact.md`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Steps;

impl Metric for Steps {
    fn name(&self) -> &'static str {
        "steps"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        count(log, |message| matches!(message, Message::Moved(_)))
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
