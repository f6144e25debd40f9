//! Knowledge while one response is made.

use std::collections::VecDeque;

use super::method::Method;
use super::plan::{Given, Lookup, words};
use crate::environment::texts_found;
use crate::language::{compose_query, resolve_input};
use rolecall_core::domain::{DialogueAct, Move, Observation, PlanStep};
use rolecall_core::text::joined;

/// The most characters of a resolved input: a plan could repeat variables without end.
const MOST_INPUT: usize = 32_768;

/// The thoughts, plans, findings and words of the roles for one response.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    /// The thinker's last thought, or the user's status.
    pub(super) thought: String,
    /// The planner's steps.
    pub(super) plan: Vec<PlanStep>,
    /// The questions to sources that are left; the first one is asked now.
    pub(super) lookups: VecDeque<Lookup>,
    /// The text of each variable; a later one of the same name counts.
    bound: Vec<(String, String)>,
    /// The findings, a line each.
    pub(super) knowledge: Vec<String>,
    /// The strategies that have not spoken yet; the first one speaks now.
    pub(super) to_speak: VecDeque<DialogueAct>,
    /// The words of strategies.
    pub(super) spoken: Vec<String>,
    /// ReAct's lines, or the words of TPE's strategies so far.
    pub(super) scratchpad: Vec<String>,
    /// Answers of ReAct's executor.
    pub(super) steps: u32,
}

impl Mind {
    /// The query to a source: the input with the texts of its variables, the dialogue, and the thought
    /// where the method has it in queries (TPE section 5.1 and B.6).
    pub(super) fn query(&self, lookup: &Lookup, dialogue: &[String], method: &Method) -> String {
        let bound =
            |name: &str| self.bound.iter().rev().find(|(variable, _)| variable == name).map(|(_, text)| text.as_str());
        let mut input = resolve_input(&lookup.input, method.letters(), bound);
        if let Some((most, _)) = input.char_indices().nth(MOST_INPUT) {
            input.truncate(most);
        }
        let thought = Some(&*self.thought).filter(|_| method.thought_in_queries);
        compose_query(&input, dialogue, thought.unwrap_or_default())
    }

    /// Notes the findings of the source that was asked first; a refusal has none.
    pub(super) fn found(&mut self, seen: &Observation, method: &Method) {
        let Some(lookup) = self.lookups.pop_front() else {
            return;
        };
        let text = if seen.invalid { "" } else { &seen.text };
        if method.plans_evidence() {
            let variable = lookup.variable.as_deref().unwrap_or_default();
            let asked = words(&lookup.text());
            self.knowledge.push(format!("#{} = {asked}: {}", words(variable), words(text)).trim_end().to_owned());
        } else {
            let found =
                texts_found(seen).into_iter().filter(|_| !seen.invalid).map(words).filter(|text| !text.is_empty());
            let source = words(&lookup.source);
            self.knowledge.extend(found.map(|text| format!("{source}: {text}")));
        }
        if let Some(variable) = lookup.variable {
            self.bound.push((variable, text.to_owned()));
        }
    }

    /// Notes the words of strategies.
    pub(super) fn spoke(&mut self, moves: &[Move]) {
        let said = moves
            .iter()
            .filter_map(|made| match made {
                Move::Speak { text, .. } => Some(text.trim()),
                _ => None,
            })
            .filter(|text| !text.is_empty())
            .map(str::to_owned);
        self.spoken.extend(said);
    }

    /// Notes that the strategy whose turn it was has spoken. Where strategies work together, later ones read its words.
    pub(super) fn strategy_spoke(&mut self, before: usize, method: &Method) {
        let Some(strategy) = self.to_speak.pop_front() else {
            return;
        };
        let said = self.spoken.get(before..).unwrap_or_default();
        if !method.independent {
            let said = said.iter().map(|text| format!("Do: {}", words(text)));
            let strategy = words(strategy.as_str());
            self.scratchpad.push(format!("Plan: {strategy}"));
            self.scratchpad.extend(said);
        }
    }

    /// Notes a step of ReAct's executor as it would have written it.
    pub(super) fn scratched(&mut self, moves: &[Move]) {
        for made in moves {
            let line = match made {
                Move::Think { text } => format!("Thought: {}", words(text)),
                Move::Act { action } => format!("Action: {}", words(&action.text)),
                Move::Plan { steps } => {
                    format!("Action: {}", joined(steps.iter().map(|step| words(&step.action.text))))
                }
                Move::Speak { text, .. } => observation(text),
                _ => continue,
            };
            self.scratchpad.push(line);
        }
    }

    /// Notes an observation of ReAct's executor.
    pub(super) fn saw(&mut self, seen: &Observation) {
        self.scratchpad.push(observation(&seen.text));
    }

    /// All words so far as one response.
    pub(super) fn response(&self, given: &Given) -> String {
        given.joined(&self.spoken)
    }
}

fn observation(text: &str) -> String {
    format!("Observation: {}", words(text))
}
