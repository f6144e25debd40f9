//! A model that answers from a file: for tests, demonstrations and replays by hand.
//!
//! The file is JSON Lines; every line is the reply to one call:
//!
//! ```json
//! {"seat": "executor", "text": "Act: go to desk 1"}
//! {"seat": "executor", "again": true, "text": "Think: that was not understood"}
//! {"seat": "user", "contains": ["Where", "mug"], "text": "In the cabinet."}
//! {"seat": "executor", "contains": "choose", "scores": {"look": -1.5, "go to desk 1": -4}}
//! ```
//!
//! - `seat`: who calls; a line without it is for every seat that no line without `contains` names.
//! - `contains`: a text, or several, that the prompt must hold. The first such line that fits a
//!   call answers it, whatever its turn.
//! - The other lines of a seat are its replies in order: the n-th turn (from 0, counted over the
//!   whole episode) gets the n-th line. A turn that calls more often gets the lines with
//!   `"again": true` that follow its own.
//! - The reply is one of `text`, `texts` (several completions), `tools` (calls of tools: objects with
//!   `name` and `arguments`), or `scores` (log-probabilities by candidate, which needs no line end); `finish`
//!   says why it ends (`stop` if it is left out, or `length`, `tool_calls`, `content_filter`, `other`).
//!
//! Every attempt at a turn gets the same reply: it is a function of the seat, the turn's number and
//! the prompt. Empty lines are skipped; tokens are estimated.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::transport::{Attempt, Failed, FirstByte, ServedModel, Transport, estimated};
use crate::domain::{CandidateScore, Choice, Finish, ModelReply, Seat, ToolCall};
use crate::files;
use crate::ports::model::{EncodedRequest, ModelProfile, ModelRequest, ModelSettings, Prompt, RequestHash};
use crate::ports::{ModelError, SetupError};
use crate::text::{counted, json};

/// The largest file of replies, in bytes.
const LARGEST_SCRIPT: u64 = 64 << 20;
/// The endpoint of all requests.
const ENDPOINT: &str = "script";
/// The tokens of an answer that a request does not bound, for limits by token.
const ANSWER_TOKENS: u64 = 256;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedReply {
    seat: Option<Seat>,
    contains: Option<Texts>,
    #[serde(default)]
    again: bool,
    text: Option<String>,
    #[serde(default)]
    texts: Vec<String>,
    #[serde(default)]
    tools: Vec<ToolCall>,
    #[serde(default)]
    scores: BTreeMap<String, f64>,
    #[serde(default)]
    finish: Finish,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Several(Vec<String>),
}

/// The answer of a line.
#[derive(Clone, Debug)]
enum Answer {
    Choices(Vec<Choice>),
    Scores(BTreeMap<String, f64>),
}

/// A line that fits certain prompts.
#[derive(Debug)]
struct Fitting {
    seat: Option<Seat>,
    contains: Vec<String>,
    answer: Answer,
}

/// The answers of one turn, by call.
type TurnAnswers = Vec<Answer>;

/// A file of replies.
#[derive(Debug, Default)]
struct Script {
    fitting: Vec<Fitting>,
    /// The answers in order, by seat; those without a seat under none.
    in_order: BTreeMap<Option<Seat>, Vec<TurnAnswers>>,
}

/// A request as it is "sent".
#[derive(Serialize, Deserialize)]
struct Body {
    model: String,
    prompt: Prompt,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
}

/// A call by the parts of its key that count.
struct Called<'a> {
    seat: &'a str,
    turn: usize,
    call: usize,
}

