//! Where an episode of `cep` stands, as a fold over the events.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Mode, Planning, Rules};
use crate::seen::{COLLECT, COST, PLAN, status};
use crate::steps::{Limits, Run, Status};
use crate::tools::cost::Failures;
use crate::truth::DETAILS;
use rolecall_core::domain::{Action, Call, Ending, Event, Message, Move, Observation, PrivateInfo, Seat, Utterance};
use rolecall_core::ports::{Directive, Strategy, StrategyError};
use rolecall_core::text::one_line;
use rolecall_core::text::python::literal;

/// The next step that the events so far call for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Now {
    NotBegun,
    /// The world has not shown itself.
    Unseen,
    /// The executor lays out its calls.
    Chain,
    /// Somebody who goes step by step thinks, and then acts.
    Think,
    Step,
    /// Somebody writes down a lesson.
    Learn,
    /// The clarifier judges, and is asked for its question.
    Judge,
    Ask,
    /// The world performs what was decided upon.
    Perform(Box<Action>),
    Tell(String),
    /// The planner plans at once.
    Plan,
    Over(Ending),
    Scored,
}

/// An episode.
#[derive(Clone)]
pub(super) struct Play {
    pub(super) rules: Arc<Rules>,
    has_user: bool,
    /// The questions of the data set that were not put yet.
    questions: VecDeque<String>,
    /// Turns so far.
    turn: u32,
    /// The calls of a chain that are still to be performed.
    chain: VecDeque<Action>,
    /// The calls that were performed in this turn.
    performed: Vec<String>,
    pub(super) run: Run,
    /// Lessons, each once.
    pub(super) lessons: Vec<String>,
    /// Failures in a row.
    failing: Failures,
    pub(super) planning: bool,
    /// Searches and enquiries of a planner who plans at once.
    enquiries: u32,
    pub(super) now: Now,
    /// The world has been asked to perform. What it shows otherwise is what it heard.
    performing: bool,
    /// The moves of the answer that comes in. It is taken as a whole, when the next directive is asked for.
    answer: Vec<Move>,
}

