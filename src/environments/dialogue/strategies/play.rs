//! The state of a dialogue, as a fold over the events.

use std::sync::Arc;

use serde_json::{Value, json};

use super::brief::brief;
use super::method::{Method, Way};
use super::mind::Mind;
use super::plan::{self, Given, Lookup};
use crate::environment::{RESPOND, respond};
use crate::formats::DialogueFormat;
use rolecall_core::domain::{Action, Call, Ending, Event, Limit, Message, Move, Observation, PlanStep, Utterance};
use rolecall_core::ports::{Directive, Strategy, StrategyError};

/// The dialogue of one episode.
#[derive(Clone)]
pub(super) struct Play {
    method: Arc<Method>,
    given: Arc<Given>,
    has_user: bool,
    /// The utterances so far, the task's dialogue first.
    dialogue: Vec<String>,
    /// Responses so far.
    responses: u32,
    mind: Mind,
    now: Now,
    /// The moves of the answer that comes in. They are taken as a whole, when the next directive is asked for.
    answer: Vec<Move>,
}

/// The state that the events so far lead to.
#[derive(Clone, Debug, PartialEq)]
enum Now {
    NotBegun,
    /// The world has not reported yet.
    Unseen,
    /// A role writes in the notation.
    Asking(DialogueFormat),
    /// The first question of the mind is asked.
    Looking,
    /// ReAct's executor performs an action that asks no source; the world will answer it.
    Trying(Box<Action>),
    /// The response is given.
    Responding(String),
    /// The user hears the response.
    Telling(String),
    Over(Ending),
    Scored,
}

impl Play {
    pub(super) fn new(method: Arc<Method>) -> Self {
        Self {
            method,
            given: Arc::default(),
            has_user: false,
            dialogue: Vec::new(),
            responses: 0,
            mind: Mind::default(),
            now: Now::NotBegun,
            answer: Vec::new(),
        }
    }

    /// A response is made from the beginning.
    fn anew(&mut self) -> Now {
        self.mind = Mind::default();
        match self.method.opening {
            Some(notation) => Now::Asking(notation),
            None => self.opened(),
        }
    }

    /// The thinker, if there is one, has written.
    fn opened(&mut self) -> Now {
        let sources = &self.given.sources;
        let way = if sources.is_empty() { self.method.strategies } else { self.method.sources };
        let Way::Ask(notation) = way else {
            let lookups = sources.iter().map(|source| Lookup::with_context(source));
            let (mut lookups, others): (Vec<Lookup>, Vec<Lookup>) =
                lookups.partition(|lookup| lookup.source == "PERSONA");
            lookups.extend(others);
            return self.look(lookups);
        };
        Now::Asking(notation)
    }

    fn look(&mut self, lookups: Vec<Lookup>) -> Now {
        if lookups.is_empty() {
            return Now::Asking(self.method.response);
        }
        self.mind.lookups = lookups.into();
        Now::Looking
    }

    /// Takes the answer that came in.
    fn settle(&mut self) {
        let answer = std::mem::take(&mut self.answer);
        if let (Now::Asking(notation), false) = (&self.now, answer.is_empty()) {
            self.now = self.answered(*notation, &answer);
        }
    }

    fn answered(&mut self, notation: DialogueFormat, answer: &[Move]) -> Now {
        use DialogueFormat::{Modules, ReactSource, ReactStrategy, RewooPlan, SourcePlan, Strategies};
        let before = self.mind.spoken.len();
        self.mind.spoke(answer);
        if let Some(end) = answer.iter().find_map(finish) {
            return match end {
                Some(text) => Now::Responding(text.to_owned()),
                None => self.respond_with_spoken(notation),
            };
        }
        match notation {
            DialogueFormat::Thought | DialogueFormat::Status => {
                self.mind.thought = thought(answer);
                self.opened()
            }
            SourcePlan | RewooPlan | Modules | Strategies => {
                self.mind.plan = steps(answer);
                self.planned(notation)
            }
            DialogueFormat::SubResponse => {
                self.mind.strategy_spoke(before, &self.method);
                self.next_strategy()
            }
            DialogueFormat::PlanDo => self.respond_with_spoken(notation),
            ReactSource | ReactStrategy => self.stepped(notation, answer),
            DialogueFormat::ReasonedResponse | DialogueFormat::Response => Now::Over(Ending::GaveUp),
        }
    }

