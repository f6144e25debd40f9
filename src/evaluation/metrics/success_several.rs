//! Success where several things could have been meant.

use crate::domain::{Message, Seat};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The private part of a task that says how many objects its sentence could mean.
const ALTERNATIVES: &str = "alternatives";

/// Whether the task was solved, of tasks whose room has at least two objects of the class that the task
/// names (ABA's ambiguous games: their subset). The environment entrusts the number to the conductor as
/// `alternatives`; absent without it, and below two.
#[derive(Clone, Copy, Debug, Default)]
pub struct SuccessSeveral;

impl Metric for SuccessSeveral {
    fn name(&self) -> &'static str {
        "success_several"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let alternatives = log.events.iter().find_map(|event| match &event.message {
            Message::Entrusted(part)
                if part.audience == Seat::Conductor && part.label == ALTERNATIVES =>
            {
                part.value.as_u64()
            }
            _ => None,
        });
        match (alternatives, log.outcome()) {
            (Some(2..), Some(outcome)) => Measurement::Rate(outcome.success),
            _ => Measurement::Absent,
        }
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
