//! How a config describes a model (`[models.<name>]`).

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::domain::Usage;

/// The settings that a client is built from: one table `[models.<name>]`, checked, with its defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSettings {
    /// Where it is, for instance `http://localhost:8080/v1`; with and without `/v1`.
    pub base_url: String,
    /// Which kind of request is sent.
    pub endpoint: Endpoint,
    /// The key, from the environment variable that the config names.
    pub api_key: Option<Secret>,
    /// The variable that the config names for it, for messages.
    pub api_key_env: Option<String>,
    /// The variable that is named but not set, if so: calls fail, unless the cache answers.
    pub missing_key: Option<String>,
    /// Further headers of each request.
    pub headers: BTreeMap<String, Secret>,
    /// Further fields of each request's body.
    pub extra_body: Map<String, Value>,
    /// Sampling, where a role says nothing else.
    pub sampling: Sampling,
    /// The seed is sent along.
    pub send_seed: bool,
    /// Replies are streamed: a server that hangs is noticed earlier.
    pub stream: bool,
    /// How long to wait for what.
    pub timeouts: Timeouts,
    /// How much is asked at once and per minute.
    pub limits: ModelLimits,
    /// The handling of requests that fail.
    pub retries: RetrySettings,
    /// Where replies are kept.
    pub cache: CacheSettings,
    /// The most that may be spent on this model in a run, in the currency of the prices.
    pub spend: Option<f64>,
    /// The answers of the provider `scripted`.
    pub script: Option<PathBuf>,
    /// Its profile.
    pub profile: ModelProfile,
}

impl ModelSettings {
    /// A model of this name at this place, with everything else as when the config says nothing.
    pub fn new(name: &str, base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            endpoint: Endpoint::default(),
            api_key: None,
            api_key_env: None,
            missing_key: None,
            headers: BTreeMap::new(),
            extra_body: Map::new(),
            sampling: Sampling::default(),
            send_seed: true,
            stream: false,
            timeouts: Timeouts::default(),
            limits: ModelLimits::default(),
            retries: RetrySettings::default(),
            cache: CacheSettings::default(),
            spend: None,
            script: None,
            profile: ModelProfile {
                name: name.to_owned(),
                model: name.to_owned(),
                ..ModelProfile::default()
            },
        }
    }
}

/// A model's profile, for those who ask it.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelProfile {
    /// The name that the config gives it.
    pub name: String,
    /// The name that the server knows it by.
    pub model: String,
    /// The abilities of the server.
    pub capabilities: Capabilities,
    /// Tokens that prompt and answer may have together.
    pub context_tokens: Option<u32>,
    /// The most tokens of an answer, where a request says nothing.
    pub max_tokens: Option<u32>,
    /// For estimating tokens: what a token has in bytes on average.
    pub bytes_per_token: f64,
    /// The prices of tokens.
    pub prices: Option<Prices>,
    /// Prompts are conversations; otherwise texts.
    pub chat: bool,
}

impl Default for ModelProfile {
    fn default() -> Self {
        Self {
            name: String::new(),
            model: String::new(),
            capabilities: Capabilities::default(),
            context_tokens: None,
            max_tokens: None,
            bytes_per_token: 3.5,
            prices: None,
            chat: true,
        }
    }
}

impl ModelProfile {
    /// The tokens of a text of so many bytes, estimated from above.
    pub fn tokens(&self, bytes: usize) -> u64 {
        (bytes as f64 / self.bytes_per_token).ceil() as u64
    }
}

/// The abilities of a server, declared in the config (`rolecall models probe` finds them out).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// Answers can be forced into a JSON schema.
    pub json_schema: bool,
    /// Tools can be called.
    pub tools: bool,
    /// Generated tokens come with log-probabilities.
    pub logprobs: bool,
    /// Several completions come from one request (`n`).
    pub several: bool,
    /// How texts can be scored, if they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoring: Option<ScoringMethod>,
}

/// How a server can be brought to score texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum ScoringMethod {
    /// `echo` with `logprobs` on `/v1/completions`: all candidates in one request (vLLM).
    EchoLogprobs,
    /// Token by token over llama.cpp's own `/completion` and `/tokenize`.
    TokenByToken,
}

/// Which kind of request is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endpoint {
    /// `chat/completions`.
    #[default]
    Chat,
    /// `completions`.
    Completions,
}

/// How an answer is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sampling {
    /// 0 for the likeliest tokens; the server's own default if nothing is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The share of probability that tokens are drawn from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The most tokens of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Texts at which an answer ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
}

/// Writes a time, if there is one, in seconds.
pub(crate) fn seconds<T: Copy + Into<Option<Duration>>, S: Serializer>(
    time: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let time: Option<Duration> = (*time).into();
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}

/// How long to wait for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Timeouts {
    /// For a connection.
    #[serde(rename = "connect_seconds", serialize_with = "seconds")]
    pub connect: Duration,
    /// For the next piece of an answer.
    #[serde(rename = "idle_seconds", serialize_with = "seconds")]
    pub idle: Duration,
    /// For the whole answer.
    #[serde(rename = "total_seconds", serialize_with = "seconds")]
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(300),
        }
    }
}

/// How much is asked at once and per minute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ModelLimits {
    /// Requests that are on their way at the same time, at most.
    pub in_flight: u32,
    /// Fewer requests are on their way when the server says 429, more when it does not.
    pub adaptive: bool,
    /// Requests a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<f64>,
    /// Tokens a minute, prompt and answer together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<f64>,
}

impl Default for ModelLimits {
    fn default() -> Self {
        Self {
            in_flight: 64,
            adaptive: true,
            requests_per_minute: None,
            tokens_per_minute: None,
        }
    }
}

/// The handling of requests that fail.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RetrySettings {
    /// How often a request is sent in all before its failure counts.
    pub attempts: u32,
    /// The wait before the first retry; doubled for every further one, with jitter.
    #[serde(rename = "first_wait_seconds", serialize_with = "seconds")]
    pub first_wait: Duration,
    /// The longest wait that is computed; what a server asks for may be longer.
    #[serde(rename = "longest_wait_seconds", serialize_with = "seconds")]
    pub longest_wait: Duration,
    /// How long calls wait for a server that is away before they fail.
    #[serde(rename = "outage_seconds", serialize_with = "seconds")]
    pub outage: Duration,
}

impl Default for RetrySettings {
    fn default() -> Self {
        Self {
            attempts: 6,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            outage: Duration::from_secs(3600),
        }
    }
}

/// Where replies are kept, for all models of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// Whether it is read and written.
    pub mode: CacheMode,
    /// The folder.
    pub folder: PathBuf,
}

impl Default for CacheSettings {
    fn default() -> Self {
        Self {
            mode: CacheMode::Off,
            folder: PathBuf::from("cache"),
        }
    }
}

/// Whether the cache is read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// Neither.
    #[default]
    Off,
    /// Only read, and nothing else: a request that it does not hold fails.
    Only,
    /// Read; what it does not hold is fetched and not kept.
    Read,
    /// Written; nothing is taken from it.
    Write,
    /// Read and written.
    Both,
}

/// Prices of tokens, per million.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prices {
    /// A million tokens of prompts.
    pub input: f64,
    /// A million generated tokens.
    pub output: f64,
    /// The currency, for reports.
    pub currency: String,
}

impl Prices {
    /// The cost of a call.
    pub fn cost(&self, usage: &Usage) -> f64 {
        (usage.prompt as f64 * self.input + usage.completion as f64 * self.output) / 1e6
    }
}

/// A text that is shown nowhere: not in logs, errors, reports or panics.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}