    /// Joins the words of strategies in the executor's own answers. Words before another role gave up are
    /// no response.
    fn respond_with_spoken(&self, notation: DialogueFormat) -> Now {
        if notation.speaks_by_many() && !self.mind.spoken.is_empty() {
            Now::Responding(self.mind.response(&self.given))
        } else {
            Now::Over(Ending::GaveUp)
        }
    }

    fn planned(&mut self, notation: DialogueFormat) -> Now {
        let (steps, given) = (&self.mind.plan, &self.given);
        match notation {
            DialogueFormat::SourcePlan | DialogueFormat::RewooPlan => {
                self.look(plan::lookups(steps, given, self.method.letters()))
            }
            DialogueFormat::Modules => self.look(plan::modules(steps, given)),
            _ => {
                self.mind.to_speak = plan::strategies(steps, given).into();
                self.next_strategy()
            }
        }
    }

    fn next_strategy(&self) -> Now {
        if !self.mind.to_speak.is_empty() {
            Now::Asking(DialogueFormat::SubResponse)
        } else if self.mind.spoken.is_empty() {
            Now::Asking(self.method.response)
        } else {
            Now::Responding(self.mind.response(&self.given))
        }
    }

    /// ReAct's executor took a step that is not the response.
    fn stepped(&mut self, notation: DialogueFormat, answer: &[Move]) -> Now {
        self.mind.steps += 1;
        if self.mind.steps > self.method.most_steps {
            return Now::Over(Ending::GaveUp);
        }
        self.mind.scratched(answer);
        let action = answer.iter().find_map(|made| match made {
            Move::Act { action } if notation == DialogueFormat::ReactSource => Some(action),
            _ => None,
        });
        match action {
            None => Now::Asking(notation),
            Some(action) => match plan::asked(action, &self.given) {
                Some(lookup) => self.look(vec![lookup]),
                None => Now::Trying(Box::new(action.clone())),
            },
        }
    }

    fn observed(&mut self, seen: &Observation) {
        self.now = match &self.now {
            Now::Unseen if !seen.done => self.anew(),
            Now::Looking if !seen.done => self.found(seen),
            Now::Trying(_) if !seen.done => {
                self.mind.saw(seen);
                Now::Asking(DialogueFormat::ReactSource)
            }
            Now::Responding(text) if self.has_user => Now::Telling(text.clone()),
            Now::Unseen | Now::Looking | Now::Trying(_) | Now::Responding(_) => Now::Over(Ending::Failed),
            // Words that nobody asked for.
            other => other.clone(),
        };
    }

    fn found(&mut self, seen: &Observation) -> Now {
        // Only ReAct counts steps.
        if self.mind.steps > 0 {
            self.mind.saw(seen);
            self.mind.lookups.clear();
            return Now::Asking(DialogueFormat::ReactSource);
        }
        self.mind.found(seen, &self.method);
        if self.mind.lookups.is_empty() { Now::Asking(self.method.response) } else { Now::Looking }
    }

    fn replied(&mut self, reply: &Utterance) {
        let Now::Telling(response) = &self.now else {
            return;
        };
        self.dialogue.extend([response.clone(), reply.text.clone()]);
        self.responses += 1;
        self.now = if reply.leaving {
            Now::Over(Ending::UserLeft)
        } else if self.responses >= self.method.turns {
            Now::Over(Ending::OutOf { limit: Limit::Turns })
        } else {
            self.anew()
        };
    }

