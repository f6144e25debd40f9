//! `rolecall models list`: the models of a config. Never a key: only the variable that holds it.

use std::process::ExitCode;

use super::ListArguments;
use crate::output::{harmless_json, layout, succeed};
use rolecall_core::ports::model::{ModelLimits, ModelSettings, Prices};
use rolecall_core::reports::Table;
use rolecall_run::config::ModelRecord;
use rolecall_run::registry::Registry;

/// Prints the models that the config describes.
pub(super) fn execute(arguments: &ListArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let resolved = arguments.config.load(registry)?;
    let models = &resolved.models;
    if arguments.json {
        return succeed(&harmless_json(&(serde_json::to_string_pretty(models)? + "\n")));
    }
    if models.is_empty() {
        return succeed("The config describes no model: write a table [models.NAME].\n");
    }
    let mut table = Table::new("Models").key("name").texts([
        "provider",
        "model",
        "where",
        "key",
        "can",
        "at once",
        "prices per million",
    ]);
    for (model, settings) in models.iter().zip(&resolved.plan.model_settings) {
        table.row(row(model, settings));
    }
    succeed(&table.text(&layout()))
}

fn row(model: &ModelRecord, settings: &ModelSettings) -> Vec<String> {
    let keys = &model.keys;
    let places = ["script", "checkpoint", "base_url"].map(|key| keys.text(key));
    let address = places.into_iter().find(|place| !place.is_empty()).unwrap_or("this program");
    let key = settings.api_key_env.as_ref().map(|variable| format!("${variable}"));
    vec![
        model.name.clone(),
        keys.text("provider").to_owned(),
        keys.text("model").to_owned(),
        address.to_owned(),
        key.unwrap_or_else(|| "none".to_owned()),
        model.abilities(),
        limits(&settings.limits),
        prices(settings.profile.prices.as_ref()),
    ]
}

fn limits(limits: &ModelLimits) -> String {
    let mut words = vec![limits.in_flight.to_string()];
    let per_minute = [(limits.requests_per_minute, "requests"), (limits.tokens_per_minute, "tokens")];
    for (number, what) in per_minute {
        words.extend(number.map(|number| format!("{number} {what}/minute")));
    }
    words.join(", ")
}

fn prices(prices: Option<&Prices>) -> String {
    match prices {
        Some(prices) => format!("{} in, {} out {}", prices.input, prices.output, prices.currency),
        None => "unknown".to_owned(),
    }
}
