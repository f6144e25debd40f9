//! A seat's knowledge of an episode, as a fold over its view. Roles by rules choose by it
//! ([`by_rules`](rolecall_core::roles::by_rules)), and prompts are made from it.

use std::sync::Arc;

use serde_json::Value;

use super::steps::{Run, Status};
use rolecall_core::domain::{Action, Brief, Message, Move, MoveKind, Observation, PublicTask, Seat, View};
use rolecall_core::roles::Knowledge;

/// The tool by which the strategy has the world show all results in full.
pub const COLLECT: &str = "collect";
/// The tool by which the strategy delivers a plan.
pub const PLAN: &str = "plan";

/// The tool with which a planner asks what a day costs.
pub const COST: &str = "CostEnquiry";

/// A question, and the user's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// An action of a planner, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Enquiry {
    /// The action.
    pub action: Action,
    /// The text that the world showed.
    pub shown: String,
    /// Whether the world refused it.
    pub invalid: bool,
}

/// The knowledge of a seat.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    query: String,
    exchanges: Vec<Exchange>,
    question: Option<String>,
    results: Vec<(String, String)>,
    chain: Vec<String>,
    collected: Option<Vec<(String, String)>>,
    enquiries: Vec<Enquiry>,
    planned: Vec<Action>,
    lessons: Vec<String>,
    unclear: Option<bool>,
    truth: Option<Arc<Value>>,
    run: Run,
    notation: Option<&'static str>,
    performing: Option<Action>,
}

impl Seen {
    /// All that a view shows.
    pub fn of(view: &View, seat: &Seat) -> Self {
        let mut seen = Self::default();
        for event in view.starting_at(0) {
            seen.fold(&event.message, seat);
        }
        seen
    }

    /// The request in the user's words.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The questions with their answers so far, in order. Last words of a user who leaves are no answer.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// The results of this turn's successful calls, by the call in its canonical form, as they were shown. Of equal
    /// calls the place is the first one's and the text the last one's.
    pub fn results(&self) -> &[(String, String)] {
        &self.results
    }

    /// The actions that were performed in this turn, as they were written.
    pub fn chain(&self) -> &[String] {
        &self.chain
    }

    /// All results of the last turn in full, by their descriptions; none before the planning.
    pub fn collected(&self) -> Option<&[(String, String)]> {
        self.collected.as_deref()
    }

    /// The actions while planning, in order: searches and enquiries of costs.
    pub fn enquiries(&self) -> &[Enquiry] {
        &self.enquiries
    }

    /// The steps of the last plan that were not performed yet, in order (a relay's planner lays them out for others).
    pub fn planned(&self) -> &[Action] {
        &self.planned
    }

    /// The steps of the executor in this turn, or of the planner, with their scratchpad: as far as this seat takes
    /// them.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The label of the part of the scratchpad that this seat is to write now.
    pub fn to_be_written(&self) -> Option<String> {
        match self.notation? {
            "tool-thought" => Some(self.run.label("Thought")),
            "tool-action" | "trip-step" => Some(self.run.label("Action")),
            _ => None,
        }
    }

    /// The lessons so far, each once, in order (the strategy clears them for its part).
    pub fn lessons(&self) -> &[String] {
        &self.lessons
    }

    /// Whether the request was judged to be unclear in this turn.
    pub fn unclear(&self) -> Option<bool> {
        self.unclear
    }

    /// The truth, where the seat is entrusted with it.
    pub fn truth(&self) -> Option<&Value> {
        self.truth.as_deref()
    }

    fn briefed(&mut self, brief: &Brief) {
        const STEPS: [&str; 3] = ["tool-thought", "tool-action", "trip-step"];
        let name = brief.notation.as_ref().map(|name| name.as_str());
        self.notation = STEPS.into_iter().find(|notation| Some(*notation) == name);
        // Calls of tools have no notation.
        let calls = name.is_none() && !brief.several && brief.open.contains(MoveKind::Act);
        self.notation = self.notation.or(calls.then_some(""));
        let lessons = brief.sections.iter().find(|part| part.name == "lessons");
        if let Some(lessons) = lessons {
            self.lessons = lessons.text.lines().map(str::to_owned).collect();
        }
    }

