//! The world of a dialogue sample: sources that answer queries, and somebody who takes the response.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Sample;
use super::retriever::{Index, Retrieval};
use crate::domain::{Action, Begun, Call, Observation, Repair, Score};
use crate::environments::dialogue::language::{Source, Variable, compose_query, resolve_input};
use crate::ports::model::Calls;
use crate::ports::{Environment, EnvironmentError};
use crate::text::bm25::rank;
use crate::text::overlap::F1;

/// The name of the action that gives the response.
pub const RESPOND: &str = "respond";

/// The action that gives the response.
pub(super) fn respond(text: &str) -> Action {
    let call = Call {
        tool: RESPOND.to_owned(),
        arguments: json!({ "text": text }),
    };
    Action {
        text: format!("{RESPOND}[{text}]"),
        call: Some(Box::new(call)),
    }
}

/// The texts of a retrieval: in parts, or else as one.
pub(super) fn texts_found(seen: &Observation) -> Vec<&str> {
    let data = seen.data.as_deref();
    match data.and_then(|data| data["texts"].as_array()) {
        Some(parts) => parts.iter().filter_map(Value::as_str).collect(),
        None => vec![&seen.text],
    }
}

/// The most characters that a retrieval gives, in all its texts together. The texts of the data sets are far
/// shorter; with four bytes each it is as much as `limits.answer_bytes` allows by default.
const MOST_CHARACTERS: usize = 16_384;

/// One sample that is being played.
pub struct DialogueEnvironment {
    sample: Arc<Sample>,
    retrieval: Retrieval,
    /// An index for each source that was asked.
    indices: BTreeMap<Source, Box<dyn Index>>,
    /// The way to the model of a dense retriever.
    calls: Calls,
    /// What was said in answer to the sample's context; a conversation has further responses.
    response: Option<String>,
}

/// What an action asks for.
#[derive(Debug, PartialEq)]
enum Asked {
    /// What a source has for a query.
    Source { source: Source, query: String },
    /// To take the response; in a conversation others follow.
    Respond { text: String, goes_on: bool },
}

impl DialogueEnvironment {
    /// A world that has not begun.
    pub fn new(sample: Arc<Sample>, retrieval: Retrieval) -> Self {
        Self {
            sample,
            retrieval,
            indices: BTreeMap::new(),
            calls: Calls::default(),
            response: None,
        }
    }

    fn asked(&self, action: &Action) -> Option<Asked> {
        match &action.call {
            Some(call) => asked_by_call(call),
            None => self.asked_in_words(&action.text),
        }
    }

    /// `PERSONA[input]`, where the dialogue is part of every query, or `respond[text]`.
    fn asked_in_words(&self, text: &str) -> Option<Asked> {
        let (name, rest) = text.trim().split_once('[')?;
        let name = name.trim();
        let input = rest.strip_suffix(']').unwrap_or(rest).trim();
        if name.eq_ignore_ascii_case(RESPOND) {
            return Some(Asked::Respond {
                text: input.to_owned(),
                goes_on: false,
            });
        }
        let (source, _) = Source::named(name)?;
        let input = resolve_input(input, Variable::So, |_| None);
        let query = compose_query(&input, &self.sample.utterances(), "");
        Some(Asked::Source { source, query })
    }

    async fn retrieve(
        &mut self,
        source: Source,
        query: &str,
    ) -> Result<Observation, EnvironmentError> {
        let texts = texts_of(&self.sample, source);
        if texts.is_empty() {
            return Ok(Observation::refused(format!(
                "There is no source {} here.",
                source.name()
            )));
        }
        let index = match self.indices.entry(source) {
            std::collections::btree_map::Entry::Occupied(made) => made.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(self.retrieval.retriever.index(texts, &self.calls).await?)
            }
        };
        let scores = index.scores(query, &self.calls).await?;
        let mut best = rank(&scores, self.retrieval.ties);
        best.truncate(self.retrieval.top_k);
        let found = best.iter().filter_map(|place| texts.get(*place));
        let found: Vec<&str> = found.map(String::as_str).collect();
        let (found, cut) = fitted(found.into_iter());
        let scores: Vec<f64> = best
            .iter()
            .filter_map(|place| scores.get(*place))
            .copied()
            .collect();
        let mut data = json!({
            "source": source.name(),
            "retrieved": best,
            "scores": scores,
            "texts": found,
        });
        if cut > 0 {
            data["repaired"] = json!([Repair {
                code: "text_cut".to_owned(),
                note: format!(
                    "{cut} characters were left out at the end: a retrieval gives at most {MOST_CHARACTERS}"
                ),
            }]);
        }
        Ok(Observation {
            data: Some(Box::new(data)),
            ..Observation::text(found.join(" "))
        })
    }

    /// What can be asked for, for messages.
    fn known(&self) -> String {
        let sources = Source::ALL.into_iter();
        let sources = sources.filter(|source| !texts_of(&self.sample, *source).is_empty());
        let mut known: Vec<String> = sources
            .map(|source| format!("{}[...]", source.name()))
            .collect();
        known.push(format!("{RESPOND}[...]"));
        known.join(", ")
    }
}

