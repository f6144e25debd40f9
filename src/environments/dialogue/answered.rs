//! The outcome of an episode on a dialogue task: the response, its references, and the plans and retrievals
//! for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::environment::RESPOND;
use super::language::Dataset;
use super::sample::{dataset as dataset_of, items, of_task};
use super::tasks::REFERENCE;
use rolecall_core::domain::{Action, Message, Move, MoveKind, Seat};
use rolecall_core::ports::{EpisodeLog, Response};

/// The texts of a source in one retrieval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retrieval {
    /// The source.
    pub source: String,
    /// The places of its texts, the best first.
    pub retrieved: Vec<u64>,
}

/// The outcome of an episode on the sample of its task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The data set.
    pub dataset: String,
    /// The first response that was given; without one the last answer that is a text, else empty.
    pub response: Response,
    /// The texts of each source that the reference was written from; sources for which they are unknown are
    /// missing.
    pub gold: BTreeMap<String, Vec<u64>>,
    /// The retrievals before the response.
    pub retrievals: Vec<Retrieval>,
}

impl Answered {
    /// The outcome of an episode; none if its task has no private part `reference`, which is looked at first.
    pub fn of(log: &EpisodeLog<'_>) -> Option<Arc<Self>> {
        let private = private(log)?;
        Some(log.once(|log| Arc::new(Self::read(log, private))))
    }

    /// Whether the planned strategies are, as a set, annotated ones; none if there are no annotations or no plans.
    pub fn is_planned_as_annotated(&self) -> Option<bool> {
        let planned = set(self.response.planned.as_ref()?);
        let mut annotated = self.annotations().map(|labels| set(labels)).peekable();
        annotated.peek()?;
        Some(annotated.any(|labels| labels == planned))
    }

    /// The strategies of each reference that has annotations.
    pub fn annotations(&self) -> impl Iterator<Item = &Vec<String>> {
        self.response.annotated.iter().filter(|labels| !labels.is_empty())
    }

    /// The number of right texts of a source that were retrieved at all, and the number of right texts; none
    /// if they are not known or there is none.
    pub fn found(&self, source: &str) -> Option<(usize, usize)> {
        let gold = self.gold.get(source).filter(|gold| !gold.is_empty())?;
        let retrieved: Vec<&u64> = self.of_source(source).flat_map(|retrieval| &retrieval.retrieved).collect();
        Some((gold.iter().filter(|index| retrieved.contains(index)).count(), gold.len()))
    }

    /// The right texts among the first `most` of each retrieval of a source, counted as often as they were
    /// retrieved; none if its right texts are not known.
    pub fn correct(&self, source: &str, most: usize) -> Option<usize> {
        let gold = self.gold.get(source)?;
        let first = self.of_source(source).flat_map(|retrieval| retrieval.retrieved.iter().take(most));
        Some(first.filter(|index| gold.contains(index)).count())
    }

    /// The retrievals of a source.
    pub fn of_source<'a>(&'a self, source: &'a str) -> impl Iterator<Item = &'a Retrieval> {
        self.retrievals.iter().filter(move |retrieval| retrieval.source == source)
    }

    fn read(log: &EpisodeLog<'_>, private: &Value) -> Self {
        let task = log.opened().map(|opened| &*opened.task);
        let public = task.map_or(&Value::Null, |task| &task.data);
        let dataset = public["dataset"].as_str().unwrap_or_default().to_owned();
        let language = public["language"].as_str().filter(|name| *name == "zh");
        let gold = private["gold"].as_object().into_iter().flatten();
        let gold = gold.map(|(source, gold)| (source.clone(), numbers(gold)));
        let has_sources = task.and_then(dataset_of).is_some_and(Dataset::has_sources);
        let tools = items(&public["tools"]).filter_map(|tool| tool["name"].as_str());
        let strategies: Option<Vec<&str>> = (!has_sources).then(|| tools.collect());
        let mut answered = Self {
            dataset,
            response: Response {
                language: language.unwrap_or("en").to_owned(),
                references: texts(&private["references"]),
                context: task.map(of_task).unwrap_or_default(),
                annotated: items(&private["strategies"]).map(texts).collect(),
                ..Response::default()
            },
            gold: gold.collect(),
            retrievals: Vec::new(),
        };
        answered.follow(log, strategies.as_deref());
        answered
    }

    /// Reads the events up to the first response.
    fn follow(&mut self, log: &EpisodeLog<'_>, strategies: Option<&[&str]>) {
        let response = &mut self.response;
        for event in &log.events {
            match &event.message {
                Message::Brief(brief) if strategies.is_some() && brief.open.contains(MoveKind::Plan) => {
                    response.planned.get_or_insert_default();
                }
                Message::Moved(Move::Plan { steps }) => {
                    let steps = steps.iter().map(|step| &step.action.text);
                    let known = strategies.unwrap_or_default();
                    let named = steps.filter(|name| known.contains(&name.as_str()));
                    if let Some(planned) = &mut response.planned {
                        planned.extend(named.cloned());
                    }
                }
                Message::Moved(Move::Finish { answer }) => {
                    if let Some(text) = answer.as_str() {
                        text.clone_into(&mut response.text);
                        response.given = Some(event.seq);
                    }
                }
                Message::Observed(observed) => {
                    self.retrievals.extend(observed.data.as_deref().and_then(retrieval));
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
        None => action.text.trim().strip_prefix(RESPOND)?.strip_prefix('[')?.strip_suffix(']'),
    }
}

/// The part of the task that only metrics see. It is entrusted before anything happens.
fn private<'a>(log: &EpisodeLog<'a>) -> Option<&'a Value> {
    let parts = log.events.iter().skip(1).map_while(|event| match &event.message {
        Message::Entrusted(part) => Some(part),
        _ => None,
    });
    let mut hidden = parts.filter(|part| part.audience == Seat::Conductor);
    Some(&*hidden.find(|part| part.label == REFERENCE)?.value)
}

fn texts(value: &Value) -> Vec<String> {
    items(value).filter_map(Value::as_str).map(str::to_owned).collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    items(value).filter_map(Value::as_u64).collect()
}

fn retrieval(data: &Value) -> Option<Retrieval> {
    data.get("retrieved").map(|retrieved| Retrieval {
        source: data["source"].as_str().unwrap_or_default().to_owned(),
        retrieved: numbers(retrieved),
    })
}

fn set(names: &[String]) -> BTreeSet<&str> {
    names.iter().map(String::as_str).collect()
}

#[cfg(test)]
#[path = "answered_tests.rs"]
mod tests;