impl Play {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        Self {
            run: Run::new(rules.limits),
            rules,
            has_user: false,
            questions: VecDeque::new(),
            turn: 0,
            chain: VecDeque::new(),
            performed: Vec::new(),
            lessons: Vec::new(),
            failing: Failures::default(),
            planning: false,
            enquiries: 0,
            now: Now::NotBegun,
            performing: false,
            answer: Vec::new(),
        }
    }

    fn next_turn(&mut self) -> Now {
        self.run = Run::new(self.rules.limits);
        self.performed.clear();
        if !self.rules.carries {
            self.lessons.clear();
        }
        match self.rules.dynamic {
            true => Now::Think,
            false => Now::Chain,
        }
    }

    /// Takes the answer that came in.
    fn settle(&mut self) {
        let answer = std::mem::take(&mut self.answer);
        if !answer.is_empty() {
            self.now = self.answered(answer);
        }
    }

    fn answered(&mut self, answer: Vec<Move>) -> Now {
        match self.now.clone() {
            Now::Chain => {
                let calls = answer.into_iter().flat_map(calls);
                self.chain = calls.map(of_executor).collect();
                self.next_call()
            }
            Now::Think => {
                self.run.think(answer.iter().find_map(thought).unwrap_or_default());
                Now::Step
            }
            Now::Step => self.stepped(answer),
            Now::Learn => {
                let lesson = answer.iter().find_map(lesson).unwrap_or_default();
                let lesson = one_line(lesson).trim().to_owned();
                if !lesson.is_empty() && !self.lessons.contains(&lesson) {
                    self.lessons.push(lesson);
                }
                self.next_step()
            }
            Now::Judge => self.judged(&answer),
            Now::Ask => self.asked(answer.iter().find_map(spoken)),
            Now::Plan => self.planned(answer),
            other => other,
        }
    }

    fn next_call(&mut self) -> Now {
        match self.chain.pop_front() {
            Some(action) => Now::Perform(Box::new(action)),
            None => self.executed(),
        }
    }

    /// Somebody who goes step by step has acted.
    fn stepped(&mut self, answer: Vec<Move>) -> Now {
        let action = match acted(answer) {
            Some(Ok(action)) if self.planning => action,
            Some(Ok(action)) => of_executor(action),
            Some(Err(answer)) if self.planning => return deliver(answer),
            Some(Err(_)) => Action::text("Finish()"),
            None => Action::text(""),
        };
        match self.run.act(&action.text) {
            true if self.rules.planning == Planning::Reflexion && self.planning => {
                Now::Perform(Box::new(strict(action)))
            }
            true => Now::Perform(Box::new(action)),
            false => self.next_step(),
        }
    }

    fn next_step(&mut self) -> Now {
        match (self.run.is_over(), self.planning) {
            (false, _) => Now::Think,
            (true, false) => self.executed(),
            (true, true) => deliver(Value::Null),
        }
    }

    /// The turn's calls are made.
    fn executed(&mut self) -> Now {
        match self.rules.mode {
            Mode::Base => self.plan(),
            _ if self.turn + 1 >= self.rules.turns => self.plan(),
            Mode::All | Mode::Clarify => Now::Judge,
        }
    }

    fn judged(&mut self, answer: &[Move]) -> Now {
        let unclear = |made: &Move| matches!(made, Move::Judge { clarify: true, .. });
        match answer.iter().find_map(spoken) {
            None if answer.iter().any(unclear) => Now::Ask,
            question => self.asked(question),
        }
    }

    fn asked(&mut self, question: Option<&str>) -> Now {
        let question = match self.rules.mode {
            Mode::Clarify => self.questions.pop_front(),
            Mode::All | Mode::Base => question.map(str::to_owned),
        };
        match question.filter(|_| self.has_user) {
            Some(question) => Now::Tell(question),
            None => self.plan(),
        }
    }

    fn plan(&mut self) -> Now {
        if !self.rules.plans {
            return Now::Over(Ending::Failed);
        }
        (self.planning, self.failing) = (true, Failures::default());
        let calls = match self.rules.dynamic {
            true => self.run.calls().into_iter().map(str::to_owned).collect(),
            false => std::mem::take(&mut self.performed),
        };
        self.run = Run::new(Limits { failures: None, ..self.rules.limits });
        self.lessons.clear();
        let collect = called("Collect()".to_owned(), COLLECT, json!({ "calls": calls }));
        Now::Perform(Box::new(collect))
    }

    fn planned(&mut self, answer: Vec<Move>) -> Now {
        self.enquiries += 1;
        match acted(answer) {
            Some(Ok(action)) if self.enquiries <= self.rules.planner_steps => Now::Perform(Box::new(action)),
            Some(Err(answer)) => deliver(answer),
            _ => deliver(Value::Null),
        }
    }

    fn observed(&mut self, seen: &Observation) -> Now {
        let asked = std::mem::take(&mut self.performing);
        let tool = match &self.now {
            _ if seen.done => return Now::Over(Ending::Failed),
            Now::Unseen => return self.next_turn(),
            Now::Perform(action) if asked => action.call.as_deref().map(|call| call.tool.clone()),
            other => return other.clone(),
        };
        match (tool.as_deref(), self.planning) {
            (Some(PLAN), true) => Now::Over(Ending::Failed),
            (Some(COLLECT), true) if self.rules.planning != Planning::Direct => Now::Think,
            (_, true) if self.rules.planning == Planning::Direct => Now::Plan,
            (_, planning) if planning || self.rules.dynamic => self.observed_step(seen),
            _ => {
                if let Now::Perform(action) = &self.now {
                    self.performed.push(action.text.clone());
                }
                self.next_call()
            }
        }
    }

    fn observed_step(&mut self, seen: &Observation) -> Now {
        let status = status(seen.data.as_deref().unwrap_or(&Value::Null), seen.invalid);
        self.run.observe(&seen.text, status);
        let is_stopped = self.failing.count(status == Status::Successful);
        let learns = match self.planning {
            true => self.rules.planning == Planning::Reflexion && is_stopped,
            false => self.rules.reflects && self.failing.0 > 0,
        };
        match learns {
            true => Now::Learn,
            false => self.next_step(),
        }
    }

    fn replied(&mut self, reply: &Utterance) -> Now {
        if reply.leaving {
            return self.plan();
        }
        self.turn += 1;
        self.next_turn()
    }
}

