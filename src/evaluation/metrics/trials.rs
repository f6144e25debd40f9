//! Tasks that are played several times, and sequences of tasks. All are left out where they are absent.

use serde_json::Value;

use super::Formula;
use crate::domain::Message;
use crate::ports::{EpisodeLog, Measurement};

/// The trials of the episode, from 1 (Reflexion; ReSpAct Table 8). Absent unless the cast
/// has a reflector or a second trial began.
pub static TRIALS: Formula = Formula::optional("trials", |log| Some(Measurement::Value(f64::from(trials(log)?))));

/// The first trial that was solved, from 1 (Reflexion; ReSpAct Table 8). Absent if none was, and where
/// [`TRIALS`] is.
pub static SOLVED_TRIAL: Formula = Formula::optional("solved_trial", |log| {
    trials(log)?;
    let solved = log.events.iter().find_map(|event| match &event.message {
        Message::Scored(scored) if scored.score.success => Some(scored.trial),
        _ => None,
    });
    Some(Measurement::Value(f64::from(solved?) + 1.0))
});

/// The word in a task's public data that announces several rounds.
const SEVERAL: &str = "multi-round";

/// Rounds of the last trial that were solved (ABA's multi-round games: the number of tasks). Absent unless
/// the task's `variant` is `multi-round` or a second round began.
pub static ROUNDS_SOLVED: Formula = Formula::optional("rounds_solved", |log| {
    let data = log.opened().map(|opened| &opened.task.data);
    let variant = data.and_then(|data| data.get("variant"));
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
    several.then(|| Measurement::Value(f64::from(solved)))
});

/// How many trials began, if the episode is one of several trials.
fn trials(log: &EpisodeLog<'_>) -> Option<u32> {
    let begun = log.events.iter().filter_map(|event| match &event.message {
        Message::Begun(begun) => Some(begun.trial.saturating_add(1)),
        _ => None,
    });
    let trials = begun.max()?;
    let mut roles = log.opened().into_iter().flat_map(|opened| &opened.roles);
    let reflects = roles.any(|role| role.is_reflector());
    (reflects || trials > 1).then_some(trials)
}
