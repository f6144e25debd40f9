//! The world of a dialogue sample: sources that answer queries, and a receiver of the response.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Sample;
use super::cues::says_in_a_row;
use super::retriever::{Index, Retrieval};
use crate::language::{Dataset, Source, Variable, compose_query, resolve_input};
use rolecall_core::domain::{Action, Begun, Call, Observation, Repair, Score, Utterance};
use rolecall_core::ports::model::Calls;
use rolecall_core::ports::{Environment, EnvironmentError};
use rolecall_core::text::bm25::rank;
use rolecall_core::text::joined;
use rolecall_core::text::overlap::F1;

/// The name of the action that gives the response.
pub const RESPOND: &str = "respond";

/// The part of a score's detail that says whether a conversation reached its goal.
pub(super) const GOAL: &str = "goal";

/// The action that gives the response.
pub(super) fn respond(text: &str) -> Action {
    let call = Call { tool: RESPOND.to_owned(), arguments: json!({ "text": text }) };
    Action { text: format!("{RESPOND}[{text}]"), call: Some(Box::new(call)) }
}

/// The texts of a retrieval: in parts, or else as one.
pub(super) fn texts_found(seen: &Observation) -> Vec<&str> {
    let data = seen.data.as_deref();
    match data.and_then(|data| data["texts"].as_array()) {
        Some(parts) => parts.iter().filter_map(Value::as_str).collect(),
        None => vec![&seen.text],
    }
}

/// Most characters of a retrieval, in all its texts together. The texts of the data sets are far shorter; with four
/// bytes each it is as much as `limits.answer_bytes` allows by default.
const MOST_CHARACTERS: usize = 16_384;

/// One sample that is being played.
pub struct DialogueEnvironment {
    sample: Arc<Sample>,
    retrieval: Retrieval,
    /// An index for each source that was asked.
    indices: BTreeMap<Source, Box<dyn Index>>,
    /// The way to the model of a dense retriever.
    calls: Calls,
    /// The response to the sample's context; a conversation has further responses.
    response: Option<String>,
    /// Whether the conversation with a user counts.
    hears: bool,
    /// Whether the goal of the conversation is reached; none where there is no conversation.
    goal: Option<bool>,
}

/// The request of an action.
#[derive(Debug, PartialEq)]
enum Asked {
    /// A query to a source.
    Source { source: Source, query: String },
    /// To take the response; in a conversation others follow.
    Respond { text: String, goes_on: bool },
}

impl DialogueEnvironment {
    /// A world that has not begun.
    pub fn new(sample: Arc<Sample>, retrieval: Retrieval, hears: bool) -> Self {
        Self { sample, retrieval, indices: BTreeMap::new(), calls: Calls::default(), response: None, hears, goal: None }
    }

    fn asked(&self, action: &Action) -> Option<Asked> {
        match &action.call {
            Some(call) => asked_by_call(call, self.sample.dataset),
            None => self.asked_in_words(&action.text),
        }
    }

    /// `PERSONA[input]`, where the dialogue is part of every query, or `respond[text]`.
    fn asked_in_words(&self, text: &str) -> Option<Asked> {
        let (name, rest) = text.trim().split_once('[')?;
        let name = name.trim();
        let input = rest.strip_suffix(']').unwrap_or(rest).trim();
        if name.eq_ignore_ascii_case(RESPOND) {
            let (text, goes_on) = (input.to_owned(), false);
            return Some(Asked::Respond { text, goes_on });
        }
        let (source, _) = self.sample.dataset.source(name)?;
        let input = resolve_input(input, Variable::So, |_| None);
        Some(Asked::Source { source, query: compose_query(&input, &self.sample.utterances(), "") })
    }

    async fn retrieve(&mut self, source: Source, query: &str) -> Result<Observation, EnvironmentError> {
        let texts = self.sample.texts(source);
        if texts.is_empty() {
            return Ok(Observation::refused(format!("There is no source {} here.", source.name())));
        }
        let index = match self.indices.entry(source) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(free) => free.insert(self.retrieval.retriever.index(texts, &self.calls).await?),
        };
        let scores = index.scores(query, &self.calls).await?;
        let mut best = rank(&scores, self.retrieval.ties);
        best.truncate(self.retrieval.top_k);
        let found: Vec<&str> = best.iter().filter_map(|place| texts.get(*place)).map(String::as_str).collect();
        let (found, cut) = fitted(&found);
        let scores: Vec<&f64> = best.iter().filter_map(|place| scores.get(*place)).collect();
        let mut data = json!({
            "source": source.name(),
            "retrieved": best,
            "scores": scores,
            "texts": found,
        });
        if cut > 0 {
            data["repaired"] = json!([Repair {
                code: "text_cut".to_owned(),
                note: format!("{cut} characters were left out at the end: a retrieval gives at most {MOST_CHARACTERS}"),
            }]);
        }
        Ok(Observation { data: Some(Box::new(data)), ..Observation::text(found.join(" ")) })
    }

    /// The known actions, for messages.
    fn known(&self) -> String {
        let sources = self.sample.dataset.sources().filter(|source| !self.sample.texts(*source).is_empty());
        joined(sources.map(Source::name).chain([RESPOND]).map(|name| format!("{name}[...]")))
    }
}

