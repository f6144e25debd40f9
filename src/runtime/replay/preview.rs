//! The first prompt of a seat, before anything is paid.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::requests::{Requests, SentRequest};
use crate::config::{Cell, Plan};
use crate::domain::{
    Action, Brief, EpisodeId, ModelCall, Move, MoveKind, PlanStep, Seat, Utterance,
};
use crate::ports::ModelError;
use crate::ports::model::{CallBook, CallKey, Calls, EncodedRequest, ModelRequest};
use crate::runtime::casting::cast;
use crate::runtime::conductor::{Conductor, Next};
use crate::runtime::over_log::block_on;
use crate::runtime::participant::{Participant, ask};
use crate::runtime::protocol::{Ask, Reply, Request};
use crate::runtime::seats::Seats;

/// Requests after which a seat that was not asked is given up.
const MOST_REQUESTS: u32 = 1_000;

/// The first prompt of a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstPrompt {
    /// The request.
    pub request: SentRequest,
    /// The model that it is for, as the config names it.
    pub model: String,
    /// Seats that would have had to ask a model or a person before. What they say in this prompt stands
    /// for what they would really say.
    pub stand_ins: Vec<Seat>,
}

/// The reason why a seat's first prompt cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPrompt {
    /// The cell has no task.
    #[error("the cell `{0}` plays no task")]
    NoTask(String),
    /// Nobody sits there.
    #[error("there is no seat `{seat}`; the seats are {seats}")]
    Unknown {
        /// The seat that was asked for.
        seat: String,
        /// The seats that there are.
        seats: String,
    },
    /// The seat asks no model.
    #[error("the seat `{0}` asks no model in its first turn")]
    NoModel(Seat),
    /// The prompt cannot be made.
    #[error("the prompt of `{seat}` cannot be made: {problem}")]
    Failed {
        /// The seat.
        seat: Seat,
        /// The problem.
        problem: String,
    },
    /// The episode ends before.
    #[error(
        "the seat `{0}` is not asked in this task: the episode ends before, with stand-ins in place of \
         everybody who asks a model"
    )]
    NotAsked(Seat),
    /// The system gives no timers for the deadlines of turns.
    #[error("no timers for the deadlines of turns: {0}")]
    Timers(String),
}

/// The first prompt that a seat gets in the first task of a cell. Nothing is sent: seats before it that
/// follow rules play, and those that ask a model or a person have stand-ins, which the result names.
///
/// # Errors
/// Why there is no such prompt.
pub fn first_prompt(plan: &Plan, cell: &Cell, seat: &str) -> Result<FirstPrompt, NoPrompt> {
    let none = || NoPrompt::NoTask(cell.name.to_string());
    let number = plan.tasks_of(cell).next().ok_or_else(none)?;
    let id = EpisodeId {
        cell: cell.name.clone(),
        task: number,
        repeat: 0,
    };
    let place = plan.index_of(cell, number).ok_or_else(none)?;
    let cast = cast(cell, id, plan.seed, &cell.tasks.open(place));
    let sought = cast.factories.keys().find(|own| own.as_str() == seat);
    let Some(sought) = sought.filter(|own| **own != Seat::Environment).cloned() else {
        let seats = cast.factories.keys().map(Seat::as_str);
        let seats = seats.filter(|own| *own != Seat::Environment.as_str());
        return Err(NoPrompt::Unknown {
            seat: seat.to_owned(),
            seats: crate::text::joined(seats),
        });
    };
    let book = Arc::new(Unpaid::default());
    let preview = async {
        let mut conductor = Conductor::new(
            cast.setup,
            cast.visibility,
            cast.strategy,
            CancellationToken::new(),
        );
        conductor.keep_book(book.clone());
        let opening = cast.opening;
        let mut next = conductor.guard(|conductor| Some(conductor.start(opening)));
        let mut stage = Stage {
            sought: sought.clone(),
            book,
            alive: Seats::new(),
            stand_ins: Vec::new(),
        };
        for _ in 0..MOST_REQUESTS {
            let Some(Next::Ask(request)) = next else {
                break;
            };
            let Some(factory) = cast.factories.get(&request.seat).cloned() else {
                break;
            };
            let reply = stage.reply(&request, factory, cell).await?;
            let reply = match reply {
                Ok(prompt) => return Ok(prompt),
                Err(reply) => reply,
            };
            next = conductor.guard(|conductor| conductor.answered(request.number, reply));
        }
        Err(NoPrompt::NotAsked(sought))
    };
    block_on(preview).map_err(|error| NoPrompt::Timers(error.to_string()))?
}
