//! What is known while one response is made.

use std::collections::VecDeque;

use serde_json::Value;

use super::method::Method;
use super::plan::{Lookup, words};
use super::task::Given;
use crate::domain::{DialogueAct, Move, Observation, PlanStep};
use crate::environments::dialogue::language::{compose_query, resolve_input};

/// The most characters of a resolved input: a plan could repeat variables without end.
const MOST_INPUT: usize = 32_768;

/// What the roles thought, planned, found and said for one response.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    /// The thinker's last thought, or the user's status.
    pub(super) thought: String,
    /// The planner's steps.
    pub(super) plan: Vec<PlanStep>,
    /// The questions to sources that are left; the first one is asked now.
    pub(super) lookups: VecDeque<Lookup>,
    /// What each variable stands for; a later one of the same name counts.
    bound: Vec<(String, String)>,
    /// What was found, a line each.
    pub(super) knowledge: Vec<String>,
    /// The strategies that have not spoken yet; the first one speaks now.
    pub(super) to_speak: VecDeque<DialogueAct>,
    /// What strategies said.
    pub(super) spoken: Vec<String>,
    /// ReAct's lines, or what TPE's strategies said so far.
    pub(super) scratchpad: Vec<String>,
    /// Answers of ReAct's executor.
    pub(super) steps: u32,
}

impl Mind {
    /// What a source is asked: the input with what its variables stand for, the dialogue, and the thought
    /// where the method has it in queries (TPE section 5.1 and B.6).
    pub(super) fn query(&self, lookup: &Lookup, dialogue: &[String], method: &Method) -> String {
        let bound = |name: &str| {
            let mut bound = self.bound.iter().rev();
            let found = bound.find(|(variable, _)| variable == name);
            found.map(|(_, text)| text.as_str())
        };
        let mut input = resolve_input(&lookup.input, method.letters(), bound);
        if let Some((most, _)) = input.char_indices().nth(MOST_INPUT) {
            input.truncate(most);
        }
        let thought = Some(&*self.thought).filter(|_| method.thought_in_queries);
        compose_query(&input, dialogue, thought.unwrap_or_default())
    }

    /// Takes note of what the source found that was asked first. A refusal is nothing that is known.
    pub(super) fn found(&mut self, seen: &Observation, method: &Method) {
        let Some(lookup) = self.lookups.pop_front() else {
            return;
        };
        let text = if seen.invalid { "" } else { &seen.text };
        if method.plans_evidence() {
            let variable = lookup.variable.as_deref().unwrap_or_default();
            let line = format!("#{variable} = {}: {}", lookup.text(), words(text));
            self.knowledge.push(line.trim_end().to_owned());
        } else {
            let texts = texts(seen);
            let found = texts.iter().map(|text| words(text));
            let found = found.filter(|text| !text.is_empty());
            let lines = found.map(|text| format!("{}: {text}", lookup.source));
            self.knowledge.extend(lines);
        }
        if let Some(variable) = lookup.variable {
            self.bound.push((variable, text.to_owned()));
        }
    }

    /// Takes note of what strategies said.
    pub(super) fn spoke(&mut self, moves: &[Move]) {
        let said = moves.iter().filter_map(|made| match made {
            Move::Speak { text, .. } => Some(text.trim()),
            _ => None,
        });
        let said = said.filter(|text| !text.is_empty()).map(str::to_owned);
        self.spoken.extend(said);
    }

    /// The strategy whose turn it was has spoken. Where strategies work together, those after it read
    /// what it said.
    pub(super) fn strategy_spoke(&mut self, before: usize, method: &Method) {
        let Some(strategy) = self.to_speak.pop_front() else {
            return;
        };
        let said = self.spoken.get(before..).unwrap_or_default();
        if !method.independent {
            let said = said.iter().map(|text| format!("Do: {}", words(text)));
            self.scratchpad.push(format!("Plan: {strategy}"));
            self.scratchpad.extend(said);
        }
    }

    /// Takes note of a step of ReAct's executor as it would have written it.
    pub(super) fn scratched(&mut self, moves: &[Move]) {
        for made in moves {
            let line = match made {
                Move::Think { text } => format!("Thought: {}", words(text)),
                Move::Act { action } => format!("Action: {}", words(&action.text)),
                Move::Plan { steps } => {
                    let names: Vec<String> =
                        steps.iter().map(|step| words(&step.action.text)).collect();
                    format!("Action: {}", names.join(", "))
                }
                Move::Speak { text, .. } => observation(text),
                Move::Judge { .. } | Move::Learn { .. } | Move::Finish { .. } => continue,
            };
            self.scratchpad.push(line);
        }
    }

    /// Takes note of what ReAct's executor sees.
    pub(super) fn saw(&mut self, seen: &Observation) {
        self.scratchpad.push(observation(&seen.text));
    }

    /// What was said by now as one response.
    pub(super) fn response(&self, given: &Given) -> String {
        given.joined(&self.spoken)
    }
}

fn observation(text: &str) -> String {
    format!("Observation: {}", words(text))
}

/// The texts that were found: in parts, or else as one.
fn texts(seen: &Observation) -> Vec<&str> {
    if seen.invalid {
        return Vec::new();
    }
    let data = seen.data.as_deref();
    match data.and_then(|data| data["texts"].as_array()) {
        Some(parts) => parts.iter().filter_map(Value::as_str).collect(),
        None => vec![&seen.text],
    }
}
