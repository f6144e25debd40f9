//! Playing an episode again from its log: the conductor, the strategy and every rule-based
//! participant must do exactly what they did.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::book::LoggedBook;
use super::conductor::{Conductor, Next};
use super::episode::Cast;
use super::launch::cast;
use super::participant::{Factory, Participant, ask};
use super::protocol::{Ask, Reply, Request};
use super::seats::Seats;
use crate::config::Plan;
use crate::domain::{EpisodeId, Event, ModelCall, Seat};
use crate::ports::model::Calls;

/// Where a second play differs from the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} differs: the log has {logged}, playing again gives {replayed}")]
pub struct Difference {
    /// Position of the event.
    pub seq: usize,
    /// The event in the log, or `nothing`.
    pub logged: String,
    /// The event of the second play, or `nothing`.
    pub replayed: String,
}

/// Plays an episode again without actors. Every turn is taken twice, by a participant that has
/// lived through the episode and by one made for this turn only: both must answer alike, since a
/// role or user is a function of its view.
///
/// Calls of models are answered from the log. Episodes with people or faults cannot be played again
/// this way: what they did depends on something outside.
pub async fn redrive(plan: &Plan, id: &EpisodeId, log: &[Event]) -> Result<(), Difference> {
    let unknown = || difference(0, log, format!("`{id}`, which is not in the plan"));
    let cell = plan
        .cells
        .iter()
        .find(|cell| cell.name == id.cell)
        .ok_or_else(unknown)?;
    let index = *plan.tasks.get(id.task as usize).ok_or_else(unknown)?;
    let task = cell.tasks.open(index);
    play_again(cast(cell, id.clone(), plan.seed, &task), log).await
}

async fn play_again(cast: Cast, log: &[Event]) -> Result<(), Difference> {
    let deadline = cast.setup.limits.turn;
    let mut conductor = Conductor::new(
        cast.setup,
        cast.visibility,
        cast.strategy,
        CancellationToken::new(),
    );
    let book = Arc::new(LoggedBook::of(log));
    conductor.keep_book(book.clone());
    let mut lived: Seats<Participant> = Seats::new();
    let mut next = conductor.start(cast.opening);
    while let Next::Ask(request) = next {
        compare(&conductor, log, false)?;
        let number = request.number;
        let reply = answer(&request, &cast.factories, &mut lived, (&book, deadline)).await;
        let (reply, calls) = reply.map_err(|replayed| difference(log.len(), log, replayed))?;
        let recorded = conductor.called(number, calls);
        recorded.map_err(|error| difference(log.len(), log, error.to_string()))?;
        let Some(after) = conductor.answered(number, Ok(reply)) else {
            return Err(difference(
                log.len(),
                log,
                "an answer that nobody awaits".to_owned(),
            ));
        };
        next = after;
    }
    compare(&conductor, log, true)
}

async fn answer(
    request: &Request,
    factories: &Seats<Factory>,
    lived: &mut Seats<Participant>,
    (book, deadline): (&Arc<LoggedBook>, Duration),
) -> Result<(Reply, Vec<ModelCall>), String> {
    let Some(factory) = factories.get(&request.seat) else {
        return Err(format!(
            "a request to `{}`, who is not in the cast",
            request.seat
        ));
    };
    // Each play of the turn counts its calls from 0.
    let asked = |participant| {
        let mut asking = request.ask.clone();
        if let Ask::Turn(turn) = &mut asking {
            turn.calls = Calls::new(book.clone(), request.number);
        }
        let cancel = CancellationToken::new();
        ask(participant, factory.clone(), asking, deadline, cancel)
    };
    let old = asked(lived.remove(&request.seat)).await;
    let calls = book.take();
    if let Some(participant) = old.participant {
        lived.insert(request.seat.clone(), participant);
    }
    let old_reply = old.result.map_err(|failure| failure.message)?;
    if request.seat != Seat::Environment {
        let fresh_reply = asked(None)
            .await
            .result
            .map_err(|failure| failure.message)?;
        if fresh_reply != old_reply {
            return Err(format!(
                "`{}` is no function of its view: {old_reply:?} from the one that lived through \
                 the episode, {fresh_reply:?} from a fresh one",
                request.seat
            ));
        }
    }
    let again = book.take();
    if request.seat != Seat::Environment && again != calls {
        return Err(format!(
            "`{}` calls its model otherwise when it is new",
            request.seat
        ));
    }
    Ok((old_reply, calls))
}

fn compare(conductor: &Conductor, log: &[Event], whole: bool) -> Result<(), Difference> {
    let record = conductor.record();
    let replayed = record.transcript().events(record.len());
    for (seq, event) in replayed.enumerate() {
        if log.get(seq) != Some(event) {
            return Err(difference(seq, log, format!("{event:?}")));
        }
    }
    if whole && record.len() != log.len() {
        return Err(difference(record.len(), log, "nothing".to_owned()));
    }
    Ok(())
}

fn difference(seq: usize, log: &[Event], replayed: String) -> Difference {
    let logged = log
        .get(seq)
        .map_or_else(|| "nothing".to_owned(), |event| format!("{event:?}"));
    Difference {
        seq,
        logged,
        replayed,
    }
}
