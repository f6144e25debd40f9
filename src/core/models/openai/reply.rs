//! From what a server writes to a [`ModelReply`].

use serde_json::Value;

use super::clean::clean;
use super::failure::{Said, failed, lost, malformed};
use super::json::parse;
use super::wire::{WireChoice, WireLogprobs, WireReply, WireToolCall, texts_within};
use crate::domain::{Choice, Finish, ModelReply, TokenLogprob, ToolCall, Usage};
use crate::models::{Attempt, Failed};
use crate::ports::ModelError;
use crate::ports::model::RetryReason;

/// No server is asked for more completions, or sends more calls of tools in one.
const MOST: usize = 1024;
/// No call takes more tokens; a larger count would spoil every sum.
const MOST_TOKENS: u64 = 1 << 32;

/// A reply that grows with what comes: one body, or the events of a stream.
#[derive(Debug)]
pub(crate) struct Growing {
    choices: Vec<GrowingChoice>,
    /// A list of completions came that holds none.
    held_none: bool,
    /// The most bytes of a completion that anybody keeps. One byte more shows that there was more.
    most: usize,
    usage: Option<Usage>,
    /// The cost that the provider states.
    billed: Option<f64>,
    cached_tokens: u64,
    prompt_token_ids: Vec<u32>,
    model: Option<String>,
    fingerprint: Option<String>,
}

#[derive(Debug, Default)]
struct GrowingChoice {
    choice: Choice,
    finished: bool,
    /// It says that the window is full, and holds nothing.
    is_out_of_room: bool,
    refusal: String,
    tool_calls: Vec<GrowingCall>,
}

#[derive(Debug, Default)]
struct GrowingCall {
    index: Option<u32>,
    name: String,
    arguments: String,
}

