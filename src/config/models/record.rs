//! What `run.toml` says about the models that a run uses: every setting, no secret.

use std::collections::BTreeMap;

use serde::Serialize;
use toml::Value;

use crate::config::record::SettingsRecord;
use crate::ports::model::ModelSettings;

/// A model: its settings, with the names of variables in place of secrets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelRecord {
    /// The name that the config gives it.
    pub name: String,
    /// The keys of its own table.
    #[serde(flatten)]
    pub keys: SettingsRecord,
    /// The headers: `env:NAME` where the config names a variable, and no other value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Further fields of each request's body.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub extra_body: toml::Table,
    /// How answers are drawn.
    pub sampling: SettingsRecord,
    /// How much is asked at once and per minute.
    pub limits: SettingsRecord,
    /// What happens when a request fails.
    pub retries: SettingsRecord,
    /// How long to wait for what.
    pub timeouts: SettingsRecord,
    /// What tokens cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<SettingsRecord>,
    /// What the server can do.
    pub capabilities: SettingsRecord,
    /// What its client is built from.
    #[serde(skip)]
    pub settings: ModelSettings,
}

impl ModelRecord {
    /// What it can do besides going on from texts, in words.
    pub fn abilities(&self) -> String {
        let word = |(name, value): &(&str, Value)| match value {
            Value::Boolean(true) => Some((*name).to_owned()),
            Value::String(method) => Some(format!("{name} ({method})")),
            _ => None,
        };
        let words: Vec<String> = self.capabilities.iter().filter_map(word).collect();
        if words.is_empty() {
            return "plain texts only".to_owned();
        }
        words.join(", ")
    }
}
