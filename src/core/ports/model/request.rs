//! Requests to a model.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::ModelError;
use crate::domain::{ToolCall, ToolChoice};

/// A request to a model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelRequest {
    /// To go on from a prompt.
    Complete(Completion),
    /// How likely it would go on with each of several texts.
    Score(Scoring),
}

/// To go on from a prompt. What is not given comes from the model's settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    /// The prompt.
    pub prompt: Prompt,
    /// How many completions; none means one.
    pub n: Option<u32>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u32>,
    /// 0 for the likeliest tokens.
    pub temperature: Option<f64>,
    /// The share of probability that tokens are drawn from.
    pub top_p: Option<f64>,
    /// Texts at which the answer ends, left out of it; in addition to those of the settings.
    pub stop: Vec<String>,
    /// Whether the answer is free, JSON of a schema or a call of a tool.
    pub format: Format,
    /// The tokens' log-probabilities are wanted.
    pub logprobs: bool,
    /// The seed; [`Turn::complete`](crate::ports::Turn::complete) fills it in.
    pub seed: Option<u32>,
}

/// How likely a model would go on from a prompt with each of several texts (ABA equation 4).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scoring {
    /// The prompt.
    pub prompt: Prompt,
    /// The texts, exactly as they would follow.
    pub candidates: Vec<String>,
}

/// The text or conversation that a model goes on from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prompt {
    /// A conversation, for chat completions.
    Chat(Vec<ChatMessage>),
    /// A text, for completions.
    Text(String),
}

impl Default for Prompt {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Prompt {
    /// Bytes of text, for estimating tokens.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Chat(messages) => messages.iter().map(ChatMessage::bytes).sum(),
            Self::Text(text) => text.len(),
        }
    }
}

/// One message of a conversation with a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who says it.
    pub role: ChatRole,
    /// The words.
    pub content: String,
    /// The tools that the model called with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<CalledTool>,
    /// The call that a message of a tool answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

/// A call of a tool as it is sent back to the model, in the words of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalledTool {
    /// The name by which its answer refers to it.
    pub id: String,
    /// Always `function`.
    pub r#type: String,
    /// The function that was called.
    pub function: CalledFunction,
}

/// The function of a [`CalledTool`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalledFunction {
    /// The tool's name.
    pub name: String,
    /// Its arguments as JSON in a text.
    pub arguments: String,
}

impl CalledTool {
    /// A call that its answer names by `id`.
    pub fn new(id: String, call: &ToolCall) -> Self {
        let arguments = match &call.arguments {
            Value::String(raw) => raw.clone(),
            other => other.to_string(),
        };
        Self { id, r#type: "function".to_owned(), function: CalledFunction { name: call.name.clone(), arguments } }
    }
}

impl ChatMessage {
    /// A message.
    pub fn new(role: ChatRole, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), tool_calls: Vec::new(), tool_call_id: None }
    }

    /// Bytes of text.
    pub fn bytes(&self) -> usize {
        let calls =
            self.tool_calls.iter().map(|call| &call.function).map(|called| called.name.len() + called.arguments.len());
        self.content.len() + calls.sum::<usize>()
    }
}

/// Who says something in a conversation with a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// The instructions.
    System,
    /// Whoever the model answers.
    User,
    /// The model.
    Assistant,
    /// The answer to the call of a tool.
    Tool,
}

/// The form that the answer must have.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Format {
    /// Anything.
    #[default]
    Text,
    /// JSON that a schema describes (`response_format` of the type `json_schema`).
    Json {
        /// The schema's name.
        name: &'static str,
        /// The schema.
        schema: Arc<Value>,
    },
    /// Calls of tools.
    Tools {
        /// The tools.
        tools: Arc<[ToolSpec]>,
        /// Which of them is called.
        choice: ToolChoice,
    },
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// The schema of its arguments.
    pub parameters: Value,
}

/// A request as it is sent, with its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct EncodedRequest {
    /// Hash over everything that the reply is a function of: the model, the messages, sampling,
    /// schema and seed. Not over where the server is.
    pub hash: RequestHash,
    /// The endpoint in the client's own words, such as `chat/completions`.
    pub endpoint: &'static str,
    /// The body, usually JSON.
    pub body: bytes::Bytes,
    /// How many completions are asked for; 0 for scores.
    pub choices: u32,
    /// The tokens of the prompt and of the longest answer, estimated, for limits by token.
    pub estimated_tokens: u64,
}

/// Shows no prompt: those are long.
impl fmt::Debug for EncodedRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.body.len();
        write!(formatter, "{} {} ({bytes} bytes)", self.endpoint, self.hash)
    }
}

/// A BLAKE3 hash, cut to 16 bytes; shown in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestHash(pub [u8; 16]);

impl RequestHash {
    /// The hash of several parts; where one ends and the next begins matters.
    pub fn of(parts: &[&[u8]]) -> Self {
        // In one piece, of which many blocks are hashed at a time.
        let length = parts.iter().map(|part| 8 + part.len()).sum();
        let mut whole = Vec::with_capacity(length);
        for part in parts {
            whole.extend((part.len() as u64).to_le_bytes());
            whole.extend_from_slice(part);
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&blake3::hash(&whole).as_bytes()[..16]);
        Self(bytes)
    }
}

/// A text that is no hash of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash of a request is 32 hexadecimal digits")]
pub struct InvalidHash;

impl FromStr for RequestHash {
    type Err = InvalidHash;

    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        let number = u128::from_str_radix(text, 16).map_err(|_| InvalidHash)?;
        let whole = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        whole.then(|| Self(number.to_be_bytes())).ok_or(InvalidHash)
    }
}

impl fmt::Display for RequestHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for RequestHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Texts of which the vectors are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedding {
    /// The texts. None of them may be blank: servers refuse those.
    pub texts: Vec<String>,
    /// A vector of each token is wanted, as BERTScore needs them, instead of one of the whole text.
    pub each_token: bool,
}

impl Embedding {
    /// One vector for each of the texts.
    pub fn of(texts: Vec<String>) -> Self {
        Self { texts, each_token: false }
    }
}

/// The error of a model that cannot do this at all, with what to do.
pub fn no_embeddings(model: &str) -> ModelError {
    ModelError::Unsupported(format!(
        "`{model}` makes no vectors of texts; name a model with `provider = \"openai\"` whose server \
         has `/v1/embeddings`"
    ))
}

/// Texts whose relevance to a query is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The query.
    pub query: String,
    /// The texts.
    pub texts: Vec<String>,
}

/// The error of a model that cannot do this at all, with what to do.
pub fn no_ranking(model: &str) -> ModelError {
    ModelError::Unsupported(format!(
        "`{model}` ranks no texts; name a model with `provider = \"openai\"` whose server has `/v1/rerank`"
    ))
}