    fn moved(&mut self, made: &Move) {
        match made {
            Move::Judge { clarify, .. } => self.unclear = Some(*clarify),
            Move::Plan { steps } => {
                self.planned = steps.iter().map(|step| step.action.clone()).collect();
            }
            Move::Think { text } if self.notation == Some("tool-thought") => self.run.think(text),
            Move::Act { action } if self.notation.is_some() => {
                self.run.act(&action.text);
            }
            _ => {}
        }
    }

    fn observed(&mut self, seen: &Observation) {
        let Some(action) = self.performing.take() else {
            return;
        };
        let data = seen.data.as_deref().unwrap_or(&Value::Null);
        match action.call.as_deref().map(|call| call.tool.as_str()) {
            Some(COLLECT) => {
                let results = data["results"].as_object().into_iter().flatten();
                let text = |text: &Value| text.as_str().unwrap_or_default().to_owned();
                self.collected = Some(results.map(|(of, all)| (of.clone(), text(all))).collect());
                self.run = Run::default();
            }
            Some(PLAN) => {}
            _ => self.performed(action, seen, data),
        }
    }

    /// Takes the result of a call or an enquiry.
    fn performed(&mut self, action: Action, seen: &Observation, data: &Value) {
        let status = status(data, seen.invalid);
        self.run.observe(&seen.text, status);
        if self.collected.is_some() {
            return self.enquiries.push(Enquiry { action, shown: seen.text.clone(), invalid: seen.invalid });
        }
        self.chain.push(action.text);
        if let (Status::Successful, Some(call)) = (status, data["call"].as_str()) {
            self.keep(call, &seen.text);
        }
    }

    fn keep(&mut self, call: &str, text: &str) {
        match self.results.iter_mut().find(|(of, _)| of == call) {
            Some((_, shown)) => text.clone_into(shown),
            None => self.results.push((call.to_owned(), text.to_owned())),
        }
    }

    fn next_turn(&mut self) {
        self.results.clear();
        self.chain.clear();
        self.planned.clear();
        // Those that are carried on come with the next brief.
        self.lessons.clear();
        (self.unclear, self.collected) = (None, None);
        self.run = Run::default();
    }
}

/// The status that the world gives an action.
pub fn status(data: &Value, invalid: bool) -> Status {
    data["status"].as_str().and_then(Status::named).unwrap_or(match invalid {
        true => Status::OtherError,
        false => Status::Successful,
    })
}

impl Knowledge for Seen {
    fn fold(&mut self, message: &Message, seat: &Seat) {
        match message {
            Message::Opened(opened) => self.query.clone_from(&opened.task.text),
            Message::Entrusted(part) if part.audience == *seat && part.label == "truth" => {
                self.truth = Some(Arc::clone(&part.value));
            }
            Message::Begun(_) => {
                *self = Self { query: std::mem::take(&mut self.query), truth: self.truth.take(), ..Self::default() };
            }
            Message::Brief(brief) => self.briefed(brief),
            Message::Moved(made) => self.moved(made),
            Message::Perform(action) => {
                if self.planned.first().is_some_and(|step| step.is_same_as(action)) {
                    self.planned.remove(0);
                }
                self.performing = Some(action.clone());
            }
            Message::Observed(seen) => self.observed(seen),
            Message::Told(said) => self.question = Some(said.text.clone()),
            Message::Replied(reply) => {
                let question = self.question.take().unwrap_or_default();
                if !reply.leaving {
                    let answer = reply.text.clone();
                    self.exchanges.push(Exchange { question, answer });
                    self.next_turn();
                }
            }
            _ => {}
        }
    }

    fn problem(&self, _: Option<&PublicTask>) -> Option<&'static str> {
        self.query.is_empty().then_some("this role plays requests of travel")
    }
}

#[cfg(test)]
#[path = "seen_tests.rs"]
mod tests;
