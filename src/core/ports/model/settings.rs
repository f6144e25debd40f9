//! How a config describes a model (`[models.<name>]`).

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExtraBody;
use crate::domain::{ModelReply, Usage};
use crate::ports::settings::{SettingValue, parameters, settings};
use crate::ports::{Earlier, Parameter, Parameters, Settings};

/// The provider of a model whose table names none.
pub const DEFAULT_PROVIDER: &str = "openai";
/// The most tokens of a context window or an answer.
const MOST_TOKENS: i64 = 1_000_000_000;
/// The highest price, and the most that may be spent.
const MOST_MONEY: f64 = 1e9;
/// The longest time, in seconds.
const LONGEST: f64 = 1e7;
/// The shortest time that something must be waited for, in seconds.
const SHORTEST: f64 = 0.001;

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
    pub extra_body: ExtraBody,
    /// Sampling of answers.
    pub sampling: Sampling,
    /// The card's sampling applies where both say something.
    pub cards_first: bool,
    /// Fields that are never sent.
    pub omit: Vec<String>,
    /// Name of the field with the most tokens of an answer.
    pub max_tokens_field: String,
    /// Thinking before answers; none where nothing is asked about it.
    pub reasoning: Option<Reasoning>,
    /// Place of the system prompt.
    pub system: SystemPlace,
    /// Messages of one speaker in a row are sent as one.
    pub joins_speakers: bool,
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
    /// The folder of a checkpoint of the provider `local`.
    pub checkpoint: Option<PathBuf>,
    /// Its profile.
    pub profile: ModelProfile,
}

impl ModelSettings {
    /// A model of this name at this place, with everything else as when the config says nothing.
    pub fn new(name: &str, base_url: impl Into<String>) -> Self {
        let mut settings = Self::usual();
        settings.base_url = base_url.into();
        settings.profile.name = name.to_owned();
        settings.profile.model = name.to_owned();
        settings
    }
}

