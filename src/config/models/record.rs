//! What `run.toml` says about the models that a run uses: every setting, no secret.

use std::collections::BTreeMap;

use serde::Serialize;

use super::words::{ENDPOINTS, SCORING};
use crate::ports::model::{
    Capabilities, ModelLimits, ModelSettings, Prices, RetrySettings, Sampling, Timeouts,
};

/// `[cache]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CacheRecord {
    /// Whether it is read and written.
    pub mode: &'static str,
    /// The folder as it was written.
    pub folder: String,
}

/// A model: what [`ModelSettings`] hold, with the names of variables in place of secrets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelRecord {
    /// The name that the config gives it.
    pub name: String,
    /// Its provider.
    pub provider: &'static str,
    /// The name that the server knows it by.
    pub model: String,
    /// Where it is; empty if it is nowhere.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub base_url: String,
    /// Which kind of request is sent.
    pub endpoint: &'static str,
    /// The environment variable that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// Whether replies are streamed.
    pub stream: bool,
    /// Whether the seed is sent along.
    pub send_seed: bool,
    /// Tokens that prompt and answer may have together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u32>,
    /// For estimating tokens: what a token has in bytes on average.
    pub bytes_per_token: f64,
    /// The most that may be spent on it in a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spend: Option<f64>,
    /// The answers of a scripted model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The headers: `env:NAME` where the config names a variable, and no other value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Further fields of each request's body.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub extra_body: toml::Table,
    /// How answers are drawn.
    pub sampling: SamplingRecord,
    /// How much is asked at once and per minute.
    pub limits: ModelLimitsRecord,
    /// What happens when a request fails.
    pub retries: RetriesRecord,
    /// How long to wait for what.
    pub timeouts: TimeoutsRecord,
    /// What tokens cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<PricesRecord>,
    /// What the server can do.
    pub capabilities: CapabilitiesRecord,
}

impl ModelRecord {
    /// What of the settings is no secret. Headers, body and script are filled in from what
    /// was written.
    pub(super) fn of(provider: &'static str, settings: &ModelSettings) -> Self {
        let profile = &settings.profile;
        Self {
            name: profile.name.clone(),
            provider,
            model: profile.model.clone(),
            base_url: settings.base_url.clone(),
            endpoint: ENDPOINTS.name_of(settings.endpoint),
            api_key_env: settings.api_key_env.clone(),
            stream: settings.stream,
            send_seed: settings.send_seed,
            context_tokens: profile.context_tokens,
            bytes_per_token: profile.bytes_per_token,
            spend: settings.spend,
            script: None,
            headers: BTreeMap::new(),
            extra_body: toml::Table::new(),
            sampling: (&settings.sampling).into(),
            limits: (&settings.limits).into(),
            retries: (&settings.retries).into(),
            timeouts: (&settings.timeouts).into(),
            prices: profile.prices.as_ref().map(Into::into),
            capabilities: (&profile.capabilities).into(),
        }
    }
}

/// [`Sampling`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SamplingRecord {
    /// 0 for the likeliest tokens.
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

impl From<&Sampling> for SamplingRecord {
    fn from(sampling: &Sampling) -> Self {
        Self {
            temperature: sampling.temperature,
            top_p: sampling.top_p,
            max_tokens: sampling.max_tokens,
            stop: sampling.stop.clone(),
        }
    }
}

/// [`ModelLimits`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ModelLimitsRecord {
    /// Requests that are on their way at the same time, at most.
    pub in_flight: u32,
    /// Fewer requests are on their way when the server refuses some.
    pub adaptive: bool,
    /// Requests a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<f64>,
    /// Tokens a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<f64>,
}

impl From<&ModelLimits> for ModelLimitsRecord {
    fn from(limits: &ModelLimits) -> Self {
        Self {
            in_flight: limits.in_flight,
            adaptive: limits.adaptive,
            requests_per_minute: limits.requests_per_minute,
            tokens_per_minute: limits.tokens_per_minute,
        }
    }
}

/// [`RetrySettings`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RetriesRecord {
    /// How often a request is sent in all.
    pub attempts: u32,
    /// The wait before the first retry.
    pub first_wait_seconds: f64,
    /// The longest wait that is computed.
    pub longest_wait_seconds: f64,
    /// How long calls wait for a server that is away.
    pub outage_seconds: f64,
}

impl From<&RetrySettings> for RetriesRecord {
    fn from(retries: &RetrySettings) -> Self {
        Self {
            attempts: retries.attempts,
            first_wait_seconds: retries.first_wait.as_secs_f64(),
            longest_wait_seconds: retries.longest_wait.as_secs_f64(),
            outage_seconds: retries.outage.as_secs_f64(),
        }
    }
}

/// [`Timeouts`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeoutsRecord {
    /// For a connection.
    pub connect_seconds: f64,
    /// For the next piece of an answer.
    pub idle_seconds: f64,
    /// For the whole answer.
    pub total_seconds: f64,
}

impl From<&Timeouts> for TimeoutsRecord {
    fn from(timeouts: &Timeouts) -> Self {
        Self {
            connect_seconds: timeouts.connect.as_secs_f64(),
            idle_seconds: timeouts.idle.as_secs_f64(),
            total_seconds: timeouts.total.as_secs_f64(),
        }
    }
}

/// [`Prices`], per million tokens.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PricesRecord {
    /// Tokens of prompts.
    pub input: f64,
    /// Generated tokens.
    pub output: f64,
    /// The currency.
    pub currency: String,
}

impl From<&Prices> for PricesRecord {
    fn from(prices: &Prices) -> Self {
        Self {
            input: prices.input,
            output: prices.output,
            currency: prices.currency.clone(),
        }
    }
}

/// [`Capabilities`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CapabilitiesRecord {
    /// Answers can be forced into a JSON schema.
    pub json_schema: bool,
    /// Tools can be called.
    pub tools: bool,
    /// Generated tokens come with log-probabilities.
    pub logprobs: bool,
    /// Several completions come from one request.
    pub several: bool,
    /// How texts can be scored, if they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoring: Option<&'static str>,
}

impl CapabilitiesRecord {
    /// What it can do besides going on from texts, in words.
    pub fn words(&self) -> String {
        let flags = [
            ("json_schema", self.json_schema),
            ("tools", self.tools),
            ("logprobs", self.logprobs),
            ("several", self.several),
        ];
        let flags = flags.into_iter().filter(|(_, can)| *can);
        let mut words: Vec<String> = flags.map(|(word, _)| word.to_owned()).collect();
        words.extend(self.scoring.map(|method| format!("scoring ({method})")));
        if words.is_empty() {
            return "plain texts only".to_owned();
        }
        words.join(", ")
    }
}

impl From<&Capabilities> for CapabilitiesRecord {
    fn from(capabilities: &Capabilities) -> Self {
        Self {
            json_schema: capabilities.json_schema,
            tools: capabilities.tools,
            logprobs: capabilities.logprobs,
            several: capabilities.several,
            scoring: capabilities.scoring.map(|method| SCORING.name_of(method)),
        }
    }
}
