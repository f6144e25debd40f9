//! Relay: the roles of a list, one after the other, lap after lap (TPE's Thinker, Planner and
//! Executor, section 3; CEP's clarification, execution and planning, section 4; `docs/relay.md`).
//!
//! The rules:
//!
//! 1. Roles are briefed in the order of the list. A role may stand in it more than once.
//! 2. A thought, plan, judgement or lesson hands the turn on. An utterance goes to the user, and
//!    after the reply the turn is handed on. `finish` ends the trial, and so do a world that is done
//!    and a user who leaves.
//! 3. An action is performed. Whoever acts keeps the turn while the last plan, whoever made it,
//!    has steps left. An action that is a step of the plan strikes off that step and those before
//!    it; one that is none of them leaves the plan, and a refused one ends it. So without a plan
//!    an actor acts once a turn. What a world hands on to the user is part of the action.
//! 4. An answer may hold several moves. They are worked through in order and the last one decides
//!    about the turn; what comes after the end of the trial is dropped. Moves beyond the steps or
//!    questions that are left never arrive here (`runtime/check.rs`).
//! 5. What is open is what the config says (`open`), else a matter of the role's name: see [`OPEN`].
//!    Speech is open only if the episode has a user.
//! 6. A role of `keep` is briefed again whatever it did, until it is done: with a `finish`, which
//!    then ends its turn and not the trial, or with a judgement that all is clear. What it answers
//!    after either `finish` is dropped.
//! 7. Roles of `skip_when_clear` are passed over while the last judgement of the trial is that all
//!    is clear, those of `skip_when_unclear` while it is that somebody must ask; before the first
//!    judgement nobody is. A role to whom nothing is open is passed over too. Who has the turn by
//!    rules 3 and 6 keeps it. Where everybody is passed over, the trial ends.

mod rules;

use std::collections::VecDeque;
use std::sync::Arc;

pub use rules::RELAY_PARAMETERS;
use rules::{OPEN, OPEN_TO_OTHERS, Rules};

use crate::domain::{
    Action, Brief, Ending, Event, Message, Move, MoveKind, MoveKinds, Observation, RoleName, Utterance,
};
use crate::ports::{Directive, Parameters, SetupError, Strategy, StrategyError, StrategyFactory};

/// Builds `relay`.
pub fn relay(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    let rules = Arc::new(Rules::new(roles, parameters)?);
    Ok(Arc::new(move || Box::new(Relay::new(Arc::clone(&rules)))))
}

#[derive(Default)]
struct Relay {
    rules: Arc<Rules>,
    has_user: bool,
    progress: Progress,
    /// Position in the list of the role that has moved last; none at the beginning of a trial.
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
    /// The last move that was worked through says that its role is done.
    done: bool,
    /// Its role has ended its turn with this answer: what comes after is dropped.
    finished: bool,
    /// The last judgement of the trial: whether somebody must ask.
    unclear: Option<bool>,
    /// The world was asked to perform an action and has not answered.
    performing: bool,
    /// The question that waits for the user is one that the world hands on.
    asking: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum Progress {
    #[default]
    NotBegun,
    Playing,
    Over(Ending),
    Scored,
}

impl Relay {
    fn new(rules: Arc<Rules>) -> Self {
        Self { rules, ..Self::default() }
    }

    fn begin(&mut self) {
        *self = Self { has_user: self.has_user, progress: Progress::Playing, ..Self::new(Arc::clone(&self.rules)) };
    }

    /// Whether the role that has moved last keeps the turn until it is done.
    fn keeps(&self) -> bool {
        let role = self.turn.and_then(|turn| self.rules.order.get(turn));
        role.is_some_and(|role| self.rules.keep.contains(role))
    }

    /// Who has the turn when the last answer was worked through, by the place in the list; nobody if
    /// all are passed over.
    fn upcoming(&self) -> Option<usize> {
        let has_steps = self.acted && !self.plan.is_empty();
        let first = match self.turn {
            Some(turn) if has_steps || (self.keeps() && !self.done) => return Some(turn),
            Some(turn) => turn + 1,
            None => 0,
        };
        let order = &self.rules.order;
        let mut lap = order.iter().enumerate().cycle().skip(first).take(order.len());
        lap.find(|(_, role)| !self.is_passed_over(role)).map(|(place, _)| place)
    }

    fn is_passed_over(&self, role: &RoleName) -> bool {
        let skipped = match self.unclear {
            Some(false) => self.rules.skip_when_clear.contains(role),
            Some(true) => self.rules.skip_when_unclear.contains(role),
            None => false,
        };
        skipped || self.open_to(role) == MoveKinds::default()
    }

