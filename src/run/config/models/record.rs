//! The models in `run.toml`: every setting, no secret.

use std::collections::BTreeMap;

use serde::Serialize;
use toml::Value;

use crate::config::recorded::SettingsRecord;

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
    /// Sampling of answers.
    pub sampling: SettingsRecord,
    /// Limits on requests.
    pub limits: SettingsRecord,
    /// Retries of failed requests.
    pub retries: SettingsRecord,
    /// Timeouts of requests.
    pub timeouts: SettingsRecord,
    /// Prices of tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<SettingsRecord>,
    /// Capabilities of the server.
    pub capabilities: SettingsRecord,
}

impl ModelRecord {
    /// Its capabilities besides completing texts, in words.
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
