//! Success where several things could have been meant.

use serde_json::Value;

use crate::domain::{Message, Seat};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The private part of a task that says how many objects its sentence could mean.
const ALTERNATIVES: &str = "alternatives";
/// The private part of the user that names the objects that are meant.
const WISH: &str = "wish";

/// Whether the task was solved, of tasks that leave a choice: whose room has more objects of the class that
/// the task names than the user wishes for (ABA's ambiguous games: their subset). The environment
/// entrusts the number to the conductor as `alternatives`, and to the user the names as `wish`; absent
/// without either, and if every object is wished for.
#[derive(Clone, Copy, Debug, Default)]
pub struct SuccessSeveral;

impl Metric for SuccessSeveral {
    fn name(&self) -> &'static str {
        "success_several"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let alternatives = part(log, &Seat::Conductor, ALTERNATIVES).and_then(Value::as_u64);
        let wish = part(log, &Seat::User, WISH).and_then(Value::as_array);
        let choice = alternatives
            .zip(wish)
            .is_some_and(|(there, wish)| !wish.is_empty() && there > wish.len() as u64);
        match log.outcome() {
            Some(outcome) if choice => Measurement::Rate(outcome.success),
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

/// A private part of the task.
fn part<'a>(log: &EpisodeLog<'a>, audience: &Seat, label: &str) -> Option<&'a Value> {
    log.events.iter().find_map(|event| match &event.message {
        Message::Entrusted(part) if part.audience == *audience && part.label == label => {
            Some(&*part.value)
        }
        _ => None,
    })
}
