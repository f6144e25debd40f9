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
    pub(crate) logprobs: Option<WireLogprobs>,
    pub(crate) token_ids: Option<Vec<u32>>,
    /// Of `completions`.
    pub(crate) prompt_token_ids: Option<Vec<u32>>,
}

/// A message, or a piece of one.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireMessage {
    #[serde(default, deserialize_with = "content")]
    pub(crate) content: Option<String>,
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

/// A text, or a list of parts of which some are texts.
fn content<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_any(ContentVisitor)
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Option<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text or its parts")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        #[derive(Deserialize)]
        struct ContentPart {
            text: Option<String>,
        }
        let mut all = String::new();
        while let Some(part) = parts.next_element::<ContentPart>()? {
            all.extend(part.text);
        }
        Ok(Some(all))
    }
}
