//! Episodes without a log: played for oneself, or up to the first prompt of a seat, before anything is paid.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::run::block_on;
use crate::config::{Cell, Plan};
use crate::runtime::casting::{Cast, cast};
use crate::runtime::conductor::{Conductor, Next};
use crate::runtime::participant::{Factory, Participant, ask};
use crate::runtime::protocol::{Ask, Failure, Reply, Request, WorldStep};
use crate::runtime::requests::{Requests, SentRequest};
use crate::runtime::seats::Seats;
use rolecall_core::domain::{
    Brief, EpisodeId, Event, ModelCall, Move, MoveKind, PlanStep, PublicTask, Seat, Seed, Utterance,
};
use rolecall_core::ports::model::{CallBook, CallKey, EncodedRequest, ModelRequest};
use rolecall_core::ports::{Asked, Format, ModelError, OpenTask};
use rolecall_core::text::joined;

/// Requests after which a seat that was not asked is given up.
const MOST_REQUESTS: u32 = 1_000;

/// The first prompt of a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstPrompt {
    /// The request.
    pub request: SentRequest,
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
/// follow rules play, and those that ask a model or a person have stand-ins, which the result names. `formats`
/// are the answer formats that there are, for plans of stand-ins.
///
/// # Errors
/// Why there is no such prompt.
pub fn first_prompt(
    plan: &Plan,
    cell: &Cell,
    seat: &str,
    formats: &[&'static dyn Format],
) -> Result<FirstPrompt, NoPrompt> {
    let count = cell.tasks.len();
    let place =
        plan.tasks.iter().position(|index| *index < count).ok_or_else(|| NoPrompt::NoTask(cell.name.to_string()))?;
    let id = EpisodeId { cell: cell.name.clone(), task: place as u32, repeat: 0 };
    let task = cell.tasks.open(plan.tasks[place]);
    let cast = cast(cell, id, plan.seed, None, &task);
    let sought = sought(&cast, seat)?;
    let book = Arc::new(Unpaid::default());
    let mut conductor = Conductor::new(cast.setup, cast.visibility, cast.strategy, CancellationToken::new());
    conductor.keep_book(book.clone());
    let mut preview = Preview {
        sought,
        book,
        factories: cast.factories,
        deadline: cell.limits.turn,
        formats,
        task: task.map(|open| open.task.public).ok(),
        alive: Seats::new(),
        stand_ins: Vec::new(),
    };
    let next = conductor.guard(|conductor| Some(conductor.start(cast.opening)));
    block_on(preview.play(conductor, next)).map_err(|error| NoPrompt::Timers(error.to_string()))?
}

/// The seat of this name, which is one that somebody's words come from.
fn sought(cast: &Cast, name: &str) -> Result<Seat, NoPrompt> {
    let opened = &cast.opening.opened;
    let seats: Vec<Seat> =
        opened.roles.iter().cloned().map(Seat::Role).chain(opened.user.as_ref().map(|_| Seat::User)).collect();
    seats
        .iter()
        .find(|seat| seat.as_str() == name)
        .cloned()
        .ok_or_else(|| NoPrompt::Unknown { seat: name.to_owned(), seats: joined(&seats) })
}

/// An episode that is played up to the first turn of one seat.
struct Preview<'a> {
    sought: Seat,
    book: Arc<Unpaid>,
    factories: Seats<Factory>,
    deadline: Duration,
    formats: &'a [&'static dyn Format],
    task: Option<Arc<PublicTask>>,
    alive: Seats<Participant>,
    stand_ins: Vec<Seat>,
}