    fn directive(&self) -> Result<Directive, StrategyError> {
        Ok(match &self.now {
            Now::NotBegun | Now::Unseen => Directive::Begin { trial: 0, round: 0, keep_world: false },
            Now::Asking(notation) => {
                let role = self.method.writer(*notation).clone();
                let brief = brief(*notation, &self.method, &self.given, &self.mind)
                    .map_err(|error| StrategyError::Failed(error.to_string()))?;
                Directive::Brief(role, brief)
            }
            Now::Looking => match self.mind.lookups.front() {
                Some(lookup) => Directive::Perform(self.question(lookup)),
                None => Directive::Assess { unsolved: Ending::Failed },
            },
            Now::Trying(action) => Directive::Perform((**action).clone()),
            Now::Responding(text) => Directive::Perform(self.response(text)),
            Now::Telling(text) => Directive::Tell(Utterance::response(text)),
            Now::Over(unsolved) => Directive::Assess { unsolved: unsolved.clone() },
            Now::Scored => Directive::Close,
        })
    }

    fn question(&self, lookup: &Lookup) -> Action {
        let query = self.mind.query(lookup, &self.dialogue, &self.method);
        Action {
            text: lookup.text(),
            call: Some(Box::new(Call { tool: lookup.source.clone(), arguments: json!({"query": query}) })),
        }
    }

    fn response(&self, text: &str) -> Action {
        let mut action = respond(text);
        let goes_on = self.has_user && self.responses + 1 < self.method.turns;
        if let Some(call) = action.call.as_mut().filter(|_| goes_on) {
            call.arguments["goes_on"] = Value::Bool(true);
        }
        action
    }
}

/// The end of the answer that a move is, if it is one: with a text, or with none. An action that responds
/// or finishes is such an end as well.
fn finish(made: &Move) -> Option<Option<&str>> {
    let text = match made {
        Move::Finish { answer } => answer.as_str().unwrap_or_default(),
        Move::Act { action } => responded(action)?,
        _ => return None,
    };
    let text = text.trim();
    Some((!text.is_empty()).then_some(text))
}

fn responded(action: &Action) -> Option<&str> {
    let (name, text) = match action.call.as_deref() {
        Some(call) => (call.tool.as_str(), call.arguments.get("text").and_then(Value::as_str).unwrap_or_default()),
        None => plan::called(&action.text),
    };
    let ends = |word: &str| name.eq_ignore_ascii_case(word);
    (ends(RESPOND) || ends("finish")).then_some(text)
}

fn thought(answer: &[Move]) -> String {
    answer
        .iter()
        .rev()
        .find_map(|made| match made {
            Move::Think { text } => Some(text.trim()),
            _ => None,
        })
        .unwrap_or_default()
        .to_owned()
}

fn steps(answer: &[Move]) -> Vec<PlanStep> {
    answer
        .iter()
        .filter_map(|made| match made {
            Move::Plan { steps } => Some(steps),
            _ => None,
        })
        .flatten()
        .take(plan::MOST_STEPS)
        .cloned()
        .collect()
}

impl Strategy for Play {
    fn apply(&mut self, event: &Event) {
        match &event.message {
            Message::Moved(made) => {
                // What comes after an action or the end of an answer is dropped.
                let closed = |last: &Move| matches!(last, Move::Act { .. } | Move::Finish { .. });
                if matches!(self.now, Now::Asking(_)) && !self.answer.last().is_some_and(closed) {
                    self.answer.push(made.clone());
                }
                return;
            }
            Message::Repaired(_) | Message::ModelCalled(_) | Message::Fault(_) => return,
            _ => self.settle(),
        }
        match &event.message {
            Message::Opened(opened) => {
                self.has_user = opened.user.is_some();
                self.given = Arc::new(Given::from(&*opened.task));
            }
            Message::Begun(_) => {
                self.dialogue = self.given.dialogue.clone();
                self.responses = 0;
                self.now = Now::Unseen;
            }
            Message::Observed(seen) => self.observed(seen),
            Message::Replied(reply) => self.replied(reply),
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