impl Script {
    fn parse(text: &str) -> Result<Self, String> {
        let mut script = Self::default();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let number = number + 1;
            let line: ScriptedReply = json::read(line).map_err(|error| {
                let column = error.column();
                format!("line {number}, column {column}: {}", json::reason(&error))
            })?;
            let added = script.add(line);
            added.map_err(|problem| format!("line {number}: {problem}"))?;
        }
        Ok(script)
    }

    fn add(&mut self, mut line: ScriptedReply) -> Result<(), String> {
        let seat = line.seat.take();
        let contains = line.contains.take();
        let again = line.again;
        let answer = line.answer()?;
        if let Some(contains) = contains {
            if again {
                return Err("`again` belongs to lines without `contains`".to_owned());
            }
            let contains = match contains {
                Texts::One(text) => vec![text],
                Texts::Several(texts) => texts,
            };
            self.fitting.push(Fitting { seat, contains, answer });
            return Ok(());
        }
        let turns = self.in_order.entry(seat).or_default();
        match turns.last_mut() {
            Some(turn) if again => turn.push(answer),
            None if again => return Err("`again`, but no line of the seat before it".to_owned()),
            _ => turns.push(vec![answer]),
        }
        Ok(())
    }

    /// The answer to a call, or what is missing.
    fn answer(&self, called: &Called<'_>, prompt: &Prompt) -> Result<&Answer, String> {
        let texts: Vec<&str> = match prompt {
            Prompt::Chat(messages) => messages.iter().map(|said| &*said.content).collect(),
            Prompt::Text(text) => vec![text],
        };
        let holds = |part: &String| texts.iter().any(|text| text.contains(part.as_str()));
        let is_for = |seat: &Option<Seat>| match seat {
            Some(seat) => seat.as_str() == called.seat,
            None => true,
        };
        let fits = |line: &&Fitting| is_for(&line.seat) && line.contains.iter().all(holds);
        if let Some(line) = self.fitting.iter().find(fits) {
            return Ok(&line.answer);
        }
        let named = |seat: &&Option<Seat>| seat.is_some() && is_for(seat);
        let seat = self.in_order.keys().find(named).unwrap_or(&None);
        let turns = self.in_order.get(seat).map_or(&[][..], Vec::as_slice);
        let turn = turns.get(called.turn).ok_or_else(|| {
            let answers = counted(turns.len() as u64, "turn", "turns");
            let (seat, turn) = (called.seat, called.turn + 1);
            format!("the script answers {answers} of `{seat}` and this is turn {turn}: add a line")
        })?;
        turn.get(called.call).ok_or_else(|| {
            let answers = counted(turn.len() as u64, "call", "calls");
            let (seat, turn, call) = (called.seat, called.turn + 1, called.call + 1);
            format!(
                "the script answers {answers} of turn {turn} of `{seat}` and this is call {call}: \
                 add a line with \"again\": true"
            )
        })
    }
}

impl ScriptedReply {
    fn answer(self) -> Result<Answer, String> {
        let choice = |text: String| Choice { text, finish: self.finish, ..Choice::default() };
        let has = [self.text.is_some(), !self.texts.is_empty(), !self.tools.is_empty(), !self.scores.is_empty()];
        Ok(match has {
            [false, false, false, true] => Answer::Scores(self.scores),
            [false, false, true, false] => {
                Answer::Choices(vec![Choice { tool_calls: self.tools, ..choice(String::new()) }])
            }
            [true, false, false, false] | [false, true, false, false] => {
                let texts = self.text.into_iter().chain(self.texts);
                Answer::Choices(texts.map(choice).collect())
            }
            _ => return Err("write one of `text`, `texts`, `tools` and `scores`".to_owned()),
        })
    }
}

impl<'a> Called<'a> {
    /// Reads `episode/seat/turn/attempt/call`.
    fn of(key: &'a str) -> Option<Self> {
        let mut parts = key.split('/').skip(1);
        let (seat, turn, _, call) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some(Self { seat, turn: turn.parse().ok()?, call: call.parse().ok()? })
    }
}

/// The transport to a script.
struct Scripted {
    script: Script,
    served: ServedModel,
    profile: ModelProfile,
}

