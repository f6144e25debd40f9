//! The knowledge of a role: a fold over its view. Every role of a cast has one of its own; what another
//! role knows reaches it only through what that role said.

use std::collections::VecDeque;

use super::talk::Standing;
use super::{Belief, Decision, Hint, Need, Query, Recall, SubGoal, Talk, Wording, class_of};
use crate::memory::Sightings;
use rolecall_core::domain::{Action, Begun, Brief, Event, Message, Move, Observation, Opened, Seat, Seed};
use rolecall_core::ports::{RoleError, Turn};

/// How putting is worded if the task does not say.
const PUT: &str = "put {object} in/on {receptacle}";

/// The private part that says where things are likely to be.
const HINTS: &str = "likely_places";

/// The role whose thoughts are read as sub-goals.
const THINKER: &str = "thinker";

/// The other roles' words, as far as they matter.
#[derive(Clone, Debug, Default)]
pub(super) struct CastAdvice {
    /// The cast has other roles.
    pub(super) has_company: bool,
    /// The episode has a user.
    pub(super) has_user: bool,
    /// The thinker's last thought, if it could be read.
    pub(super) sub_goal: Option<SubGoal>,
    /// The steps of another role's last plan that are left.
    pub(super) plan: VecDeque<Action>,
    /// The need when that plan was made.
    pub(super) sought: Option<Need>,
}

/// The knowledge of one role.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    /// Events before this position are folded.
    folded: usize,
    pub(super) belief: Belief,
    pub(super) talk: Talk,
    pub(super) advice: CastAdvice,
    /// Where things of all classes are, for who recalls that ([`Recall::Module`]).
    sightings: Sightings,
    /// The lessons of earlier trials were read in this trial.
    lessons_read: bool,
    /// The task's kind (see [`Goal::read`](super::Goal::read)).
    pub(super) kind: Box<str>,
    put: Box<str>,
}

impl Mind {
    /// The mind of a player that talks and recalls like this, and asks no more after so many answers that led
    /// nowhere.
    pub(super) fn new(phrasing: Wording, recall: Recall, patience: u8) -> Self {
        let mut mind = Self::default();
        (mind.talk.phrasing, mind.talk.patience) = (phrasing, patience);
        mind.belief.recall = recall;
        mind
    }

    /// Takes note of what is new in the turn's view. For `reasons_after_each_look` see
    /// [`Talk::observe`].
    pub(super) fn catch_up(&mut self, turn: &Turn, reasons_after_each_look: bool) {
        for event in turn.view.starting_at(self.folded) {
            self.fold(event, &turn.seat, reasons_after_each_look);
        }
        self.folded = turn.view.end();
        if let (None, Some(task)) = (&self.belief.goal, turn.task()) {
            self.belief.read_task(&task.text, &self.kind);
        }
    }

    fn fold(&mut self, event: &Event, seat: &Seat, each_look: bool) {
        if self.belief.recall == Recall::Module {
            self.sightings.fold(event);
        }
        match &event.message {
            Message::Opened(opened) => self.opened(opened),
            Message::Entrusted(part) if part.audience == *seat && part.label == HINTS => {
                self.belief.hints = Hint::read(&part.value);
            }
            Message::Begun(begun) => self.begun(begun),
            Message::Brief(brief) if event.to == *seat => self.briefed(brief),
            Message::Moved(made) if event.from == *seat => self.moved(made),
            Message::Moved(made) => self.heard_of(made, &event.from),
            Message::Perform(action) => {
                self.belief.perform(&action.text);
                self.advice.performed(action);
            }
            Message::Observed(observation) => self.observed(observation, each_look),
            Message::Replied(utterance) => self.talk.hear(&utterance.text, &mut self.belief),
            _ => {}
        }
    }

    fn opened(&mut self, opened: &Opened) {
        let task = &opened.task;
        self.kind = task.kind.as_str().into();
        let text = |name: &str| task.data.get(name).and_then(|value| value.as_str());
        self.put = text("put").unwrap_or(PUT).into();
        self.talk.ambiguous = text("variant") == Some("ambiguous");
        let players = opened.roles.iter().filter(|role| !role.is_reflector());
        self.advice.has_company = players.count() > 1;
        self.advice.has_user = opened.user.is_some();
    }

    fn begun(&mut self, begun: &Begun) {
        if begun.keep_world {
            self.belief.expect_task();
            return;
        }
        self.belief.begin_anew();
        self.talk.begin_anew();
        self.advice.begin_anew();
        self.lessons_read = false;
    }