/// The keys of a model's own table. Secrets, further fields of requests and inner tables are filled in
/// later.
impl Settings for ModelSettings {
    const PARAMETERS: &'static [Parameter] = parameters![
        text("provider", Some(DEFAULT_PROVIDER)),
            "the interface (`rolecall list models`), not the company";
        text("model", None).optional(), "the name that a server knows; every provider `openai` needs it";
        text("base_url", None).optional(), "the server, with or without `/v1`; every provider `openai` needs it";
        choice("endpoint", &["chat", "completions"]), "whether prompts are conversations or texts";
        text("api_key_env", None).optional(), "the environment variable with the key, never the key";
        list("omit", &[]), "fields that are never sent, such as `temperature` or `stop`";
        text("max_tokens_field", Some("max_tokens")),
            "the name under which the most tokens of an answer are sent; `max_completion_tokens` for newer models of OpenAI";
        choice("sampling_of", &["model", "card"]).before(Earlier::Word("card")),
            "whose sampling applies where this table and a persona's card both say something";
        choice("system", &["system", "user", "none"]),
            "how the system prompt is sent: as such, at the start of the first message of the user, or not at all";
        choice("same_speaker", &["apart", "joined"]),
            "messages of one speaker in a row: as they are, or as one, for templates that want speakers to alternate";
        flag("stream", false), "replies are streamed: a server that hangs is noticed earlier";
        flag("send_seed", true), "each call has its own seed, derived from the run's";
        integer("context_tokens", None, 1..=MOST_TOKENS),
            "tokens of prompt and answer together; longer prompts are not sent";
        number("bytes_per_token", 3.5, 0.1..=100.0),
            "bytes of a token on average, for estimates where the server does not count";
        number("spend", 0.0, 1e-9..=MOST_MONEY).optional(),
            "the most that a run may spend on the model, resumed or not; needs `prices`";
        text("script", None).optional(), "the file with the answers of a scripted model";
        text("checkpoint", None).optional(),
            "the folder of a local model, as `rolecall train` writes it; without it the shipped one plays";
    ];

    fn of(values: &Parameters) -> Self {
        let endpoint = values.choice("endpoint");
        Self {
            base_url: String::read(values, "base_url"),
            endpoint,
            api_key: None,
            api_key_env: Option::read(values, "api_key_env"),
            missing_key: None,
            headers: BTreeMap::new(),
            extra_body: ExtraBody::default(),
            sampling: Sampling::default(),
            cards_first: values.text("sampling_of") == Some("card"),
            omit: Vec::read(values, "omit"),
            max_tokens_field: String::read(values, "max_tokens_field"),
            reasoning: None,
            system: values.choice("system"),
            joins_speakers: values.text("same_speaker") == Some("joined"),
            send_seed: values.flag("send_seed"),
            stream: values.flag("stream"),
            timeouts: Timeouts::default(),
            limits: ModelLimits::default(),
            retries: RetrySettings::default(),
            cache: CacheSettings::default(),
            spend: values.number("spend"),
            script: Option::read(values, "script"),
            checkpoint: Option::read(values, "checkpoint"),
            profile: ModelProfile {
                name: String::new(),
                model: String::read(values, "model"),
                capabilities: Capabilities::default(),
                context_tokens: values.whole("context_tokens"),
                max_tokens: None,
                bytes_per_token: f64::read(values, "bytes_per_token"),
                prices: None,
                chat: endpoint == Endpoint::Chat,
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
        ModelSettings::usual().profile
    }
}

impl ModelProfile {
    /// The tokens of a text of so many bytes, estimated from above.
    pub fn tokens(&self, bytes: usize) -> u64 {
        (bytes as f64 / self.bytes_per_token).ceil() as u64
    }
}

settings! {
    /// Capabilities of a server, declared in the config (`rolecall models probe` finds them out).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Capabilities {
        json_schema: bool = flag("json_schema", false), "answers can be forced into a JSON schema";
        tools: bool = flag("tools", false), "tools can be called";
        logprobs: bool = flag("logprobs", false), "generated tokens come with log-probabilities";
        several: bool = flag("several", false), "several completions come from one request (`n`)";
        scoring: Option<ScoringMethod> =
            choice("scoring", &["echo_logprobs", "token_by_token"]).optional(),
            "the way in which texts can be scored, if they can";
    }
}

/// How a server can be brought to score texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum ScoringMethod {
    /// `echo` with `logprobs` on `/v1/completions`: all candidates in one request (vLLM).
    EchoLogprobs,
    /// Token by token over llama.cpp's own `/completion` and `/tokenize`.
    TokenByToken,
}

/// Place of a system prompt in a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemPlace {
    /// A message of its own.
    #[default]
    System,
    /// The start of the first message of the user: templates of Gemma 2 and Mistral 7B know no system prompt.
    User,
    /// Nowhere.
    None,
}

settings! {
    /// Thinking of reasoning models before they answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Reasoning {
        effort: Option<String> = choice("effort", &["none", "minimal", "low", "medium", "high"]).optional(),
            "how much is thought; the server's own default if nothing is written";
        budget_tokens: Option<u32> = integer("budget_tokens", None, 1..=MOST_TOKENS),
            "the most tokens of a thought; they are added to those of the answer";
        spelling: String = choice("spelling", &["openai", "openrouter", "vllm", "anthropic"]),
            "the words of the server: `reasoning_effort`, `reasoning`, `chat_template_kwargs` or `thinking`";
    }
}

/// Which kind of request is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endpoint {
    /// `chat/completions`.
    #[default]
    Chat,
    /// `completions`.
    Completions,
}

settings! {
    /// How an answer is drawn.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Sampling {
        temperature: Option<f64> = number("temperature", 1.0, 0.0..=100.0).optional(),
            "0 for the likeliest tokens; the server's own default if nothing is written";
        top_p: Option<f64> = number("top_p", 1.0, 1e-9..=1.0).optional(),
            "the share of probability that tokens are drawn from";
        max_tokens: Option<u32> = integer("max_tokens", None, 1..=MOST_TOKENS),
            "the most tokens of an answer";
        stop: Vec<String> = list("stop", &[]), "texts at which an answer ends, at most 64";
    }
}

