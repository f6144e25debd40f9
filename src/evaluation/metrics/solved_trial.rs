//! Which trial solved the task.

use super::trials::trials;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The first trial that was solved, from 1 (Reflexion; ReSpAct Table 8). Absent if none was, and where
/// [`Trials`](super::Trials) is.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolvedTrial;

impl Metric for SolvedTrial {
    fn name(&self) -> &'static str {
        "solved_trial"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        if trials(log).is_none() {
            return Measurement::Absent;
        }
        let solved = log.events.iter().find_map(|event| match &event.message {
            Message::Scored(scored) if scored.score.success => Some(scored.trial),
            _ => None,
        });
        solved.map_or(Measurement::Absent, |trial| {
            Measurement::Value(f64::from(trial) + 1.0)
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}