/// The texts, the best first, with no more than [`MOST_CHARACTERS`] in all when they are joined by blanks, and
/// the number of characters that were left out. The last texts may be cut, or empty.
fn fitted<'a>(texts: &[&'a str]) -> (Vec<&'a str>, usize) {
    let blanks = texts.len().saturating_sub(1);
    let mut room = MOST_CHARACTERS.saturating_sub(blanks);
    let mut cut = 0;
    let fitted = texts.iter().map(|text| {
        // Most texts are short: their bytes show already that they fit.
        if text.len() <= room {
            room -= text.chars().count();
            return *text;
        }
        let (kept, rest) = text.split_at(text.char_indices().nth(room).map(|(end, _)| end).unwrap_or(text.len()));
        room -= kept.chars().count();
        cut += rest.chars().count();
        kept
    });
    (fitted.collect(), cut)
}

fn asked_by_call(call: &Call, dataset: Dataset) -> Option<Asked> {
    let text = |name| call.arguments.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    if call.tool == RESPOND {
        let goes_on = call.arguments.get("goes_on") == Some(&Value::Bool(true));
        return Some(Asked::Respond { text: text("text"), goes_on });
    }
    let (source, _) = dataset.source(&call.tool)?;
    Some(Asked::Source { source, query: text("query") })
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
        (self.response, self.goal) = (None, None);
        let last = self.sample.dialogue.last();
        // The whole dialogue is part of the task; here it only says that the sample has begun.
        let mut line = last.map_or_else(String::new, |last| format!("{}: {}", last.speaker, last.text));
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
                if goes_on && self.hears {
                    self.goal.get_or_insert(false);
                }
                Ok(Observation { done: !goes_on, ..Observation::text("OK.") })
            }
            None => Ok(Observation::refused(format!("That cannot be done here; what can: {}.", self.known()))),
        }
    }

    fn may_call(&mut self, calls: &Calls) {
        self.calls = calls.clone();
    }

    async fn hear(&mut self, said: &Utterance, reply: &Utterance) -> Result<Option<Observation>, EnvironmentError> {
        // A question to the user is part of the way to a response.
        if said.response {
            *self.goal.get_or_insert(false) |= is_reached_by(&self.sample, reply);
        }
        Ok(None)
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let response = self.response.as_deref().unwrap_or_default();
        let metric = match self.sample.dataset.language() {
            "zh" => F1::CHAR,
            _ => F1::SQUAD,
        };
        Ok(Score {
            success: !response.is_empty() && self.goal.unwrap_or(true),
            reward: metric.sentence(response, &self.sample.references).f1,
            detail: self.goal.map_or(Value::Null, |goal| json!({ GOAL: goal })),
        })
    }
}

/// Whether the user's words reach the goal of a conversation that goes on from the sample.
///
/// TPE scores single responses and says nothing of whole conversations; the goal of each data set:
///
/// - CIMA: the student says the right sentence (its picture in words: relation, thing and colour). If it has said it
///   before the conversation begins, or its sentence is unknown, it is to leave with its answer confirmed.
/// - PsyQA: the client leaves because its concern is met; FoCus: the visitor leaves with its questions answered. Only
///   they can tell, and say so as they leave ([`Utterance::satisfied`]).
fn is_reached_by(sample: &Sample, reply: &Utterance) -> bool {
    let said = |text: &str| sample.goals.iter().any(|goal| says_in_a_row(text, goal));
    let is_new = !sample.utterances().last().is_some_and(|text| said(text));
    (is_new && said(&reply.text)) || (reply.leaving && reply.satisfied && (!is_new || sample.goals.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Utterance as Said;
    use crate::language::Dataset;

    #[test]
    fn each_data_set_has_a_goal_of_its_own() {
        let lesson = |said: &str, goals: &[&str]| Sample {
            goals: goals.iter().map(|goal| (*goal).to_owned()).collect(),
            ..Sample::new("x".to_owned(), Dataset::Cima, vec![Said::new("Student", said)])
        };
        let goal = "dietro l'albero verde";
        let (open, known) = (lesson("What is tree?", &[goal]), lesson("\u{c8} dietro l'albero verde?", &[goal]));
        let unknown = lesson("What is tree?", &[]);
        let content = Utterance::leaving("Thank you!", true);
        let table = [
            (&open, Utterance::text("Is it il cane \u{e8} Dietro l\u{2019}albero verde?"), true),
            (&open, Utterance::text("dietro l'albero rosso, or dietro il verde"), false),
            (&open, Utterance::leaving("dietro l'albero verde, bye", false), true),
            // The right sentence reaches it; believing so does not.
            (&open, content.clone(), false),
            (&known, Utterance::text("dietro l'albero verde?"), false),
            (&known, content.clone(), true),
            (&unknown, content.clone(), true),
            (&unknown, Utterance::leaving("Bye.", false), false),
            (&unknown, Utterance::text("Thank you!"), false),
        ];
        for (sample, reply, expected) in table {
            assert_eq!(is_reached_by(sample, &reply), expected, "{reply:?}");
        }
        let visitor = Sample::new("x".to_owned(), Dataset::Focus, vec![Said::new("USER", "What is this?")]);
        assert!(is_reached_by(&visitor, &content));
    }
}
