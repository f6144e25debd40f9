//! What the conductor asks a seat, and what the seat answers. Plain data; no actors.

use crate::domain::{Action, Answer, Begun, FaultKind, Observation, Score, Seat, Utterance};
use crate::ports::Turn;
use crate::ports::model::{Calls, Waiting};

/// One request to one seat. At most one is open per episode.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The seat that is asked.
    pub(crate) seat: Seat,
    /// Distinguishes this request from every other of the episode; late replies are told by it.
    pub(crate) number: u32,
    /// What is asked.
    pub(crate) ask: Ask,
}

/// What can be asked.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// A role or the user is to answer.
    Turn(Turn),
    /// The environment is to do something, after being rebuilt if `replay` is not empty.
    World {
        /// What the environment did before in this trial, with what it must show again.
        replay: Vec<(WorldStep, Reply)>,
        /// What it is to do now.
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
        matches!(
            self,
            Self::World {
                step: WorldStep::Hear(_),
                ..
            }
        )
    }

    /// What the turn waits for without being slow itself.
    pub(crate) fn waiting(&self) -> Waiting {
        self.calls().waiting().clone()
    }
}

/// What an environment can be asked to do.
#[derive(Clone, Debug)]
pub(crate) enum WorldStep {
    Begin(Begun),
    Perform(Action),
    Hear(Box<Exchange>),
    Assess,
}

/// What was said to the user, and what came back.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) said: Utterance,
    pub(crate) reply: Utterance,
}

/// What a seat answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    Answer(Answer),
    Utterance(Utterance),
    Observation(Observation),
    Score(Score),
    /// The world has nothing to show for what it heard.
    Nothing,
}

/// Why a seat has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FaultKind,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}
