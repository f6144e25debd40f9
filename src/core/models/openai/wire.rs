//! Replies as servers write them. Everything is optional: servers leave fields out, send `null`,
//! and add their own.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A whole reply, or one event of a stream.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireReply {
    pub(crate) choices: Option<Vec<WireChoice>>,
    pub(crate) usage: Option<Value>,
    pub(crate) prompt_token_ids: Option<Vec<u32>>,
    /// llama.cpp's own account.
    pub(crate) timings: Option<Value>,
    pub(crate) error: Option<Value>,
    pub(crate) model: Option<Value>,
    pub(crate) system_fingerprint: Option<Value>,
}

/// A completion, or a piece of one.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireChoice {
    pub(crate) index: Option<u32>,
    /// Of `completions`.
    pub(crate) text: Option<String>,
    /// Of `chat/completions`; `delta` in streams.
    #[serde(default, alias = "delta")]
    pub(crate) message: Option<WireMessage>,
    pub(crate) finish_reason: Option<String>,
    /// The failure of a server behind this one (OpenRouter).
    pub(crate) error: Option<Value>,
    pub(crate) logprobs: Option<WireLogprobs>,
    pub(crate) token_ids: Option<Vec<u32>>,
    /// Of `completions`.
    pub(crate) prompt_token_ids: Option<Vec<u32>>,
}

/// A message, or a piece of one.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireMessage {
    #[serde(default)]
    pub(crate) content: Content,
    /// Hidden thinking that the server took out of the text, under either name; some write both.
    pub(crate) reasoning_content: Option<Value>,
    pub(crate) reasoning: Option<Value>,
    pub(crate) refusal: Option<String>,
    pub(crate) tool_calls: Option<Vec<WireToolCall>>,
}

/// A call of a tool, or a piece of one.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireToolCall {
    pub(crate) index: Option<u32>,
    pub(crate) id: Option<String>,
    pub(crate) function: Option<WireFunction>,
}

/// The function of a call.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireFunction {
    pub(crate) name: Option<String>,
    /// A text that holds JSON; some servers send the JSON itself.
    pub(crate) arguments: Option<Value>,
}

/// Log-probabilities in both shapes: `content` (chat; llama.cpp everywhere), and lists of equal
/// length (`completions`).
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireLogprobs {
    pub(crate) content: Option<Vec<WireToken>>,
    pub(crate) tokens: Option<Vec<String>>,
    pub(crate) token_logprobs: Option<Vec<Option<f64>>>,
}

/// A token with its log-probability.
#[derive(Debug, Deserialize)]
pub(crate) struct WireToken {
    #[serde(default)]
    pub(crate) token: String,
    pub(crate) logprob: Option<f64>,
}

/// A text, or a list of parts: texts, and thinking.
#[derive(Debug, Default)]
pub(crate) struct Content {
    pub(crate) text: Option<String>,
    pub(crate) thinking: Option<String>,
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text or its parts")
    }

    fn visit_unit<E>(self) -> Result<Content, E> {
        Ok(Content::default())
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content { text: Some(text.to_owned()), thinking: None })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Content, A::Error> {
        #[derive(Deserialize)]
        struct ContentPart {
            text: Option<String>,
            thinking: Option<Value>,
        }
        let (mut text, mut thinking) = (String::new(), String::new());
        while let Some(part) = parts.next_element::<ContentPart>()? {
            text.extend(part.text);
            thinking.extend(part.thinking.as_ref().map(texts_within));
        }
        Ok(Content { text: Some(text), thinking: (!thinking.is_empty()).then_some(thinking) })
    }
}

/// A text, or the texts of a list of parts.
pub(crate) fn texts_within(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(texts_within).collect(),
        Value::Object(part) => part.get("text").map(texts_within).unwrap_or_default(),
        _ => String::new(),
    }
}
