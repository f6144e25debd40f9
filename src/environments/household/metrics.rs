//! Success where several things could have been meant.

use serde_json::Value;

use crate::domain::{Message, Seat};
use crate::evaluation::metrics::Formula;
use crate::ports::{EpisodeLog, Measurement};

/// The private part of a task that says how many objects its sentence could mean.
const ALTERNATIVES: &str = "alternatives";
/// The private part of the user that names the objects that are meant.
const WISH: &str = "wish";

/// Whether the task was solved, of tasks that leave a choice: whose room has more objects of the class that
/// the task names than the user wishes for (ABA's ambiguous games: their subset). The environment
/// entrusts the number to the conductor as `alternatives`, and to the user the names as `wish`; absent
/// without either, and if every object is wished for.
pub(super) static SUCCESS_SEVERAL: Formula = Formula::optional("success_several", |log| {
    let there = part(log, &Seat::Conductor, ALTERNATIVES)?.as_u64()?;
    let wish = part(log, &Seat::User, WISH)?.as_array()?;
    let choice = !wish.is_empty() && there > wish.len() as u64;
    let outcome = log.outcome().filter(|_| choice)?;
    Some(Measurement::Rate(outcome.success))
});

/// A private part of the task.
pub(super) fn part<'a>(log: &EpisodeLog<'a>, audience: &Seat, label: &str) -> Option<&'a Value> {
    log.events.iter().find_map(|event| match &event.message {
        Message::Entrusted(part) if part.audience == *audience && part.label == label => Some(&*part.value),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::*;
    use crate::ports::Metric;

    #[test]
    fn a_choice_is_where_more_things_are_there_than_are_meant() {
        use Measurement::{Absent, Rate};
        let part = |audience, label: &str, value: Value| {
            Message::Entrusted(Box::new(PrivateInfo {
                audience,
                label: label.to_owned(),
                value: std::sync::Arc::new(value),
            }))
        };
        // One of two is meant; two of three; two of two; one of one; and nobody knows what is meant.
        for (there, meant, success, several) in [
            (2, 1, true, Rate(true)),
            (3, 2, false, Rate(false)),
            (2, 2, true, Absent),
            (1, 1, true, Absent),
            (2, 0, true, Absent),
        ] {
            let wish: Vec<String> = (1..=meant).map(|number| format!("mug {number}")).collect();
            let closed =
                Message::Closed(Outcome { ending: Ending::Solved, success, reward: 0.0, counts: Counts::default() });
            let messages =
                [part(Seat::User, WISH, wish.into()), part(Seat::Conductor, ALTERNATIVES, there.into()), closed];
            let events = Event::numbered(messages);
            let id = "main:0:0".parse().unwrap();
            let log = EpisodeLog::new(&id, events.iter().collect());
            assert_eq!(SUCCESS_SEVERAL.measure(&log), several);
        }
    }
}