    fn moved(&mut self, made: &Move) {
        if self.briefed {
            self.turn = self.upcoming();
            (self.briefed, self.finished) = (false, false);
        }
        if self.progress == Progress::Playing && !self.finished {
            self.answer.push_back(made.clone());
            self.work_through();
        }
    }

    /// Takes off the answer what nobody has to answer.
    fn work_through(&mut self) {
        while let Some(made) = self.answer.front() {
            let mut done = false;
            match made {
                Move::Act { .. } | Move::Speak { .. } => return,
                Move::Finish { .. } if self.keeps() => {
                    self.answer.truncate(1);
                    (done, self.finished) = (true, true);
                }
                Move::Finish { .. } => return self.end(Ending::GaveUp),
                Move::Plan { steps } => {
                    self.plan = steps.iter().map(|step| step.action.clone()).collect();
                }
                Move::Judge { clarify, .. } => {
                    self.unclear = Some(*clarify);
                    done = !clarify;
                }
                Move::Think { .. } | Move::Learn { .. } => {}
            }
            (self.acted, self.done) = (false, done);
            self.answer.pop_front();
        }
    }

    fn observed(&mut self, seen: &Observation) {
        let answers = std::mem::take(&mut self.performing);
        // A user who left has ended the trial, whatever a world that heard that shows.
        if seen.done && self.progress == Progress::Playing {
            return self.end(Ending::Failed);
        }
        // What is seen at the beginning of a trial or after a reply answers no action.
        if answers && let Some(Move::Act { action }) = self.answer.front() {
            let step = self.plan.iter().position(|step| step.is_same_as(action));
            match step.filter(|_| !seen.invalid) {
                Some(step) => drop(self.plan.drain(..=step)),
                None => self.plan.clear(),
            }
            (self.acted, self.done) = (true, false);
            self.answer.pop_front();
            if let Some(question) = seen.asks.as_deref().filter(|_| self.has_user) {
                self.answer.push_front(Move::speak(question));
                self.asking = true;
            }
            self.work_through();
        }
    }

    fn replied(&mut self, reply: &Utterance) {
        if reply.leaving {
            return self.end(Ending::UserLeft);
        }
        if let Some(Move::Speak { .. }) = self.answer.front() {
            // What a world asked is part of an action.
            if !std::mem::take(&mut self.asking) {
                (self.acted, self.done) = (false, false);
            }
            self.answer.pop_front();
            self.work_through();
        }
    }

    /// The trial is over; what is left of the answer is dropped.
    fn end(&mut self, ending: Ending) {
        self.answer.clear();
        self.progress = Progress::Over(ending);
    }

    fn open_to(&self, role: &RoleName) -> MoveKinds {
        let configured = self.rules.open.iter().find(|(name, _)| name == role);
        let usual = OPEN.iter().find(|(name, _)| *name == role.as_str()).map_or(OPEN_TO_OTHERS, |(_, open)| *open);
        let open = configured.map_or(usual, |(_, open)| *open);
        if self.has_user { open } else { open.without(MoveKind::Speak) }
    }

    fn brief(&self, role: &RoleName) -> Brief {
        Brief { open: self.open_to(role), several: true, ..Brief::default() }
    }

    fn directive(&self) -> Result<Directive, StrategyError> {
        match self.answer.front() {
            None => {
                let role = self.upcoming().and_then(|place| self.rules.order.get(place));
                let unsolved = Ending::GaveUp;
                Ok(role.map_or(Directive::Assess { unsolved }, |role| Directive::Brief(role.clone(), self.brief(role))))
            }
            Some(Move::Act { action }) => Ok(Directive::Perform(action.clone())),
            Some(Move::Speak { text, act }) => {
                Ok(Directive::Tell(Utterance { text: text.clone(), act: act.clone(), ..Utterance::default() }))
            }
            Some(_) => {
                let problem = "a move that nobody answers is waiting";
                Err(StrategyError::OutOfOrder(problem.to_owned()))
            }
        }
    }
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
            Message::Scored(_) | Message::Closed(_) => self.progress = Progress::Scored,
            Message::Perform(_) => self.performing = true,
            Message::Entrusted(_) | Message::Repaired(_) => {}
            Message::Told(_) | Message::ModelCalled(_) | Message::Assess => {}
            Message::Fault(_) => {}
        }
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        match &self.progress {
            Progress::NotBegun => Ok(Directive::Begin { trial: 0, round: 0, keep_world: false }),
            Progress::Playing => self.directive(),
            Progress::Over(unsolved) => Ok(Directive::Assess { unsolved: unsolved.clone() }),
            Progress::Scored => Ok(Directive::Close),
        }
    }
}
