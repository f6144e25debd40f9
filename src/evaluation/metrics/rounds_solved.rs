//! How many tasks of a sequence were solved.

use serde_json::Value;

use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The word in a task's public data that announces several rounds.
const SEVERAL: &str = "multi-round";

/// Rounds of the last trial that were solved (ABA's multi-round games: the number of tasks). Absent unless
/// the task's `variant` is `multi-round` or a second round began.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundsSolved;

impl Metric for RoundsSolved {
    fn name(&self) -> &'static str {
        "rounds_solved"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        let variant = log
            .opened()
            .and_then(|opened| opened.task.data.get("variant"));
        let mut several = variant.and_then(Value::as_str) == Some(SEVERAL);
        let mut solved = 0_u32;
        for event in &log.events {
            match &event.message {
                Message::Begun(begun) if begun.round == 0 => solved = 0,
                Message::Begun(_) => several = true,
                Message::Scored(scored) => solved += u32::from(scored.score.success),
                _ => {}
            }
        }
        match several {
            true => Measurement::Value(f64::from(solved)),
            false => Measurement::Absent,
        }
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