/// Reads the file, once per run.
pub(super) fn transport(settings: &ModelSettings) -> Result<Arc<dyn Transport>, SetupError> {
    let missing = || SetupError::at("script", "name the file with the replies");
    let file: &Path = settings.script.as_deref().ok_or_else(missing)?;
    let failed = |problem: String| SetupError::at("script", format!("`{}`: {problem}", file.display()));
    let bytes = files::read_text(file, LARGEST_SCRIPT).map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        failed(format!("not UTF-8: the bytes from {valid} on are no text"))
    })?;
    let fingerprint = RequestHash::of(&[text.as_bytes()]).to_string();
    let served = ServedModel { name: settings.profile.model.clone(), fingerprint };
    Ok(Arc::new(Scripted { script: Script::parse(&text).map_err(failed)?, profile: settings.profile.clone(), served }))
}

#[async_trait]
impl Transport for Scripted {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        let model = self.profile.model.clone();
        let (prompt, candidates, seed, answer) = match request {
            ModelRequest::Complete(asked) => {
                let answer = asked.max_tokens.map(u64::from);
                (&asked.prompt, None, asked.seed, answer)
            }
            ModelRequest::Score(asked) => (&asked.prompt, Some(&asked.candidates), None, Some(0)),
        };
        let body = Body { model, prompt: prompt.clone(), candidates: candidates.cloned(), seed };
        let tokens = self.profile.tokens(body.prompt.bytes());
        let body = serde_json::to_vec(&body).map_err(|error| ModelError::BadRequest(error.to_string()))?;
        Ok(EncodedRequest {
            choices: 1,
            hash: RequestHash::of(&[ENDPOINT.as_bytes(), &body]),
            endpoint: ENDPOINT,
            body: body.into(),
            estimated_tokens: tokens + answer.unwrap_or(ANSWER_TOKENS),
        })
    }

    async fn served(&self) -> Result<Option<ServedModel>, Failed> {
        Ok(Some(self.served.clone()))
    }

    async fn attempt(
        &self,
        request: &EncodedRequest,
        key: &str,
        _: &str,
        _: &FirstByte<'_>,
    ) -> Result<Attempt, Failed> {
        match self.reply(&request.body, key) {
            Ok(reply) => Ok(Attempt { requests: 1, ..Attempt::of(reply) }),
            Err(error) => Err(Failed { error, retry: None, after: None, is_there: true, requests: 1, answered: false }),
        }
    }
}

impl Scripted {
    fn reply(&self, body: &[u8], key: &str) -> Result<ModelReply, ModelError> {
        let bad = |text: String| ModelError::BadRequest(text);
        let body: Body = serde_json::from_slice(body).map_err(|error| bad(error.to_string()))?;
        let called = Called::of(key).ok_or_else(|| bad("a call without a key".to_owned()))?;
        let answer = self.script.answer(&called, &body.prompt).map_err(bad)?;
        let mut reply = ModelReply::default();
        match (answer, body.candidates) {
            (Answer::Choices(choices), None) => reply.choices.clone_from(choices),
            (Answer::Scores(scores), Some(candidates)) => {
                let score = |candidate: &String| {
                    let missing = || bad(format!("the script has no score of `{candidate}`"));
                    let tokens = self.profile.tokens(candidate.len());
                    let known = scores.get(candidate).or_else(|| scores.get(candidate.strip_suffix('\n')?));
                    Ok(CandidateScore {
                        logprob: *known.ok_or_else(missing)?,
                        tokens: u32::try_from(tokens).unwrap_or(u32::MAX),
                    })
                };
                let scored: Result<_, ModelError> = candidates.iter().map(score).collect();
                reply.scores = scored?;
            }
            (Answer::Choices(_), Some(_)) => {
                return Err(bad("scores are asked for; write `scores`".to_owned()));
            }
            (Answer::Scores(_), None) => {
                return Err(bad("a text is asked for, not scores".to_owned()));
            }
        }
        reply.usage = estimated(&self.profile, body.prompt.bytes(), &reply);
        Ok(reply)
    }
}

#[cfg(test)]
#[path = "scripted_tests.rs"]
mod tests;
