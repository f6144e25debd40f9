//! Scoring with `echo` and `logprobs` on `/v1/completions`: all candidates in one request (vLLM).
//! Conversations are scored over `prompt_logprobs` of `/v1/chat/completions`, one request for each
//! candidate, since only the server can render them.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{finite, for_good, unsupported};
use crate::domain::{CandidateScore, ModelReply, Usage};
use crate::models::openai::body::read_scoring;
use crate::models::openai::failure::malformed;
use crate::models::openai::http::CountedHttp;
use crate::models::openai::reply::whole;
use crate::models::openai::wire::{WireChoice, WireReply};
use crate::models::{Attempt, Failed};
use crate::ports::model::{ChatMessage, ChatRole, Prompt, Scoring};

/// A token of a text with its log-probability; the first token of all has none.
struct Token {
    text: String,
    logprob: Option<f64>,
}

/// Scores the candidates of an encoded request.
pub(crate) async fn by_echo(http: &mut CountedHttp<'_>, body: &Bytes) -> Result<Attempt, Failed> {
    let scoring = read_scoring(body).map_err(for_good)?;
    let mut echo = Echo { model: &http.server.settings.profile.model, http, usage: Usage::default(), cached_tokens: 0 };
    let scores = match &scoring.prompt {
        Prompt::Text(prompt) => echo.texts(prompt, &scoring).await?,
        Prompt::Chat(messages) => echo.conversations(messages, &scoring).await?,
    };
    Ok(Attempt {
        cached_tokens: echo.cached_tokens,
        ..Attempt::of(ModelReply { scores: finite(scores)?, usage: echo.usage, ..ModelReply::default() })
    })
}

struct Echo<'a, 'h> {
    http: &'a mut CountedHttp<'h>,
    model: &'a str,
    usage: Usage,
    cached_tokens: u64,
}

impl Echo<'_, '_> {
    async fn texts(&mut self, prompt: &str, scoring: &Scoring) -> Result<Vec<CandidateScore>, Failed> {
        let joined = scoring.candidates.iter().map(|candidate| format!("{prompt}{candidate}"));
        let echoed = self.echoed(&joined.collect::<Vec<_>>()).await?;
        let mut scores = Vec::with_capacity(echoed.len());
        // Tokens of the prompt alone; asked for when a token spans the border.
        let mut alone: Option<Vec<Token>> = None;
        for (tokens, candidate) in echoed.iter().zip(&scoring.candidates) {
            let score = match border(tokens, candidate) {
                Some(start) => sum(&tokens[start..]),
                None => {
                    let prompts = [prompt.to_owned()];
                    let alone = match &mut alone {
                        Some(alone) => alone,
                        unknown => {
                            let echoed = self.echoed(&prompts).await?;
                            unknown.insert(echoed.into_iter().next().unwrap_or_default())
                        }
                    };
                    added(alone, tokens)
                }
            };
            let score = score.ok_or_else(|| {
                let text = "the first token of a text has no log-probability: \
                            give the candidates a prompt";
                unsupported(text)
            })?;
            scores.push(score);
        }
        Ok(scores)
    }

    /// The tokens of each text.
    async fn echoed(&mut self, texts: &[String]) -> Result<Vec<Vec<Token>>, Failed> {
        let body = json!({
            "model": self.model,
            "prompt": texts,
            "echo": true,
            "logprobs": 1,
            "max_tokens": 0,
            "temperature": 0,
        });
        let url = self.http.server.address().versioned("completions");
        let reply: WireReply = self.http.ask(&url, body.to_string().into()).await?;
        self.add_usage(reply.usage.as_ref());
        let mut choices = reply.choices.unwrap_or_default();
        choices.sort_by_key(|choice| choice.index);
        if choices.len() != texts.len() {
            let text = format!("{} of {} texts came back", choices.len(), texts.len());
            return Err(malformed(text));
        }
        let tokens = choices.into_iter().zip(texts).map(|(choice, text)| echoed_tokens(choice, text));
        let ignored = "the server ignores `echo` (`scoring = \"echo_logprobs\"` is not true of it)";
        let tokens: Option<_> = tokens.collect();
        tokens.ok_or_else(|| unsupported(ignored))
    }

