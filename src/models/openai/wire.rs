//! Replies as servers write them. Everything is optional: servers leave fields out, send `null`,
//! and add their own.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A whole reply, or one event of a stream.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireReply {
    #[serde(default)]
    pub(crate) choices: Option<Vec<WireChoice>>,
    #[serde(default)]
    pub(crate) usage: Option<Value>,
    /// llama.cpp's own account.
    #[serde(default)]
    pub(crate) timings: Option<Value>,
    #[serde(default)]
    pub(crate) error: Option<Value>,
}

/// A completion, or a piece of one.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireChoice {
    #[serde(default)]
    pub(crate) index: Option<u32>,
    /// Of `completions`.
    #[serde(default)]
    pub(crate) text: Option<String>,
    /// Of `chat/completions`; `delta` in streams.
    #[serde(default, alias = "delta")]
    pub(crate) message: Option<WireMessage>,
    #[serde(default)]
    pub(crate) finish_reason: Option<String>,
    #[serde(default)]
    pub(crate) logprobs: Option<WireLogprobs>,
}

/// A message, or a piece of one.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireMessage {
    #[serde(default, deserialize_with = "content")]
    pub(crate) content: Option<String>,
    #[serde(default)]
    pub(crate) refusal: Option<String>,
    #[serde(default)]
    pub(crate) tool_calls: Option<Vec<WireToolCall>>,
}

/// A call of a tool, or a piece of one.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireToolCall {
    #[serde(default)]
    pub(crate) index: Option<u32>,
    #[serde(default)]
    pub(crate) id: Option<String>,
    #[serde(default)]
    pub(crate) function: Option<WireFunction>,
}

/// The function of a call.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireFunction {
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// A text that holds JSON; some servers send the JSON itself.
    #[serde(default)]
    pub(crate) arguments: Option<Value>,
}

/// Log-probabilities in both shapes: `content` (chat; llama.cpp everywhere), and lists of equal
/// length (`completions`).
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireLogprobs {
    #[serde(default)]
    pub(crate) content: Option<Vec<WireToken>>,
    #[serde(default)]
    pub(crate) tokens: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) token_logprobs: Option<Vec<Option<f64>>>,
}

/// A token with its log-probability.
#[derive(Debug, Deserialize)]
pub(crate) struct WireToken {
    #[serde(default)]
    pub(crate) token: String,
    #[serde(default)]
    pub(crate) logprob: Option<f64>,
}

/// A text, or a list of parts of which some are texts.
fn content<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Content {
        Text(String),
        Parts(Vec<Part>),
    }
    #[derive(Deserialize)]
    struct Part {
        #[serde(default)]
        text: Option<String>,
    }
    Ok(match Option::<Content>::deserialize(deserializer)? {
        None => None,
        Some(Content::Text(text)) => Some(text),
        Some(Content::Parts(parts)) => {
            Some(parts.into_iter().filter_map(|part| part.text).collect())
        }
    })
}
