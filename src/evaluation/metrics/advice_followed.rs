//! Whether the agent does what it is advised to.

use super::super::advice::Advice;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The share, 0 to 1, of answers with usable advice that the next action follows. Advice is usable if the
/// answer to a question brings up a thing (as for [`IdleQuestions`](super::IdleQuestions)) and an action comes
/// after it before anything else is asked; the action follows it if it names such a thing, or stands in the answer word by
/// word. Absent if no answer of the episode has usable advice.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdviceFollowed;

impl Metric for AdviceFollowed {
    fn name(&self) -> &'static str {
        "advice_followed"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let advice = Advice::of(log);
        match advice.usable {
            0 => Measurement::Absent,
            usable => Measurement::Value(f64::from(advice.followed) / f64::from(usable)),
        }
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
