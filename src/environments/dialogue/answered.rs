//! What an episode on a dialogue task came to: the response, what it is measured against, and what was
//! planned and looked up for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::environment::RESPOND;
use super::language::Dataset;
use super::sample::{items, of_task};
use crate::domain::{Action, Message, Move, MoveKind, Seat};
use crate::ports::{EpisodeLog, Response};

/// The label of the private part of a task that only metrics see.
const REFERENCE: &str = "reference";

/// What a source gave in one retrieval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retrieval {
    /// The source.
    pub source: String,
    /// Which of its texts, the best first.
    pub retrieved: Vec<u64>,
}

/// What an episode made of the sample of its task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The data set.
    pub dataset: String,
    /// The first response that was given; without one the last answer that is a text, else empty.
    pub response: Response,
    /// The texts of each source that the reference was written from; sources of which nothing is known
    /// are missing.
    pub gold: BTreeMap<String, Vec<u64>>,
    /// What was looked up before the response.
    pub retrievals: Vec<Retrieval>,
}

impl Answered {
    /// What an episode came to; none if its task has no private part `reference`, which is all that is
    /// looked at then.
    pub fn of(log: &EpisodeLog<'_>) -> Option<Arc<Self>> {
        let private = private(log)?;
        Some(log.once(|log| Arc::new(Self::read(log, private))))
    }

    /// Whether the planned strategies are, as a set, those that somebody annotated; none if there are
    /// no annotations or no plans.
    pub fn is_planned_as_annotated(&self) -> Option<bool> {
        let planned = set(self.response.planned.as_ref()?);
        let mut annotated = self.annotations().map(|labels| set(labels)).peekable();
        annotated.peek()?;
        Some(annotated.any(|labels| labels == planned))
    }

    /// The strategies of each reference that has annotations.
    pub fn annotations(&self) -> impl Iterator<Item = &Vec<String>> {
        let annotated = self.response.annotated.iter();
        annotated.filter(|labels| !labels.is_empty())
    }

    /// How many of the right texts of a source were retrieved at all, and how many there are; none if
    /// nothing is known of them or there is none.
    pub fn found(&self, source: &str) -> Option<(usize, usize)> {
        let gold = self.gold.get(source).filter(|gold| !gold.is_empty())?;
        let own = self.retrievals.iter().filter(|own| own.source == source);
        let retrieved: Vec<u64> = own.flat_map(|own| &own.retrieved).copied().collect();
        let found = gold.iter().filter(|index| retrieved.contains(index));
        Some((found.count(), gold.len()))
    }

    /// How many right texts were among the first `most` of each retrieval of a source, counted as often
    /// as they were retrieved; none if nothing is known of its right texts.
    pub fn correct(&self, source: &str, most: usize) -> Option<usize> {
        let gold = self.gold.get(source)?;
        let own = self.retrievals.iter().filter(|own| own.source == source);
        let first = own.flat_map(|own| own.retrieved.iter().take(most));
        Some(first.filter(|index| gold.contains(index)).count())
    }

    fn read(log: &EpisodeLog<'_>, private: &Value) -> Self {
        let task = log.opened().map(|opened| &*opened.task);
        let public = task.map_or(&Value::Null, |task| &task.data);
        let dataset = public["dataset"].as_str().unwrap_or_default().to_owned();
        let language = public["language"].as_str().filter(|own| *own == "zh");
        let mut answered = Self {
            response: Response {
                language: language.unwrap_or("en").to_owned(),
                references: texts(&private["references"]),
                context: task.map(of_task).unwrap_or_default(),
                annotated: items(&private["strategies"]).map(texts).collect(),
                ..Response::default()
            },
            gold: gold(&private["gold"]),
            ..Self::default()
        };
        if Dataset::named(&dataset).is_some_and(Dataset::has_sources) {
            answered.follow(log, None);
        } else {
            let tools = items(&public["tools"]).filter_map(|tool| tool["name"].as_str());
            answered.follow(log, Some(&tools.collect::<Vec<_>>()));
        }
        answered.dataset = dataset;
        answered
    }

    /// Reads what happened up to the first response.
    fn follow(&mut self, log: &EpisodeLog<'_>, strategies: Option<&[&str]>) {
        let response = &mut self.response;
        for event in &log.events {
            match &event.message {
                Message::Brief(brief)
                    if strategies.is_some() && brief.open.contains(MoveKind::Plan) =>
                {
                    response.planned.get_or_insert_default();
                }
                Message::Moved(Move::Plan { steps }) => {
                    let steps = steps.iter().map(|step| step.action.text.as_str());
                    let known = strategies.unwrap_or_default();
                    let named = steps.filter(|name| known.contains(name));
                    if let Some(planned) = &mut response.planned {
                        planned.extend(named.map(str::to_owned));
                    }
                }
                Message::Moved(Move::Finish { answer }) => {
                    if let Some(text) = answer.as_str() {
                        text.clone_into(&mut response.text);
                        response.given = Some(event.seq);
                    }
                }
                Message::Observed(observed) => {
                    self.retrievals
                        .extend(observed.data.as_deref().and_then(retrieval));
                }
                Message::Perform(action) => {
                    if let Some(text) = said(action) {
                        text.clone_into(&mut response.text);
                        response.given = Some(event.seq);
                        return;
                    }
                }
                _ => {}
            }
        }
    }
}

/// The words of an action that gives a response.
fn said(action: &Action) -> Option<&str> {
    match &action.call {
        Some(call) if call.tool == RESPOND => call.arguments["text"].as_str(),
        Some(_) => None,
        None => {
            let rest = action.text.trim().strip_prefix(RESPOND)?;
            rest.strip_prefix('[')?.strip_suffix(']')
        }
    }
}

/// The part of the task that only metrics see. It is entrusted before anything happens.
fn private<'a>(log: &EpisodeLog<'a>) -> Option<&'a Value> {
    for event in log.events.iter().skip(1) {
        let Message::Entrusted(part) = &event.message else {
            return None;
        };
        if part.audience == Seat::Conductor && part.label == REFERENCE {
            return Some(&part.value);
        }
    }
    None
}

fn texts(value: &Value) -> Vec<String> {
    let texts = items(value).filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    items(value).filter_map(Value::as_u64).collect()
}

fn gold(value: &Value) -> BTreeMap<String, Vec<u64>> {
    let sources = value.as_object().into_iter().flatten();
    sources
        .map(|(source, gold)| (source.clone(), numbers(gold)))
        .collect()
}

fn retrieval(data: &Value) -> Option<Retrieval> {
    data.get("retrieved").map(|retrieved| Retrieval {
        source: data["source"].as_str().unwrap_or_default().to_owned(),
        retrieved: numbers(retrieved),
    })
}

fn set(names: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
#[path = "answered_tests.rs"]
mod tests;