/// The texts, the best first, with no more than [`MOST_CHARACTERS`] in all when they are joined by blanks, and
/// how many characters were left out. The last texts may be cut, or empty.
fn fitted<'a>(texts: impl ExactSizeIterator<Item = &'a str>) -> (Vec<&'a str>, usize) {
    let blanks = texts.len().saturating_sub(1);
    let mut room = MOST_CHARACTERS.saturating_sub(blanks);
    let mut cut = 0;
    let fitted = texts.map(|text| {
        // Most texts are short: their bytes say already that they fit.
        if text.len() <= room {
            room -= text.chars().count();
            return text;
        }
        let end = text.char_indices().nth(room).map(|(end, _)| end);
        let (kept, rest) = text.split_at(end.unwrap_or(text.len()));
        room -= kept.chars().count();
        cut += rest.chars().count();
        kept
    });
    (fitted.collect(), cut)
}

/// What the source holds; nothing if there is no such source.
fn texts_of(sample: &Sample, source: Source) -> &[String] {
    sample.sources.get(&source).map_or(&[], Vec::as_slice)
}

fn asked_by_call(call: &Call) -> Option<Asked> {
    let text = |name| {
        let text = call.arguments.get(name).and_then(Value::as_str);
        text.unwrap_or_default().trim().to_owned()
    };
    if call.tool == RESPOND {
        let goes_on = call.arguments.get("goes_on").and_then(Value::as_bool);
        return Some(Asked::Respond {
            text: text("text"),
            goes_on: goes_on.unwrap_or(false),
        });
    }
    let (source, _) = Source::named(&call.tool)?;
    let query = text("query");
    Some(Asked::Source { source, query })
}

#[async_trait]
impl Environment for DialogueEnvironment {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        if begun.keep_world {
            return Err(EnvironmentError::OutOfOrder(
                "a dialogue sample is one task and cannot go on with another one; set \
                 strategy.rounds = 1"
                    .to_owned(),
            ));
        }
        self.response = None;
        let last = self.sample.dialogue.last();
        let line = last.map(|said| format!("{}: {}", said.speaker, said.text));
        // The whole dialogue is part of the task; here it only says that the sample has begun.
        let mut line = line.unwrap_or_default();
        if let Some((end, _)) = line.char_indices().nth(MOST_CHARACTERS) {
            line.truncate(end);
        }
        Ok(Observation::text(line))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        match self.asked(action) {
            Some(Asked::Source { source, query }) => self.retrieve(source, &query).await,
            Some(Asked::Respond { text, goes_on }) => {
                self.response.get_or_insert(text);
                Ok(Observation {
                    done: !goes_on,
                    ..Observation::text("OK.")
                })
            }
            None => Ok(Observation::refused(format!(
                "That cannot be done here; what can: {}.",
                self.known()
            ))),
        }
    }

    fn may_call(&mut self, calls: &Calls) {
        self.calls = calls.clone();
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let response = self.response.as_deref().unwrap_or_default();
        let metric = match self.sample.dataset.language() {
            "zh" => F1::CHAR,
            _ => F1::SQUAD,
        };
        Ok(Score {
            success: !response.is_empty(),
            reward: metric.sentence(response, &self.sample.references).f1,
            ..Score::default()
        })
    }
}
