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
    pub sampling: Sampling,
    /// How much is asked at once and per minute.
    pub limits: ModelLimits,
    /// What happens when a request fails.
    pub retries: RetrySettings,
    /// How long to wait for what.
    pub timeouts: Timeouts,
    /// What tokens cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// What the server can do.
    pub capabilities: Capabilities,
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
            sampling: settings.sampling.clone(),
            limits: settings.limits,
            retries: settings.retries,
            timeouts: settings.timeouts,
            prices: profile.prices.clone(),
            capabilities: profile.capabilities,
        }
    }
    /// What it can do besides going on from texts, in words.
    pub fn abilities(&self) -> String {
        let can = &self.capabilities;
        let flags = [
            ("json_schema", can.json_schema),
            ("tools", can.tools),
            ("logprobs", can.logprobs),
            ("several", can.several),
        ];
        let flags = flags.into_iter().filter(|(_, can)| *can);
        let mut words: Vec<String> = flags.map(|(word, _)| word.to_owned()).collect();
        let scoring = can.scoring.map(|method| SCORING.name_of(method));
        words.extend(scoring.map(|method| format!("scoring ({method})")));
        if words.is_empty() {
            return "plain texts only".to_owned();
        }
        words.join(", ")
    }
}