impl Growing {
    /// A reply of whose completions so many bytes are kept at most.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            choices: Vec::new(),
            held_none: false,
            most,
            usage: None,
            billed: None,
            cached_tokens: 0,
            prompt_token_ids: Vec::new(),
            model: None,
            fingerprint: None,
        }
    }

    /// Takes in a body, or the data of an event. `secrets` are kept out of errors.
    pub(crate) fn take(&mut self, wire: WireReply, secrets: &[&str]) -> Result<(), Failed> {
        if let Some(error) = wire.error.filter(|error| !error.is_null()) {
            return Err(upstream(error, secrets));
        }
        self.model = self.model.take().or_else(|| named(wire.model));
        self.fingerprint = self.fingerprint.take().or_else(|| named(wire.system_fingerprint));
        let mut ids = wire.prompt_token_ids;
        self.held_none |= wire.choices.as_ref().is_some_and(Vec::is_empty);
        for (place, mut choice) in wire.choices.unwrap_or_default().into_iter().enumerate() {
            ids = ids.or(choice.prompt_token_ids.take());
            if let Some(error) = choice.error.take().filter(|error| !error.is_null()) {
                return Err(upstream(error, secrets));
            }
            self.take_choice(place, choice)?;
        }
        self.prompt_token_ids = ids.unwrap_or(std::mem::take(&mut self.prompt_token_ids));
        if let Some(usage) = wire.usage.as_ref() {
            self.usage = read_usage(usage).or(self.usage);
            self.billed = read_cost(usage).or(self.billed);
            let details = usage.get("prompt_tokens_details");
            let cached = details.and_then(|details| whole(details.get("cached_tokens")?));
            self.cached_tokens = cached.unwrap_or(self.cached_tokens);
        }
        if let Some(timings) = wire.timings.as_ref().filter(|_| self.cached_tokens == 0) {
            self.cached_tokens = timings.get("cache_n").and_then(whole).unwrap_or(0);
        }
        Ok(())
    }

    /// Whether something of a text, of its thinking or of a call came.
    pub(crate) fn has_begun(&self) -> bool {
        let begun = |choice: &GrowingChoice| {
            let GrowingChoice { choice, tool_calls, finished, .. } = choice;
            *finished || !choice.text.is_empty() || !choice.thinking.is_empty() || !tool_calls.is_empty()
        };
        self.choices.iter().any(begun)
    }

    /// Whether no piece of a completion came.
    pub(crate) fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Whether all completions that were asked for are over or too long, and one of them is too long.
    pub(crate) fn is_too_long(&self, asked: usize) -> bool {
        let too_long = |choice: &GrowingChoice| choice.is_too_long(self.most);
        self.choices.iter().any(too_long)
            && self.choices.len() >= asked
            && self.choices.iter().all(|choice| choice.finished || too_long(choice))
    }

    /// Whether there are completions, and each has said why it ends.
    pub(crate) fn is_finished(&self) -> bool {
        !self.choices.is_empty() && self.choices.iter().all(|choice| choice.finished)
    }

    /// The reply. `model` was asked for `asked` completions; `estimate` counts the tokens if the server does not.
    pub(crate) fn complete(
        self,
        model: &str,
        asked: usize,
        secrets: &[&str],
        estimate: impl Fn(&ModelReply) -> Usage,
    ) -> Result<Attempt, Failed> {
        let came = self.choices.len();
        if came == 0 && self.held_none {
            // The prompt was read and nothing may be said to it.
            return Err(Failed { answered: true, ..lost(ModelError::Refused("no completion came".to_owned()), None) });
        }
        if came == 0 {
            return Err(malformed("it holds no completion"));
        }
        if came < asked {
            // A server that ignores `n` will ignore it again.
            let text = format!("{came} of {asked} completions came");
            return Err(lost(ModelError::Malformed(text), None));
        }
        if self.choices.iter().all(|choice| choice.is_out_of_room) {
            let text = "the window was full before an answer began".to_owned();
            return Err(lost(ModelError::Overflow(text), None));
        }
        if self.choices.iter().all(GrowingChoice::is_refused) {
            let said = self.choices.iter().map(|choice| choice.refusal.as_str()).collect::<Vec<_>>().join(" ");
            let text = match clean(&said, secrets.iter().copied()) {
                text if text.is_empty() => "a filter cut the answer".to_owned(),
                text => text,
            };
            return Err(Failed { answered: true, ..lost(ModelError::Refused(text), None) });
        }
        let mut reply = ModelReply {
            choices: self.choices.into_iter().map(GrowingChoice::end).collect(),
            prompt_token_ids: self.prompt_token_ids,
            billed: self.billed,
            served: served(model, self.model, self.fingerprint)
                .map(|name| clean(&name, secrets.iter().copied()).trim_end_matches('…').trim().to_owned()),
            ..ModelReply::default()
        };
        reply.usage = self.usage.unwrap_or_else(|| estimate(&reply));
        Ok(Attempt { cached_tokens: self.cached_tokens, ..Attempt::of(reply) })
    }

    fn take_choice(&mut self, position: usize, wire: WireChoice) -> Result<(), Failed> {
        let index = wire.index.map_or(position, |index| index as usize);
        if index >= MOST {
            return Err(malformed("a completion with a number that is too large"));
        }
        if self.choices.len() <= index {
            self.choices.resize_with(index + 1, GrowingChoice::default);
        }
        self.choices[index].take(wire, self.most)
    }
}