/// The action of an answer, or the plan that it ends with.
fn acted(answer: Vec<Move>) -> Option<Result<Action, Value>> {
    answer.into_iter().find_map(|made| match made {
        Move::Act { action } => Some(Ok(action)),
        Move::Finish { answer } => Some(Err(*answer)),
        _ => None,
    })
}

/// Hands a plan over, or none.
fn deliver(plan: Value) -> Now {
    let text = format!("Plan({plan})");
    Now::Perform(Box::new(called(text, PLAN, json!({ "plan": plan }))))
}

/// The questions of the data set, if these are the user's details.
fn questions(part: &PrivateInfo) -> Option<VecDeque<String>> {
    let of_user = part.audience == Seat::User && part.label == DETAILS;
    let details = part.value.as_array().filter(|_| of_user)?;
    let question = |detail: &Value| Some(detail["question"].as_str()?.to_owned());
    Some(details.iter().filter_map(question).collect())
}

impl Strategy for Play {
    fn apply(&mut self, event: &Event) {
        match &event.message {
            Message::Moved(made) => {
                self.answer.push(made.clone());
                return;
            }
            Message::Repaired(_) | Message::ModelCalled(_) | Message::Fault(_) => return,
            _ => self.settle(),
        }
        match &event.message {
            Message::Opened(opened) => self.has_user = opened.user.is_some(),
            Message::Entrusted(part) => {
                self.questions = questions(part).unwrap_or(std::mem::take(&mut self.questions));
            }
            Message::Begun(_) => {
                *self = Self {
                    has_user: self.has_user,
                    questions: std::mem::take(&mut self.questions),
                    now: Now::Unseen,
                    ..Self::new(Arc::clone(&self.rules))
                };
            }
            Message::Perform(_) => self.performing = true,
            Message::Observed(seen) => self.now = self.observed(seen),
            Message::Replied(reply) => self.now = self.replied(reply),
            Message::Scored(_) | Message::Closed(_) => self.now = Now::Scored,
            _ => {}
        }
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        if self.answer.is_empty() {
            return self.directive();
        }
        let mut settled = self.clone();
        settled.settle();
        settled.directive()
    }
}

/// A call of a tool, written so.
fn called(text: String, tool: &str, arguments: Value) -> Action {
    let tool = tool.to_owned();
    Action { text, call: Some(Box::new(Call { tool, arguments })) }
}

/// An enquiry of costs in Reflexion's way, which is told less of what is wrong.
fn strict(mut action: Action) -> Action {
    let inside = || action.text.strip_prefix(COST)?.strip_prefix('(')?.strip_suffix(')');
    if let Some(subplan) = inside().and_then(literal) {
        let arguments = json!({ "subplan": subplan, "variant": "reflexion" });
        action = called(action.text, COST, arguments);
    }
    action
}

/// An action of an executor, who can neither deliver a plan nor open the planning: what looks so is no tool.
fn of_executor(action: Action) -> Action {
    let tool = action.call.as_deref().map(|call| call.tool.as_str());
    match tool {
        Some(COLLECT | PLAN) => called(action.text, "", Value::Null),
        None if action.text.trim_start().starts_with("Plan(") => called(action.text, "", Value::Null),
        _ => action,
    }
}

/// The calls of a move in a chain.
fn calls(made: Move) -> Vec<Action> {
    match made {
        Move::Plan { steps } => steps.into_iter().map(|step| step.action).collect(),
        Move::Act { action } => vec![action],
        _ => Vec::new(),
    }
}

/// The words of a thought.
fn thought(made: &Move) -> Option<&str> {
    match made {
        Move::Think { text } => Some(text),
        _ => None,
    }
}

/// The words of a lesson.
fn lesson(made: &Move) -> Option<&str> {
    match made {
        Move::Learn { lesson } => Some(lesson),
        _ => None,
    }
}

/// The words to the user.
fn spoken(made: &Move) -> Option<&str> {
    match made {
        Move::Speak { text, .. } => Some(text),
        _ => None,
    }
}
