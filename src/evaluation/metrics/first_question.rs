//! When the agent first spoke.

use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The step at which the user was first told something that was no response to a dialogue, from 1; absent if
/// it never was.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstQuestion;

impl Metric for FirstQuestion {
    fn name(&self) -> &'static str {
        "first_question"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let mut events = log.events.iter();
        let Some(place) = events.position(|event| event.message.is_question()) else {
            return Measurement::Absent;
        };
        let before = log.events.iter().take(place);
        let moves = before.filter(|event| matches!(event.message, Message::Moved(_)));
        Measurement::Value(moves.count() as f64)
    }

    fn reads_replies(&self) -> bool {
        false
    }
}