impl GrowingChoice {
    fn take(&mut self, wire: WireChoice, most: usize) -> Result<(), Failed> {
        if let Some(logprobs) = wire.logprobs.filter(|_| !self.is_too_long(most)) {
            self.choice.tokens.extend(tokens(logprobs));
        }
        if let Some(ids) = wire.token_ids.filter(|_| !self.is_too_long(most)) {
            self.choice.token_ids.extend(ids);
        }
        // Some servers say the words of a message in both fields.
        let words = wire.message.as_ref().and_then(|message| message.content.text.as_ref());
        let said = words.is_some_and(|words| !words.is_empty());
        add(&mut self.choice.text, wire.text.filter(|_| !said), most);
        if let Some(message) = wire.message {
            add(&mut self.choice.text, message.content.text, most);
            let apart = message.reasoning_content.or(message.reasoning).as_ref().map(texts_within);
            add(&mut self.choice.thinking, message.content.thinking.or(apart), most);
            add(&mut self.refusal, message.refusal, most);
            for call in message.tool_calls.into_iter().flatten() {
                self.take_call(call, most)?;
            }
        }
        if let Some(reason) = wire.finish_reason.filter(|reason| !reason.is_empty()) {
            let small = reason.to_ascii_lowercase();
            if FAILED.contains(&small.as_str()) {
                let error = ModelError::Server(format!("the answer ends with `{reason}`"));
                return Err(Failed { answered: true, ..lost(error, Some(RetryReason::Server)) });
            }
            self.finished = true;
            self.is_out_of_room = FULL.contains(&small.as_str()) && self.choice.bytes() == 0;
            self.choice.finish = finish(&small);
        }
        Ok(())
    }

    /// Whether more came than anybody keeps.
    fn is_too_long(&self, most: usize) -> bool {
        let calls = self.tool_calls.iter();
        let calls: usize = calls.map(|call| call.name.len() + call.arguments.len()).sum();
        self.choice.text.len() + calls > most
    }

    fn take_call(&mut self, wire: WireToolCall, most: usize) -> Result<(), Failed> {
        if self.is_too_long(most) {
            return Ok(());
        }
        let calls = &self.tool_calls;
        let known = match wire.index {
            Some(_) => calls.iter().position(|call| call.index == wire.index),
            // Without a number, an id begins a call and everything else goes on with the last.
            None if wire.id.is_some() => None,
            None => calls.len().checked_sub(1),
        };
        let call = match known {
            Some(number) => &mut self.tool_calls[number],
            None if self.tool_calls.len() >= MOST => {
                return Err(malformed("too many calls of tools"));
            }
            None => self.tool_calls.push_mut(GrowingCall { index: wire.index, ..GrowingCall::default() }),
        };
        let function = wire.function.unwrap_or_default();
        if call.name.is_empty() {
            add(&mut call.name, function.name, most);
        }
        let arguments = match function.arguments {
            Some(Value::String(text)) => Some(text),
            Some(Value::Null) | None => None,
            Some(other) => Some(other.to_string()),
        };
        add(&mut call.arguments, arguments, most);
        Ok(())
    }

    /// Whether a filter cut it, wherever, or it is a refusal and nothing else.
    fn is_refused(&self) -> bool {
        let nothing = self.choice.text.is_empty() && self.tool_calls.is_empty();
        nothing && !self.refusal.is_empty() || self.choice.finish == Finish::ContentFilter
    }

    fn end(self) -> Choice {
        let calls =
            self.tool_calls.into_iter().map(|call| ToolCall { name: call.name, arguments: arguments(call.arguments) });
        let finish = match self.finished {
            true => self.choice.finish,
            false => Finish::Other,
        };
        Choice { tool_calls: calls.collect(), finish, ..self.choice }
    }
}

/// The arguments of a call; as a text if they are no JSON. No arguments are an empty object.
fn arguments(text: String) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    parse(text.as_bytes()).unwrap_or(Value::String(text))
}

/// Adds to a text, up to the first letter that is beyond `most` bytes.
fn add(text: &mut String, more: Option<String>, most: usize) {
    let Some(mut more) = more else {
        return;
    };
    let room = most.saturating_add(1).saturating_sub(text.len());
    if more.len() > room {
        more.truncate(more.ceil_char_boundary(room));
        more.shrink_to_fit();
    }
    match text.is_empty() {
        true => *text = more,
        false => text.push_str(&more),
    }
}

/// A name that a server gives, as far as it is one.
fn named(name: Option<Value>) -> Option<String> {
    const MOST: usize = 200;
    let name = name.as_ref()?.as_str()?.trim();
    (!name.is_empty()).then(|| name.chars().take(MOST).collect())
}

