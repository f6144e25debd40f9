//! `rolecall models list`: the models of a config. Never a key: only the variable that holds it.

use std::process::ExitCode;

use super::ListArguments;
use crate::cli::output::{layout, succeed};
use crate::config::ModelRecord;
use crate::reports::Table;

/// Prints the models that the config describes.
pub(super) fn execute(arguments: &ListArguments) -> anyhow::Result<ExitCode> {
    let resolved = arguments.config.load()?;
    let models = &resolved.models;
    if arguments.json {
        return succeed(&(serde_json::to_string_pretty(models)? + "\n"));
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
    for model in models {
        table.row(row(model));
    }
    succeed(&table.text(&layout()))
}

fn row(model: &ModelRecord) -> Vec<String> {
    let key = model.api_key_env.as_ref();
    let key = key.map(|variable| format!("${variable}"));
    vec![
        model.name.clone(),
        model.provider.to_owned(),
        model.model.clone(),
        model.script.as_ref().unwrap_or(&model.base_url).clone(),
        key.unwrap_or_else(|| "none".to_owned()),
        model.abilities(),
        limits(model),
        prices(model),
    ]
}

fn limits(model: &ModelRecord) -> String {
    let limits = &model.limits;
    let mut words = vec![limits.in_flight.to_string()];
    let per_minute = [
        (limits.requests_per_minute, "requests"),
        (limits.tokens_per_minute, "tokens"),
    ];
    for (number, what) in per_minute {
        words.extend(number.map(|number| format!("{number} {what}/minute")));
    }
    words.join(", ")
}

fn prices(model: &ModelRecord) -> String {
    let Some(prices) = &model.prices else {
        return "unknown".to_owned();
    };
    let (input, output) = (prices.input, prices.output);
    format!("{input} in, {output} out {}", prices.currency)
}
