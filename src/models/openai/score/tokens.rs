//! Scoring token by token, over llama.cpp's own routes.
//!
//! The next token is forced with a bias; the log-probability that comes with it is the one before
//! the bias. Candidates that begin with the same tokens share those requests.

use std::collections::HashMap;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Counted, finite, unsent};
use crate::domain::{CandidateScore, ModelReply, Usage};
use crate::models::openai::body::read_scoring;
use crate::models::openai::failure::malformed;
use crate::models::openai::http::Http;
use crate::models::openai::reply::whole;
use crate::models::{Attempt, Failed};
use crate::ports::model::{ModelSettings, Prompt};

/// Larger than any difference of log-probabilities.
const FORCE: u32 = 1000;
/// A text of one token, or of few, whose pieces are whole letters in every vocabulary.
const PLAIN: &str = "a";
/// Alternatives that are asked for where the vocabulary's size is not known.
const WHOLE_VOCABULARY: u64 = 300_000;

#[derive(Deserialize)]
struct Tokens {
    tokens: Vec<u32>,
}

#[derive(Deserialize)]
struct Template {
    prompt: String,
}

#[derive(Deserialize)]
struct Step {
    #[serde(default)]
    completion_probabilities: Vec<Probability>,
    timings: Option<Value>,
}

#[derive(Deserialize)]
struct Probability {
    id: u32,
    logprob: Option<f64>,
    #[serde(default)]
    top_logprobs: Vec<Probability>,
}

/// Scores the candidates of an encoded request.
pub(crate) async fn by_tokens(
    http: &Http,
    settings: &ModelSettings,
    body: &Bytes,
) -> Result<Attempt, Failed> {
    let scoring = read_scoring(body).map_err(unsent)?;
    let mut walk = Walk {
        asked: Counted::new(http),
        settings,
        known: HashMap::new(),
        cached: 0,
    };
    let text = match &scoring.prompt {
        Prompt::Text(text) => text.clone(),
        Prompt::Chat(messages) => {
            let url = http.address().own("apply-template");
            let template: Template = walk.asked.ask(&url, &json!({"messages": messages})).await?;
            template.prompt
        }
    };
    let prompt = walk.tokenize(&text, true).await?;
    let mut scores = Vec::with_capacity(scoring.candidates.len());
    let mut usage = Usage::default();
    for candidate in &scoring.candidates {
        let tokens = walk.tokenize(candidate, false).await?;
        usage.prompt += (prompt.len() + tokens.len()) as u64;
        scores.push(walk.score(&prompt, &tokens).await?);
    }
    let scores = finite(scores).map_err(|failed| walk.asked.count(failed))?;
    Ok(Attempt {
        reply: ModelReply {
            scores,
            usage,
            ..ModelReply::default()
        },
        requests: walk.asked.requests,
        cached_tokens: walk.cached,
    })
}

struct Walk<'a> {
    asked: Counted<'a>,
    settings: &'a ModelSettings,
    /// Log-probabilities of last tokens, by all tokens after the prompt.
    known: HashMap<Vec<u32>, f64>,
    cached: u64,
}

impl Walk<'_> {
    async fn tokenize(&mut self, text: &str, is_start: bool) -> Result<Vec<u32>, Failed> {
        let url = self.asked.http.address().own("tokenize");
        let body = json!({"content": text, "add_special": is_start});
        let tokens: Tokens = self.asked.ask(&url, &body).await?;
        Ok(tokens.tokens)
    }

    async fn score(&mut self, prompt: &[u32], tokens: &[u32]) -> Result<CandidateScore, Failed> {
        let mut score = CandidateScore::default();
        let mut path = Vec::with_capacity(tokens.len());
        for token in tokens {
            let context = [prompt, &path].concat();
            path.push(*token);
            let logprob = match self.known.get(&path) {
                Some(logprob) => *logprob,
                None => {
                    let logprob = self.step(&context, *token).await?;
                    self.known.insert(path.clone(), logprob);
                    logprob
                }
            };
            score.logprob += logprob;
            score.tokens += 1;
        }
        Ok(score)
    }

    /// The log-probability of a token after others.
    async fn step(&mut self, context: &[u32], token: u32) -> Result<f64, Failed> {
        let forced = self.complete(context, token, 1).await?;
        match forced.completion_probabilities.first() {
            Some(first) if first.id == token => self.logprob(first.logprob),
            Some(_) => {
                let text = "the server forces no token: it ignores `logit_bias`";
                Err(self.asked.unsupported(text))
            }
            // A piece that ends within a letter comes without probabilities.
            None => self.step_among_all(context, token).await,
        }
    }

    /// The same by forcing a piece of whole letters, and looking among all alternatives.
    async fn step_among_all(&mut self, context: &[u32], token: u32) -> Result<f64, Failed> {
        let Some(plain) = self.tokenize(PLAIN, false).await?.first().copied() else {
            return Err(self.asked.unsupported("the server knows no plain letter"));
        };
        let count = self.vocabulary().await;
        let step = self.complete(context, plain, count).await?;
        let first = step.completion_probabilities.into_iter().next();
        let among = first.map(|first| first.top_logprobs).unwrap_or_default();
        match among.iter().find(|other| other.id == token) {
            Some(found) => self.logprob(found.logprob),
            None => {
                let text = "the server gives no probability for a piece that ends within a letter";
                Err(self.asked.unsupported(text))
            }
        }
    }

    async fn complete(&mut self, context: &[u32], token: u32, count: u64) -> Result<Step, Failed> {
        let mut body = json!({
            "prompt": context,
            "n_predict": 1,
            "n_probs": count,
            "temperature": 0,
            "logit_bias": [[token, FORCE]],
            "cache_prompt": true,
        });
        if let Some(fields) = body.as_object_mut() {
            for name in ["id_slot", "lora"] {
                let own = self.settings.extra_body.get(name);
                fields.extend(own.map(|value| (name.to_owned(), value.clone())));
            }
        }
        let url = self.asked.http.address().own("completion");
        let step: Step = self.asked.ask(&url, &body).await?;
        let cached = step
            .timings
            .as_ref()
            .and_then(|timings| timings.get("cache_n"));
        self.cached += cached.and_then(whole).unwrap_or(0);
        Ok(step)
    }

    /// The number of tokens that the model knows.
    async fn vocabulary(&mut self) -> u64 {
        let url = self.asked.http.address().versioned("models");
        self.asked.requests += 1;
        let answer = self.asked.http.get(&url).await.ok();
        let body = answer.and_then(|answer| self.asked.http.accepted(answer).ok());
        let models: Option<Value> = body.and_then(|body| super::read(&body).ok());
        let size = models.and_then(|models| models.pointer("/data/0/meta/n_vocab")?.as_u64());
        size.unwrap_or(WHOLE_VOCABULARY)
    }

    fn logprob(&self, logprob: Option<f64>) -> Result<f64, Failed> {
        let finite = logprob.filter(|logprob| logprob.is_finite());
        finite.ok_or_else(|| {
            self.asked
                .count(malformed("a token without log-probability"))
        })
    }
}