/// Name and fingerprint that the server tells of itself, if they are more than the name that was asked for.
fn served(asked: &str, model: Option<String>, fingerprint: Option<String>) -> Option<String> {
    let name = model.as_deref().unwrap_or(asked);
    match fingerprint {
        Some(fingerprint) => Some(format!("{name} ({fingerprint})")),
        None => (name != asked).then(|| name.to_owned()),
    }
}

/// Ends of answers that a server, or one behind it, could not finish.
const FAILED: [&str; 4] = ["error", "network_error", "server_error", "internal_error"];
/// Ends of answers for which the window had no room left.
const FULL: [&str; 2] = ["model_context_window_exceeded", "context_length_exceeded"];

/// The failure that a successful answer tells of.
fn upstream(error: Value, secrets: &[&str]) -> Failed {
    let said = Said::of_value(&Value::from_iter([("error", error)]));
    failed(200, &said, None, secrets.iter().copied())
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" | "eos_token" | "stop_sequence" | "end_turn" => Finish::Stop,
        "length" | "max_tokens" => Finish::Length,
        reason if FULL.contains(&reason) => Finish::Length,
        "tool_calls" | "function_call" | "tool_use" => Finish::ToolCalls,
        "content_filter" | "refusal" | "safety" | "recitation" | "prohibited_content" | "blocklist" => {
            Finish::ContentFilter
        }
        _ => Finish::Other,
    }
}

fn tokens(wire: WireLogprobs) -> Vec<TokenLogprob> {
    if let Some(content) = wire.content {
        return content
            .into_iter()
            .filter_map(|token| Some(TokenLogprob { logprob: token.logprob?, token: token.token }))
            .collect();
    }
    let tokens = wire.tokens.unwrap_or_default().into_iter();
    let logprobs = wire.token_logprobs.unwrap_or_default();
    tokens
        .zip(logprobs)
        .filter_map(|(token, logprob)| {
            let logprob = logprob?;
            Some(TokenLogprob { token, logprob })
        })
        .collect()
}

/// The cost that a provider states. Who brings a key of another company pays there, too (OpenRouter).
fn read_cost(usage: &Value) -> Option<f64> {
    let is_own_key = usage.get("is_byok") == Some(&Value::Bool(true));
    let upstream = usage.pointer("/cost_details/upstream_inference_cost").filter(|_| is_own_key);
    let cost = usage.get("cost")?.as_f64()? + upstream.and_then(Value::as_f64).unwrap_or_default();
    (cost >= 0.0 && cost.is_finite()).then_some(cost)
}

/// The tokens that a server says were used.
fn read_usage(usage: &Value) -> Option<Usage> {
    let count = |key: &str| usage.get(key).and_then(whole);
    let prompt = count("prompt_tokens")?;
    // Thinking may stand in the total alone; it is paid like an answer.
    let rest = count("total_tokens").unwrap_or(0).saturating_sub(prompt);
    let completion = count("completion_tokens").unwrap_or(0).max(rest);
    Some(Usage { prompt, completion, ..Usage::default() })
}

/// A count; some servers write them with a point. Nonsense is none.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|number| *number >= 0.0);
    let count = value.as_u64().or_else(|| float().map(|number| number as u64));
    count.filter(|count| *count <= MOST_TOKENS)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn counts_that_cannot_be_are_none() {
        let usage = |prompt: Value, completion: Value| {
            read_usage(&json!({"prompt_tokens": prompt, "completion_tokens": completion}))
                .map(|usage| (usage.prompt, usage.completion))
        };
        assert_eq!(usage(json!(7), json!(2.0)), Some((7, 2)));
        assert_eq!(usage(json!(7), json!(-2)), Some((7, 0)));
        for prompt in [json!(-1), json!(u64::MAX), json!(1e300), json!("7"), json!(null)] {
            assert_eq!(usage(prompt, json!(1)), None);
        }
    }
}
