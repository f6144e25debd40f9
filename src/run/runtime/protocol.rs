//! The conductor's requests to a seat, and the seat's replies. Plain data; no actors.

use rolecall_core::domain::{Action, Answer, Begun, Brief, Ending, FaultKind, Observation, Score, Seat, Utterance};
use rolecall_core::ports::Turn;
use rolecall_core::ports::model::{Calls, Waiting};

/// One request to one seat. At most one is open per episode.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The seat that is asked.
    pub(crate) seat: Seat,
    /// Distinguishes this request from every other of the episode; late replies are told by it.
    pub(crate) number: u32,
    /// The question.
    pub(crate) ask: Ask,
}

/// A question to a seat.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// A role or the user is to answer.
    Turn(Turn),
    /// The environment is to do something, after being rebuilt if `replay` is not empty.
    World {
        /// The steps of the environment in this trial so far, with what it must show again.
        replay: Vec<(WorldStep, Reply)>,
        /// The step that it is to take now.
        step: WorldStep,
        /// The way to models, for a world that asks one.
        calls: Calls,
    },
}

impl Ask {
    /// The way to models for whoever is asked.
    pub(crate) fn calls(&self) -> &Calls {
        match self {
            Self::Turn(turn) => &turn.calls,
            Self::World { calls, .. } => calls,
        }
    }

    /// Whether the environment hears what was said: the one request to which it may answer without an event.
    pub(crate) fn is_hearing(&self) -> bool {
        match self {
            Self::Turn(_) => false,
            Self::World { step, .. } => matches!(step, WorldStep::Hear(_)),
        }
    }

    /// The waits of the turn in which it is not slow itself.
    pub(crate) fn waiting(&self) -> Waiting {
        self.calls().waiting().clone()
    }
}

/// A step of the environment.
#[derive(Clone, Debug)]
pub(crate) enum WorldStep {
    Begin(Begun),
    Perform(Action),
    Hear(Box<Exchange>),
    Assess,
}

/// The words to the user, and the user's reply.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) said: Utterance,
    pub(crate) reply: Utterance,
}

/// A seat's answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    Answer(Answer),
    Utterance(Utterance),
    Observation(Observation),
    Score(Score),
    /// The world has nothing to show for what it heard.
    Nothing,
}

/// The reason why a seat has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FaultKind,
    pub(crate) message: String,
    /// A role leaves the task: that is no fault, and ends the episode.
    pub(crate) gives_up: bool,
}

impl Failure {
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), gives_up: false }
    }
}

/// The turns of one seat so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeatTurns {
    pub(super) turns: u32,
    /// Number of events that the seat could look at in its last turn.
    pub(super) seen: usize,
}

/// The one open request.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) number: u32,
    pub(super) seat: Seat,
    pub(super) attempt: u32,
    /// Ending that the failed attempts give the episode; none before the first, and where one of them says nothing
    /// about the agent.
    pub(super) ending: Option<Ending>,
    /// The event that the answer is an answer to.
    pub(super) cause: u32,
    pub(super) asked: Asked,
}

/// The question of an open request.
#[derive(Debug)]
pub(super) enum Asked {
    Role(Brief),
    User,
    World { step: WorldStep, unsolved: Ending },
}