settings! {
    /// How long to wait for what.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Timeouts {
        connect: Duration = number("connect_seconds", 10.0, SHORTEST..=LONGEST),
            "the longest wait for a connection";
        first_byte: Duration = number("first_byte_seconds", 1800.0, SHORTEST..=LONGEST),
            "the longest wait for an answer to begin; begins anew while the server answers requests that were sent before. \
             It is no time of the turn";
        idle: Duration = number("idle_seconds", 60.0, SHORTEST..=LONGEST),
            "the longest wait for the next piece of an answer that has begun";
        total: Duration = number("total_seconds", 300.0, SHORTEST..=LONGEST),
            "the longest wait for the rest of an answer that has begun";
    }
}

settings! {
    /// How much is asked at once and per minute.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ModelLimits {
        in_flight: u32 = integer("in_flight", Some(64), 1..=1_000_000),
            "the most requests that are on their way at the same time";
        adaptive: bool = flag("adaptive", true),
            "fewer requests are on their way when the server says 429, more when it does not";
        requests_per_minute: Option<f64> =
            number("requests_per_minute", 0.0, 0.001..=1e9).optional(),
            "the most requests a minute";
        tokens_per_minute: Option<f64> =
            number("tokens_per_minute", 0.0, 1.0..=1e12).optional(),
            "the most tokens a minute, prompt and answer together";
    }
}

settings! {
    /// Rules for requests that fail.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RetrySettings {
        attempts: u32 = integer("attempts", Some(6), 1..=1000),
            "how often a request is sent in all before its failure counts";
        first_wait: Duration = number("first_wait_seconds", 0.5, 0.0..=LONGEST),
            "the wait before the first retry; doubled for every further one, with jitter";
        longest_wait: Duration = number("longest_wait_seconds", 60.0, 0.0..=LONGEST),
            "the longest such wait; what a server asks for may be longer";
        asked_wait: Duration = number("asked_wait_seconds", 600.0, 0.0..=LONGEST),
            "the longest wait that a server may ask for (`Retry-After`), within `outage_seconds`";
        outage: Duration = number("outage_seconds", 3600.0, 0.0..=LONGEST),
            "how long calls wait for a server that is away before they fail";
    }
}

settings! {
    /// Where replies are kept, for all models of a run.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CacheSettings {
        mode: CacheMode = choice("mode", &["off", "only", "read", "write", "both"]),
            "whether kept replies are read and new ones written; `only` asks no server";
        folder: PathBuf = text("folder", Some("cache")), "the folder, from the working folder";
    }
}

/// Whether the cache is read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
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

settings! {
    /// Prices of tokens, per million.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Prices {
        input: f64 = number("input", 0.0, 0.0..=MOST_MONEY).optional(),
            "the price of a million tokens of prompts; must be given";
        output: f64 = number("output", 0.0, 0.0..=MOST_MONEY).optional(),
            "the price of a million generated tokens; must be given";
        cached_input: Option<f64> = number("cached_input", 0.0, 0.0..=MOST_MONEY).optional(),
            "the price of a million tokens of prompts that the server has in its cache; as `input` if nothing is written";
        currency: String = text("currency", Some("USD")),
            "the currency, the same for all models of a run";
    }
}

impl Prices {
    /// Cost of so many tokens.
    pub fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cached.min(usage.prompt);
        let cached_input = cached as f64 * self.cached_input.unwrap_or(self.input);
        ((usage.prompt - cached) as f64 * self.input + cached_input + usage.completion as f64 * self.output) / 1e6
    }

    /// Cost of a reply: what its provider states, which is in dollars, else that of its tokens.
    pub fn cost_of(&self, reply: &ModelReply) -> f64 {
        let billed = reply.billed.filter(|_| self.currency == "USD");
        billed.unwrap_or_else(|| self.cost(&reply.usage))
    }
}

impl SettingValue for Option<ScoringMethod> {
    fn read(values: &Parameters, name: &str) -> Self {
        values.word(name)
    }
}

impl SettingValue for CacheMode {
    fn read(values: &Parameters, name: &str) -> Self {
        values.choice(name)
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