    /// The lessons of earlier trials come with every brief; they are read once a trial.
    fn briefed(&mut self, brief: &Brief) {
        if self.lessons_read {
            return;
        }
        self.lessons_read = true;
        let sections = brief.sections.iter();
        for lesson in sections.filter(|section| section.name == "lessons") {
            self.talk.learn_from(&lesson.text, &mut self.belief);
        }
    }

    /// The role itself moved.
    fn moved(&mut self, made: &Move) {
        match made {
            Move::Think { .. } => {
                self.talk.due = None;
                // With a thought it has handed the turn on, and the plan back.
                self.advice.plan.clear();
            }
            // Its own questions have a question mark, its reports none.
            Move::Speak { text, .. } if text.contains('?') => self.talk.spoke(&self.belief),
            Move::Speak { .. } => self.talk.reported(),
            Move::Act { .. } => self.talk.acted(),
            _ => {}
        }
    }

    /// Another role moved.
    fn heard_of(&mut self, made: &Move, by: &Seat) {
        match made {
            Move::Think { text } if matches!(by, Seat::Role(role) if role.as_str() == THINKER) => {
                self.advice.sub_goal = SubGoal::read(text, &self.belief);
            }
            Move::Plan { steps } => {
                self.advice.plan = steps.iter().map(|step| step.action.clone()).collect();
                self.advice.sought = self.belief.need();
            }
            Move::Speak { .. } => self.talk.spoke(&self.belief),
            _ => {}
        }
    }

    fn observed(&mut self, observation: &Observation, each_look: bool) {
        let before = Standing::of(&self.belief);
        let Observation { text, invalid, .. } = observation;
        self.belief.observe(text, *invalid, &self.kind);
        if self.belief.new_task {
            if self.belief.recall == Recall::Module {
                self.belief.remember(self.sightings.all());
            }
            self.talk.begin_anew();
            self.advice.begin_anew();
            return;
        }
        self.talk.observe(before, &self.belief, each_look);
        if *invalid {
            self.advice.plan.clear();
        }
    }

    /// The sub-goal to work on: the thinker's, as long as there is a step to take towards it, and
    /// else the role's own.
    pub(super) fn sub_goal(&self, decision: &Decision<'_>) -> Option<SubGoal> {
        self.advice
            .sub_goal
            .clone()
            .filter(|given| decision.step_towards(given).is_some())
            .or_else(|| self.belief.own_sub_goal(decision.preferred))
    }

    /// The decision of a turn.
    pub(super) fn decision(&self, tidy: bool, seed: Seed) -> Decision<'_> {
        Decision {
            belief: &self.belief,
            leads: &self.talk.leads,
            preferred: &self.talk.preferred,
            tidy,
            put: &self.put,
            seed,
        }
    }

    /// The player's memory of the task's object, as an answer to a self-query; none if it does not
    /// recall anything from task to task.
    pub(super) fn recalled(&self) -> Option<String> {
        let class = &self.belief.goal.as_ref()?.object;
        match self.belief.recall {
            Recall::None => None,
            Recall::Module => Some(self.sightings.recall(class)),
            Recall::Model => {
                let held = self.belief.holding.as_deref();
                let held = held.filter(|held| class_of(held) == &**class);
                Some(Query::reply(class, held, self.belief.recalled(class)))
            }
        }
    }

    /// Fails if the task is none that these roles understand.
    pub(super) fn require_goal(&self) -> Result<(), RoleError> {
        if self.belief.goal.is_none() {
            let why = "the task sentence is none that this player understands";
            return Err(RoleError::Failed(why.to_owned()));
        }
        Ok(())
    }
}

impl CastAdvice {
    fn begin_anew(&mut self) {
        *self = Self { has_company: self.has_company, has_user: self.has_user, ..Self::default() };
    }

    /// An action strikes off the step that it is and those before it; another one leaves the plan.
    fn performed(&mut self, action: &Action) {
        match self.plan.iter().position(|step| step.is_same_as(action)) {
            Some(step) => drop(self.plan.drain(..=step)),
            None => self.plan.clear(),
        }
    }
}

/// The brief of a role's turn.
pub(super) fn brief(turn: &Turn) -> Result<&Brief, RoleError> {
    let brief = turn.brief();
    brief.ok_or_else(|| RoleError::Failed("the turn holds no brief".to_owned()))
}
