//! Playing an episode for oneself: without actors, without a log.

use std::io;

use tokio_util::sync::CancellationToken;

use crate::config::Cell;
use crate::runtime::casting::cast;
use crate::runtime::conductor::{Conductor, Next};
use crate::runtime::over_log::block_on;
use crate::runtime::participant::{Participant, ask};
use crate::runtime::seats::Seats;
use rolecall_core::domain::{EpisodeId, Event, Seed};
use rolecall_core::ports::OpenTask;

/// Plays an episode by the same conductor as a run and returns its events. Nothing is written, and
/// calls of models would be recorded nowhere: it is for casts that call none.
///
/// # Errors
/// When the system gives no timers for the deadlines of turns.
pub fn dry_run(cell: &Cell, id: EpisodeId, seed: Seed, task: OpenTask) -> io::Result<Vec<Event>> {
    block_on(play(cell, id, seed, task))
}

async fn play(cell: &Cell, id: EpisodeId, seed: Seed, task: OpenTask) -> Vec<Event> {
    let cast = cast(cell, id, seed, None, &Ok(task));
    let deadline = cast.setup.limits.turn;
    let never = CancellationToken::new();
    let mut conductor = Conductor::new(cast.setup, cast.visibility, cast.strategy, CancellationToken::new());
    let mut alive: Seats<Participant> = Seats::new();
    let mut next = conductor.start(cast.opening);
    while let Next::Ask(request) = next {
        // The conductor asks nobody who is not in the cast.
        let Some(factory) = cast.factories.get(&request.seat).cloned() else {
            break;
        };
        let participant = alive.remove(&request.seat);
        let asked = ask(participant, factory, request.ask, deadline, never.clone());
        let reaction = asked.await;
        if let Some(participant) = reaction.participant {
            alive.insert(request.seat, participant);
        }
        let Some(after) = conductor.answered(request.number, reaction.result) else {
            break;
        };
        next = after;
    }
    let record = &conductor.record;
    record.since(0).into_iter().cloned().collect()
}
