//! Scoring token by token, over llama.cpp's own routes.
//!
//! The next token is forced with a bias; the log-probability that comes with it is the one before
//! the bias. Candidates that begin with the same tokens share those requests.

use std::collections::HashMap;

use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{finite, for_good, unsupported};
use crate::domain::{CandidateScore, ModelReply, Usage};
use crate::models::openai::body::read_scoring;
use crate::models::openai::embed::tokenize;
use crate::models::openai::failure::{malformed, read};
use crate::models::openai::http::CountedHttp;
use crate::models::openai::reply::whole;
use crate::models::{Attempt, Failed};
use crate::ports::model::Prompt;

/// Larger than any difference of log-probabilities.
const FORCE: u32 = 1000;
/// A text of one token, or of few, whose pieces are whole letters in every vocabulary.
const PLAIN: &str = "a";
/// Alternatives that are asked for where the vocabulary's size is not known.
const WHOLE_VOCABULARY: u64 = 300_000;

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
pub(crate) async fn by_tokens(http: &mut CountedHttp<'_>, body: &Bytes) -> Result<Attempt, Failed> {
    let scoring = read_scoring(body).map_err(for_good)?;
    let mut walk = Walk { http, known: HashMap::new(), cached_tokens: 0 };
    let text = match &scoring.prompt {
        Prompt::Text(text) => text.clone(),
        Prompt::Chat(messages) => {
            let body = json!({"messages": messages});
            let template: Template = walk.ask("apply-template", &body).await?;
            template.prompt
        }
    };
    let prompt = tokenize(walk.http, &text, true).await?;
    let mut scores = Vec::with_capacity(scoring.candidates.len());
    let mut usage = Usage::default();
    for candidate in &scoring.candidates {
        let tokens = tokenize(walk.http, candidate, false).await?;
        usage.prompt += (prompt.len() + tokens.len()) as u64;
        scores.push(walk.score(&prompt, &tokens).await?);
    }
    Ok(Attempt {
        cached_tokens: walk.cached_tokens,
        ..Attempt::of(ModelReply { scores: finite(scores)?, usage, ..ModelReply::default() })
    })
}

struct Walk<'a, 'h> {
    http: &'a mut CountedHttp<'h>,
    /// Log-probabilities of last tokens, by all tokens after the prompt.
    known: HashMap<Vec<u32>, f64>,
    cached_tokens: u64,
}

impl Walk<'_, '_> {
    /// Asks on a route of the server's own.
    async fn ask<T: DeserializeOwned>(&mut self, route: &str, body: &Value) -> Result<T, Failed> {
        let url = self.http.server.address().own(route);
        self.http.ask(&url, body.to_string().into()).await
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
            Some(first) if first.id == token => finite_logprob(first.logprob),
            Some(_) => Err(unsupported("the server forces no token: it ignores `logit_bias`")),
            // A piece that ends within a letter comes without probabilities.
            None => self.step_among_all(context, token).await,
        }
    }

    /// The log-probability of a token, by forcing a piece of whole letters and looking among all alternatives.
    async fn step_among_all(&mut self, context: &[u32], token: u32) -> Result<f64, Failed> {
        let Some(plain) = tokenize(self.http, PLAIN, false).await?.first().copied() else {
            return Err(unsupported("the server knows no plain letter"));
        };
        let count = self.vocabulary().await;
        let step = self.complete(context, plain, count).await?;
        let first = step.completion_probabilities.into_iter().next();
        let among = first.map(|first| first.top_logprobs).unwrap_or_default();
        match among.iter().find(|other| other.id == token) {
            Some(found) => finite_logprob(found.logprob),
            None => Err(unsupported("the server gives no probability for a piece that ends within a letter")),
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
                let setting = self.http.server.settings.extra_body.get(name);
                fields.extend(setting.map(|value| (name.to_owned(), value.clone())));
            }
        }
        let step: Step = self.ask("completion", &body).await?;
        let timings = step.timings.as_ref();
        let cached = timings.and_then(|timings| whole(timings.get("cache_n")?));
        self.cached_tokens += cached.unwrap_or(0);
        Ok(step)
    }

    /// The number of tokens that the model knows.
    async fn vocabulary(&mut self) -> u64 {
        self.http.requests += 1;
        let http = self.http.server;
        let answer = http.get(&http.address().versioned("models")).await.ok();
        let body = answer.and_then(|answer| http.accepted(answer).ok());
        let models: Option<Value> = body.and_then(|body| read(&body).ok());
        models.and_then(|models| models.pointer("/data/0/meta/n_vocab")?.as_u64()).unwrap_or(WHOLE_VOCABULARY)
    }
}

fn finite_logprob(logprob: Option<f64>) -> Result<f64, Failed> {
    logprob.filter(|logprob| logprob.is_finite()).ok_or_else(|| malformed("a token without log-probability"))
}
