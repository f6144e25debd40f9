//! How many trials it took.

use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The goes of the episode that were trials, from 1 (Reflexion; ReSpAct Table 8). Absent unless the cast
/// has a reflector or a second trial began.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trials;

impl Metric for Trials {
    fn name(&self) -> &'static str {
        "trials"
    }

    fn measure(&self, log: &EpisodeLog<'_>) -> Measurement {
        trials(log).map_or(Measurement::Absent, |trials| {
            Measurement::Value(f64::from(trials))
        })
    }

    fn reads_replies(&self) -> bool {
        false
    }

    fn is_left_out_if_absent(&self) -> bool {
        true
    }
}

/// How many trials began, if the episode is one of several trials.
pub(super) fn trials(log: &EpisodeLog<'_>) -> Option<u32> {
    let begun = log.events.iter().filter_map(|event| match &event.message {
        Message::Begun(begun) => Some(begun.trial.saturating_add(1)),
        _ => None,
    });
    let trials = begun.max()?;
    let mut roles = log.opened().into_iter().flat_map(|opened| &opened.roles);
    let reflects = roles.any(|role| role.is_reflector());
    (reflects || trials > 1).then_some(trials)
}
