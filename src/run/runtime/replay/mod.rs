//! Playing finished episodes again to see whether they come out the same.

mod dry_run;
mod logged_turn;
mod preview;
mod rebuild;
mod replayer;
mod run;

pub use dry_run::dry_run;
pub use preview::{FirstPrompt, NoPrompt, first_prompt};
pub use rebuild::rebuild_requests;
pub(super) use replayer::{ReplayRules, ReplayedEpisode, replay_events};
pub use run::{ReplayError, Replayed, replay_run};

use crate::config::Plan;
use crate::runtime::casting::{Cast, cast_of};
use crate::runtime::conductor::Next;
use crate::runtime::difference::{Difference, shown_or_nothing};
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
    let last = log.last().map(|last| &last.message);
    let log_closed = matches!(last, Some(Message::Closed(_)));
    if (closed || log_closed) && record.len() != log.len() {
        let own = record.since(log.len()).first().copied();
        let seq = record.len().min(log.len());
        return Err(Difference::new(seq, log, shown_or_nothing(own)));
    }
    Ok(())
}

/// Plays an episode again with each turn taken twice ([`Replay::Twice`]); the episode must be over.
pub async fn verify(plan: &Plan, id: &EpisodeId, log: &[Event]) -> Result<(), Difference> {
    replay(plan, id, log, Replay::Twice).await
}
