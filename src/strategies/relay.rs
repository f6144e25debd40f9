//! Relay: the roles of a list, one after the other, lap after lap (TPE's Thinker, Planner and
//! Executor, section 3; CEP's clarification, execution and planning, section 4; `docs/relay.md`).
//!
//! The rules:
//!
//! 1. Roles are briefed in the order of the list. A role may stand in it more than once.
//! 2. A thought, plan, judgement or lesson hands the turn on. An utterance goes to the user, and
//!    after the reply the turn is handed on. `finish` ends the go, and so do a world that is done
//!    and a user who leaves.
//! 3. An action is performed. Whoever acts keeps the turn while the last plan, whoever made it,
//!    has steps left. An action that is a step of the plan strikes off that step and those before
//!    it; one that is none of them leaves the plan, and a refused one ends it. So without a plan
//!    an actor acts once a turn.
//! 4. An answer may hold several moves. They are worked through in order and the last one decides
//!    about the turn; what comes after the end of the go is dropped. Moves beyond the steps or
//!    questions that are left never arrive here (`runtime/check.rs`).
//! 5. What is open is a matter of the role's name: see [`OPEN`]. Speech is open only if the
//!    episode has a user.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::domain::{
    Action, Brief, Ending, Event, Message, Move, MoveKind, MoveKinds, Observation, RoleName,
    Utterance,
};
use crate::ports::{
    Directive, Parameter, ParameterKind, Parameters, SetupError, Strategy, StrategyError,
    StrategyFactory,
};

/// What the strategy can be told.
pub const RELAY_PARAMETERS: &[Parameter] = &[Parameter {
    name: "order",
    kind: ParameterKind::Roles {
        default: &["thinker", "clarifier", "planner", "executor"],
    },
    help: "the roles in the order of their turns; one may come more than once",
}];

/// The moves that are open to the roles of these names.
const OPEN: &[(&str, MoveKinds)] = &[
    ("thinker", MoveKinds::of(&[MoveKind::Think])),
    (
        "clarifier",
        MoveKinds::of(&[MoveKind::Judge, MoveKind::Speak]),
    ),
    ("planner", MoveKinds::of(&[MoveKind::Plan])),
    (
        "executor",
        MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Finish]),
    ),
];

/// The moves that are open to a role of any other name.
const OPEN_TO_OTHERS: MoveKinds = MoveKinds::of(&[
    MoveKind::Think,
    MoveKind::Plan,
    MoveKind::Act,
    MoveKind::Speak,
    MoveKind::Judge,
    MoveKind::Finish,
]);

/// Builds `relay`.
pub fn relay(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    let order = parameters.roles("order");
    if order.is_empty() {
        return Err(SetupError::at("order", "name at least one role"));
    }
    if let Some(missing) = order.iter().find(|role| !roles.contains(role)) {
        let problem = format!("`{missing}` is not in the cast");
        return Err(SetupError::at("order", problem));
    }
    let order: Arc<[RoleName]> = order.into();
    Ok(Arc::new(move || Box::new(Relay::new(Arc::clone(&order)))))
}

struct Relay {
    order: Arc<[RoleName]>,
    has_user: bool,
    stage: Stage,
    /// Position in the list of the role that has moved last; none at the beginning of a go.
    turn: Option<usize>,
    /// A role was briefed and has not answered: the next move is the first of an answer.
    briefed: bool,
    /// The moves of the last answer that are not worked through. The first one, if any, waits for
    /// the world or the user.
    answer: VecDeque<Move>,
    /// The steps of the last plan that are left.
    plan: VecDeque<Action>,
    /// The last move that was worked through is an action.
    acted: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Stage {
    NotBegun,
    Playing,
    Over(Ending),
    Scored,
}

impl Relay {
    fn new(order: Arc<[RoleName]>) -> Self {
        Self {
            order,
            has_user: false,
            stage: Stage::NotBegun,
            turn: None,
            briefed: false,
            answer: VecDeque::new(),
            plan: VecDeque::new(),
            acted: false,
        }
    }

    fn begin(&mut self) {
        *self = Self {
            has_user: self.has_user,
            stage: Stage::Playing,
            ..Self::new(Arc::clone(&self.order))
        };
    }

    /// Whose turn it is when the last answer was worked through.
    fn upcoming(&self) -> usize {
        match self.turn {
            Some(turn) if self.acted && !self.plan.is_empty() => turn,
            Some(turn) => (turn + 1) % self.order.len(),
            None => 0,
        }
    }

