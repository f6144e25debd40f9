//! What an episode on a dialogue task came to: the response, what it is measured against, and what was
//! planned and looked up for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::domain::{Action, Message, Move, MoveKind, Seat};
use crate::ports::EpisodeLog;
use crate::text::dialogue::Dataset;

/// The label of the private part of a task that only metrics see.
const REFERENCE: &str = "reference";
/// The action with which a response is given.
const RESPOND: &str = "respond";

/// In which language a dialogue is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English, or anything with blanks between its words.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

/// What a source gave in one retrieval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retrieval {
    /// The source.
    pub source: String,
    /// Which of its texts, the best first.
    pub retrieved: Vec<u64>,
}

/// A sample of a dialogue task with what an episode made of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The data set.
    pub dataset: String,
    /// Its language.
    pub language: Language,
    /// The first response that was given; without one the last answer that is a text, else empty.
    pub response: String,
    /// The event in which it was given, if it was.
    pub given: Option<u32>,
    /// What people responded.
    pub references: Vec<String>,
    /// The texts of each source that the reference was written from; sources of which nothing is known
    /// are missing.
    pub gold: BTreeMap<String, Vec<u64>>,
    /// The strategies that people saw in each reference, as far as they were annotated.
    pub annotated: Vec<Vec<String>>,
    /// What was looked up before the response.
    pub retrievals: Vec<Retrieval>,
    /// The strategies that were planned for the response, in their order; none where the tools are no
    /// strategies, or nobody was to plan.
    pub planned: Option<Vec<String>>,
}

impl Sample {
    /// That of an episode; none if its task has no private part `reference`, which is all that is
    /// looked at then.
    pub fn of(log: &EpisodeLog<'_>) -> Option<Arc<Self>> {
        let private = private(log)?;
        Some(log.once(|log| Arc::new(Self::read(log, private))))
    }

    /// The planned strategies with adjacent repeats as one.
    pub fn collapsed(&self) -> Option<Vec<&str>> {
        let planned = self.planned.as_ref()?;
        let mut planned: Vec<&str> = planned.iter().map(String::as_str).collect();
        planned.dedup();
        Some(planned)
    }

    /// Whether the planned strategies are, as a set, those that somebody annotated; none if there are
    /// no annotations or no plans.
    pub fn is_planned_as_annotated(&self) -> Option<bool> {
        let planned = set(self.planned.as_ref()?);
        let annotated = self.annotated.iter().filter(|labels| !labels.is_empty());
        let mut annotated = annotated.map(|labels| set(labels)).peekable();
        annotated.peek()?;
        Some(annotated.any(|labels| labels == planned))
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
        let public = log.opened().map(|opened| &opened.task.data);
        let public = public.unwrap_or(&Value::Null);
        let dataset = public["dataset"].as_str().unwrap_or_default().to_owned();
        let mut sample = Self {
            language: match public["language"].as_str() {
                Some("zh") => Language::Chinese,
                _ => Language::English,
            },
            references: texts(&private["references"]),
            gold: gold(&private["gold"]),
            annotated: items(&private["strategies"]).map(texts).collect(),
            ..Self::default()
        };
        if Dataset::named(&dataset).is_some_and(Dataset::has_sources) {
            sample.follow(log, None);
        } else {
            let tools = items(&public["tools"]).filter_map(|tool| tool["name"].as_str());
            sample.follow(log, Some(&tools.collect::<Vec<_>>()));
        }
        sample.dataset = dataset;
        sample
    }

    /// Reads what happened up to the first response.
    fn follow(&mut self, log: &EpisodeLog<'_>, strategies: Option<&[&str]>) {
        for event in &log.events {
            match &event.message {
                Message::Brief(brief)
                    if strategies.is_some() && brief.open.contains(MoveKind::Plan) =>
                {
                    self.planned.get_or_insert_default();
                }
                Message::Moved(Move::Plan { steps }) => {
                    let steps = steps.iter().map(|step| step.action.text.as_str());
                    let known = strategies.unwrap_or_default();
                    let named = steps.filter(|name| known.contains(name));
                    if let Some(planned) = &mut self.planned {
                        planned.extend(named.map(str::to_owned));
                    }
                }
                Message::Moved(Move::Finish { answer }) => {
                    if let Some(text) = answer.as_str() {
                        text.clone_into(&mut self.response);
                        self.given = Some(event.seq);
                    }
                }
                Message::Observed(observed) => {
                    self.retrievals
                        .extend(observed.data.as_deref().and_then(retrieval));
                }
                Message::Perform(action) => {
                    if let Some(text) = said(action) {
                        text.clone_into(&mut self.response);
                        self.given = Some(event.seq);
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

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
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
#[path = "response_tests.rs"]
mod tests;