impl Preview<'_> {
    async fn play(&mut self, mut conductor: Conductor, mut next: Option<Next>) -> Result<FirstPrompt, NoPrompt> {
        for _ in 0..MOST_REQUESTS {
            let Some(Next::Ask(request)) = next else {
                break;
            };
            let (result, made) = self.ask(&request).await?;
            let is_sought = request.seat == self.sought;
            let failed = |problem: String| NoPrompt::Failed { seat: request.seat.clone(), problem };
            let reply = match (result, made) {
                (_, Some(request)) if is_sought => {
                    return Ok(FirstPrompt { request, stand_ins: std::mem::take(&mut self.stand_ins) });
                }
                (Some(Ok(_)) | None, None) if is_sought => return Err(NoPrompt::NoModel(request.seat)),
                (Some(Err(failure)), None) => return Err(failed(failure.message)),
                (Some(Ok(reply)), None) => reply,
                (_, Some(_)) | (None, None) => self.stand_in(&request),
            };
            next = conductor.guard(|conductor| conductor.answered(request.number, Ok(reply)));
        }
        Err(NoPrompt::NotAsked(self.sought.clone()))
    }

    /// Has a seat answer: its reaction, none of a person, and the first request that it made.
    async fn ask(
        &mut self,
        request: &Request,
    ) -> Result<(Option<Result<Reply, Failure>>, Option<SentRequest>), NoPrompt> {
        let seat = &request.seat;
        let failed = |problem: &str| NoPrompt::Failed { seat: seat.clone(), problem: problem.to_owned() };
        let factory = self.factories.get(seat).cloned().ok_or_else(|| failed("it is not in the cast"))?;
        let participant = self
            .alive
            .remove(seat)
            .or_else(|| factory.try_make())
            .ok_or_else(|| failed("it panicked as it was made"))?;
        // To set a world up asks nobody for anything.
        if participant.is_external() && !matches!(request.ask, Ask::World { step: WorldStep::Begin(_), .. }) {
            return Ok((None, None));
        }
        let never = CancellationToken::new();
        let reaction = ask(Some(participant), factory, request.ask.clone(), self.deadline, never).await;
        if let Some(participant) = reaction.participant {
            self.alive.insert(seat.clone(), participant);
        }
        let made = self.book.0.take().into_iter().next();
        Ok((Some(reaction.result), made.map(|(_, made)| made)))
    }

    /// An answer in place of somebody who is not asked, with which the episode goes on to the others.
    fn stand_in(&mut self, request: &Request) -> Reply {
        use MoveKind::{Act, Finish, Judge, Learn, Plan, Speak, Think};
        let seat = &request.seat;
        let again = self.stand_ins.contains(seat);
        if !again {
            self.stand_ins.push(seat.clone());
        }
        let text = format!("(what the {seat} says)");
        let brief = match &request.ask {
            Ask::Turn(turn) => turn.brief(),
            Ask::World { .. } => None,
        };
        let Some(brief) = brief else {
            return Reply::Utterance(Utterance::text(text));
        };
        let order = match (&self.sought, again) {
            (Seat::User, _) => [Speak, Think, Plan, Judge, Finish, Learn, Act],
            (_, false) => [Think, Plan, Judge, Learn, Speak, Finish, Act],
            (_, true) => [Finish, Plan, Judge, Learn, Speak, Act, Think],
        };
        let made = match order.into_iter().find(|kind| brief.open.contains(*kind)).unwrap_or(Finish) {
            Plan => Move::Plan { steps: vec![PlanStep::of(self.command(brief).unwrap_or(text))] },
            Speak => Move::Speak { act: brief.acts.first().cloned(), text },
            Judge => Move::Judge { clarify: false, reason: None },
            Learn => Move::Learn { lesson: text },
            Act => Move::act(text),
            Think => Move::think(text),
            _ => Move::Finish { answer: Box::new(text.into()) },
        };
        Reply::Answer(made.into())
    }

    /// A step that a plan in the brief's notation can have.
    fn command(&self, brief: &Brief) -> Option<String> {
        let notation = brief.notation?;
        let format = self.formats.iter().find(|format| format.name() == notation.as_str())?;
        let asked = Asked { task: self.task.as_deref(), acts: &brief.acts, natural: false };
        format.commands(&asked)?.first().cloned()
    }
}

/// A book that lets nothing be asked.
#[derive(Default)]
struct Unpaid(Requests);

fn unpaid() -> ModelError {
    ModelError::NotRecorded("nothing is asked for a preview".to_owned())
}

#[async_trait]
impl CallBook for Unpaid {
    fn asked(&self, key: &CallKey, model: &str, request: &ModelRequest, encoded: &EncodedRequest) {
        self.0.add(key, model, request, encoded);
    }

    fn allow_embedding(&self) -> Result<(), ModelError> {
        Err(unpaid())
    }

    fn recorded(&self, _: &CallKey) -> Option<Arc<ModelCall>> {
        None
    }

    fn allow(&self) -> Result<(), ModelError> {
        Err(unpaid())
    }

    async fn record(&self, _: u32, _: Vec<ModelCall>) -> Result<(), ModelError> {
        Ok(())
    }
}

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
        let reaction = ask(participant, factory, request.ask, deadline, never.clone()).await;
        if let Some(participant) = reaction.participant {
            alive.insert(request.seat, participant);
        }
        let Some(after) = conductor.answered(request.number, reaction.result) else {
            break;
        };
        next = after;
    }
    conductor.record.since(0).into_iter().cloned().collect()
}