    async fn conversations(
        &mut self,
        messages: &[ChatMessage],
        scoring: &Scoring,
    ) -> Result<Vec<CandidateScore>, Failed> {
        let url = self.http.server.address().versioned("chat/completions");
        let mut scores = Vec::with_capacity(scoring.candidates.len());
        for candidate in &scoring.candidates {
            let mut messages = messages.to_vec();
            messages.push(ChatMessage::new(ChatRole::Assistant, candidate));
            let body = json!({
                "model": self.model,
                "messages": messages,
                "max_tokens": 1,
                "temperature": 0,
                "prompt_logprobs": 0,
                "add_generation_prompt": false,
                "continue_final_message": true,
            });
            let reply: PromptReply = self.http.ask(&url, body.to_string().into()).await?;
            self.add_usage(reply.usage.as_ref());
            let Some(tokens) = reply.prompt_logprobs else {
                let text = "the server ignores `prompt_logprobs`: it scores texts only";
                return Err(unsupported(text));
            };
            let tokens: Vec<Token> = tokens.into_iter().map(prompt_token).collect();
            let start = border(&tokens, candidate);
            let score = start.and_then(|start| sum(&tokens[start..])).ok_or_else(|| {
                let text = "the candidate's tokens do not stand at the end of the conversation \
                            as the server renders it";
                unsupported(text)
            })?;
            scores.push(score);
        }
        Ok(scores)
    }

    fn add_usage(&mut self, usage: Option<&Value>) {
        let count = |path: &str| usage.and_then(|usage| whole(usage.pointer(path)?));
        self.usage.prompt += count("/prompt_tokens").unwrap_or(0);
        self.usage.completion += count("/completion_tokens").unwrap_or(0);
        self.cached_tokens += count("/prompt_tokens_details/cached_tokens").unwrap_or(0);
    }
}

#[derive(Deserialize)]
struct PromptReply {
    prompt_logprobs: Option<Vec<Option<Map<String, Value>>>>,
    usage: Option<Value>,
}

/// A token of a conversation: the first of the alternatives is the one that stands there.
fn prompt_token(alternatives: Option<Map<String, Value>>) -> Token {
    let first = alternatives.as_ref().and_then(|all| all.values().next());
    let text = first.and_then(|first| first.get("decoded_token")?.as_str());
    Token { text: text.unwrap_or_default().to_owned(), logprob: first.and_then(|first| first.get("logprob")?.as_f64()) }
}

/// The tokens of a text that came back, without what was generated after it; none if the text did
/// not come back.
fn echoed_tokens(choice: WireChoice, text: &str) -> Option<Vec<Token>> {
    let came = choice.text?;
    let mut generated = came.strip_prefix(text)?;
    let logprobs = choice.logprobs?;
    let pairs =
        logprobs.tokens?.into_iter().zip(logprobs.token_logprobs?).map(|(text, logprob)| Token { text, logprob });
    let mut tokens: Vec<Token> = pairs.collect();
    // Also an end of text, which shows as nothing.
    while let Some(last) = tokens.last() {
        if generated.is_empty() && !last.text.is_empty() {
            break;
        }
        generated = generated.strip_suffix(last.text.as_str())?;
        tokens.pop();
    }
    Some(tokens)
}

/// The start of the candidate's tokens, if its first letter begins a token. Found from the end, so
/// that special tokens at the start do not matter.
fn border(tokens: &[Token], candidate: &str) -> Option<usize> {
    let mut left = candidate;
    let mut start = tokens.len();
    while !left.is_empty() {
        start = start.checked_sub(1)?;
        left = left.strip_suffix(tokens[start].text.as_str())?;
    }
    Some(start)
}

fn sum(tokens: &[Token]) -> Option<CandidateScore> {
    let logprobs = tokens.iter().map(|token| token.logprob);
    Some(CandidateScore {
        logprob: logprobs.sum::<Option<f64>>()?,
        tokens: u32::try_from(tokens.len()).unwrap_or(u32::MAX),
    })
}

/// The candidate's addition to the prompt's log-probability, where a token spans the border: both
/// texts from the first token that differs.
fn added(prompt: &[Token], joined: &[Token]) -> Option<CandidateScore> {
    let same = prompt.iter().zip(joined).take_while(|(one, other)| one.text == other.text);
    let same = same.count();
    let without = sum(&prompt[same..])?;
    let with = sum(&joined[same..])?;
    Some(CandidateScore { logprob: with.logprob - without.logprob, tokens: with.tokens })
}
