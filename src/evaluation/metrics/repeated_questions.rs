//! How often the agent asked what it had asked before.

use std::collections::BTreeSet;

use super::super::exchanges::exchanges;
use super::super::plain::plain;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// Questions to the user that were asked before in the same trial: the same words and numbers in the same
/// order, whatever their case, marks and spaces. Absent where there is no user.
#[derive(Clone, Copy, Debug, Default)]
pub struct RepeatedQuestions;

impl Metric for RepeatedQuestions {
    fn name(&self) -> &'static str {
        "repeated_questions"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        if log.opened().is_none_or(|opened| opened.user.is_none()) {
            return Measurement::Absent;
        }
        let mut made = BTreeSet::new();
        let exchanges = exchanges(&log.events).into_iter();
        let again = exchanges.filter(|one| !made.insert((one.trial, plain(&one.said.text))));
        Measurement::Value(again.count() as f64)
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