    fn moved(&mut self, made: &Move) {
        if self.briefed {
            self.turn = Some(self.upcoming());
            self.briefed = false;
        }
        if self.stage == Stage::Playing {
            self.answer.push_back(made.clone());
            self.work_through();
        }
    }

    /// Takes off the answer what nobody has to answer.
    fn work_through(&mut self) {
        while let Some(made) = self.answer.front() {
            match made {
                Move::Act { .. } | Move::Speak { .. } => return,
                Move::Finish { .. } => return self.end(Ending::GaveUp),
                Move::Plan { steps } => {
                    self.plan = steps.iter().map(|step| step.action.clone()).collect();
                }
                Move::Think { .. } | Move::Judge { .. } | Move::Learn { .. } => {}
            }
            self.acted = false;
            self.answer.pop_front();
        }
    }

    fn observed(&mut self, seen: &Observation) {
        if seen.done {
            return self.end(Ending::Failed);
        }
        // What is seen at the beginning of a go answers no action.
        if let Some(Move::Act { action }) = self.answer.front() {
            let step = self.plan.iter().position(|step| step.is_same_as(action));
            match step.filter(|_| !seen.invalid) {
                Some(step) => drop(self.plan.drain(..=step)),
                None => self.plan.clear(),
            }
            self.acted = true;
            self.answer.pop_front();
            self.work_through();
        }
    }

    fn replied(&mut self, reply: &Utterance) {
        if reply.leaving {
            return self.end(Ending::UserLeft);
        }
        if let Some(Move::Speak { .. }) = self.answer.front() {
            self.acted = false;
            self.answer.pop_front();
            self.work_through();
        }
    }

    /// The go is over; what is left of the answer is dropped.
    fn end(&mut self, ending: Ending) {
        self.answer.clear();
        self.stage = Stage::Over(ending);
    }

    fn brief(&self, role: &RoleName) -> Brief {
        let named = OPEN.iter().find(|(name, _)| *name == role.as_str());
        let open = named.map_or(OPEN_TO_OTHERS, |(_, open)| *open);
        let open = if self.has_user {
            open
        } else {
            open.without(MoveKind::Speak)
        };
        Brief {
            open,
            several: true,
            ..Brief::default()
        }
    }

    fn directive(&self) -> Result<Directive, StrategyError> {
        match self.answer.front() {
            None => {
                let role = self.order.get(self.upcoming());
                let role = role.ok_or_else(|| nobody("no role is listed"))?;
                Ok(Directive::Brief(role.clone(), self.brief(role)))
            }
            Some(Move::Act { action }) => Ok(Directive::Perform(action.clone())),
            Some(Move::Speak { text, act }) => Ok(Directive::Tell(Utterance {
                text: text.clone(),
                act: act.clone(),
                ..Utterance::default()
            })),
            Some(
                Move::Think { .. }
                | Move::Plan { .. }
                | Move::Judge { .. }
                | Move::Learn { .. }
                | Move::Finish { .. },
            ) => Err(nobody("a move that nobody answers is waiting")),
        }
    }
}

fn nobody(problem: &str) -> StrategyError {
    StrategyError::OutOfOrder(problem.to_owned())
}

impl Strategy for Relay {
    fn apply(&mut self, event: &Event) {
        match &event.message {
            Message::Opened(opened) => self.has_user = opened.user.is_some(),
            Message::Begun(_) => self.begin(),
            Message::Brief(_) => self.briefed = true,
            Message::Moved(made) => self.moved(made),
            Message::Observed(seen) => self.observed(seen),
            Message::Replied(reply) => self.replied(reply),
            Message::Scored(_) | Message::Closed(_) => self.stage = Stage::Scored,
            Message::Entrusted(_) | Message::Repaired(_) | Message::Perform(_) => {}
            Message::Told(_) | Message::ModelCalled(_) | Message::Assess => {}
            Message::Fault(_) => {}
        }
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        match &self.stage {
            Stage::NotBegun => Ok(Directive::Begin {
                trial: 0,
                round: 0,
                keep_world: false,
            }),
            Stage::Playing => self.directive(),
            Stage::Over(unsolved) => Ok(Directive::Assess {
                unsolved: unsolved.clone(),
            }),
            Stage::Scored => Ok(Directive::Close),
        }
    }
}
