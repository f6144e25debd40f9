//! Counting what happened in an episode, from its events alone.

use crate::domain::{Counts, Message};
use crate::ports::EpisodeLog;

/// Counts moves, questions, actions and faults (household_methods section 1: every move of a role
/// is a step; an invalid action is one that the environment refused).
///
/// Repeats what the conductor counted while the episode ran; the two must agree.
pub(super) fn counts(log: &EpisodeLog<'_>) -> Counts {
    let mut counts = Counts::default();
    for event in &log.events {
        match &event.message {
            Message::Moved(_) => counts.steps += 1,
            Message::Told(_) => counts.questions += 1,
            Message::Perform(_) => counts.actions += 1,
            Message::Observed(observation) => counts.invalid += u32::from(observation.invalid),
            Message::Fault(_) => counts.faults += 1,
            Message::Opened(_) | Message::Entrusted(_) | Message::Begun(_) => {}
            Message::Brief(_) | Message::Repaired(_) | Message::Replied(_) => {}
            Message::ModelCalled(_) | Message::Assess | Message::Scored(_) => {}
            Message::Closed(_) => {}
        }
    }
    counts
}
