//! Playing finished episodes again to see whether they come out the same.

mod logged_turn;
mod preview;
mod replayer;
mod run;

pub use preview::{FirstPrompt, NoPrompt, dry_run, first_prompt};
pub use replayer::rebuild_requests;
pub(super) use replayer::{ReplayRules, ReplayedEpisode, replay_events};
pub use run::{ReplayError, Replayed, replay_run};
pub(super) use run::{block_on, over_episodes};

use super::casting::{Cast, cast_of};
use super::conductor::Next;
use crate::config::Plan;
use rolecall_core::domain::{EpisodeId, Event, Message};

/// The participants who are played again. The strategy and the environment always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// Roles and users too; replies of models and of people are taken from the log.
    Models,
    /// Nobody else: the moves of roles and the words of users are taken from the log.
    Log,
    /// Roles and users, each turn twice: by one that lived through the episode and by a fresh one.
    Twice,
}

/// Plays an episode of the plan again without actors and compares every event with its log, up to
/// where the log ends. Faults and what clocks brought about are taken from the log.
///
/// # Errors
/// The first difference.
pub async fn replay(plan: &Plan, id: &EpisodeId, log: &[Event], who: Replay) -> Result<(), Difference> {
    replay_cast(cast_of(plan, id, log), id, log, who).await
}

/// Plays an episode again with this cast; none if it is not in the plan.
async fn replay_cast(cast: Option<Cast>, id: &EpisodeId, log: &[Event], who: Replay) -> Result<(), Difference> {
    let unknown = || Difference::new(0, log, format!("`{id}`, which is not in the plan"));
    let cast = cast.ok_or_else(unknown)?;
    let rules = ReplayRules { taken: who == Replay::Log, twice: who == Replay::Twice, ..ReplayRules::default() };
    let replayed = replay_events(cast, log, rules).await?;
    let record = &replayed.conductor.record;
    let closed = matches!(replayed.next, Next::Closed);
    let log_closed = log.last().is_some_and(|last| matches!(last.message, Message::Closed(_)));
    if (closed || log_closed) && record.len() != log.len() {
        let more = record.since(log.len()).first().copied();
        return Err(Difference::new(record.len().min(log.len()), log, shown_or_nothing(more)));
    }
    Ok(())
}

/// Plays an episode again with each turn taken twice ([`Replay::Twice`]); the episode must be over.
pub async fn verify(plan: &Plan, id: &EpisodeId, log: &[Event]) -> Result<(), Difference> {
    replay(plan, id, log, Replay::Twice).await
}

/// The first difference between a second play and the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} differs\n  in the log: {logged}\n  played now: {replayed}")]
pub struct Difference {
    /// Position of the event.
    pub seq: usize,
    /// The event in the log, or `nothing`.
    pub logged: String,
    /// The event of the second play, or `nothing`.
    pub replayed: String,
}

impl Difference {
    pub(super) fn new(seq: usize, log: &[Event], replayed: String) -> Self {
        Self { seq, logged: shown_or_nothing(log.get(seq)), replayed }
    }

    /// The difference between an event of the log and the one that takes its place.
    pub(super) fn between(logged: &Event, replayed: &Event) -> Self {
        Self { seq: logged.seq as usize, logged: shown(logged), replayed: shown(replayed) }
    }
}

fn shown_or_nothing(event: Option<&Event>) -> String {
    event.map_or_else(|| "nothing".to_owned(), shown)
}

/// An event as differences show it.
pub(super) fn shown(event: &Event) -> String {
    let cause = event.cause.map(|cause| format!(" because of {cause}")).unwrap_or_default();
    match serde_json::to_string(&event.message) {
        Ok(message) => format!("{} to {}{cause}: {message}", event.from, event.to),
        Err(_) => format!("{event:?}"),
    }
}

/// Whether two events are the same as far as another cast can bring them about: it is named when
/// the episode opens, and its limits and habits show in briefs.
pub(super) fn alike(logged: &Event, event: &Event) -> bool {
    (logged.seq, logged.cause, &logged.from, &logged.to) == (event.seq, event.cause, &event.from, &event.to)
        && match (&logged.message, &event.message) {
            (Message::Opened(logged), Message::Opened(opened)) => logged.task == opened.task,
            (Message::Brief(_), Message::Brief(_)) => true,
            (logged, message) => logged == message,
        }
}
