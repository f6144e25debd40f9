//! Calls of models: tokens, cost, and time.

use serde_json::{Map, Value, json};

use super::Table;
use super::figures::{money, or_none, percent};
use crate::evaluation::{ModelUse, ServerUse, Summary};
use crate::text::joined;

/// The mark of figures that rest on estimates.
const ABOUT: &str = "~";

/// Calls, tokens and cost by cell, seat and model, from the log; estimated tokens, and what rests on
/// them, have a `~`. Without calls the table has no rows.
pub fn models(summary: &Summary) -> Table {
    let models = &summary.models;
    let priced = models.calls.iter().any(|row| row.usage.cost.is_some());
    let served = models.calls.iter().any(|row| !row.usage.served.is_empty());
    let cost = with_currency("list cost", models);
    let mut table = Table::new("Models")
        .keys_of(["cell", "seat", "model"])
        .numbers(["episodes", "calls", "tokens in", "tokens out"])
        .numbers(priced.then_some(cost.as_str()))
        .texts(served.then_some("answered by"));
    for row in &models.calls {
        let usage = &row.usage;
        let about = if usage.estimated > 0 { ABOUT } else { "" };
        let mut texts = vec![
            row.cell.to_string(),
            usage.seat.to_string(),
            usage.model.clone(),
            row.episodes.to_string(),
            usage.calls.to_string(),
            format!("{about}{}", usage.prompt),
            format!("{about}{}", usage.completion),
        ];
        texts.extend(priced.then(|| amount(about, usage.cost)));
        texts.extend(served.then(|| joined(&usage.served)));
        table.row(texts);
    }
    table
}

/// Requests, retries and latencies, by cell and model, from the timings. Without calls the table
/// has no rows.
pub fn servers(summary: &Summary) -> Table {
    let models = &summary.models;
    let paid = models.servers.iter().any(|row| row.tally.paid.is_some());
    let has_prefix = models.servers.iter().any(|row| row.tally.cached_tokens > 0 && row.tally.prompt_tokens > 0);
    let has_lost = models.servers.iter().any(|row| row.tally.lost_tokens > 0);
    let cost = with_currency("paid", models);
    let mut table = Table::new("Models: what it took (not deterministic)")
        .keys_of(["cell", "model"])
        .numbers(["calls", "failed", "reply cache %", "requests", "retries"])
        .numbers(has_prefix.then_some("server cache %"))
        .numbers(has_lost.then_some("lost tokens"))
        .numbers(paid.then_some(cost.as_str()))
        .numbers(["latency ms", "waited s"]);
    for ServerUse { cell, model, tally } in &models.servers {
        let hits = tally.cache_hits as f64 / (tally.calls.max(1)) as f64;
        let mut texts = vec![
            cell.to_string(),
            model.clone(),
            tally.calls.to_string(),
            tally.failed.to_string(),
            percent(hits),
            tally.requests.to_string(),
            tally.retries.values().sum::<u64>().to_string(),
        ];
        let prefix = (tally.prompt_tokens > 0).then(|| tally.cached_tokens as f64 / tally.prompt_tokens as f64);
        texts.extend(has_prefix.then(|| or_none(prefix.map(percent))));
        texts.extend(has_lost.then(|| format!("{ABOUT}{}", tally.lost_tokens)));
        texts.extend(paid.then(|| amount("", tally.paid)));
        let latency = tally.mean_latency_ms();
        texts.push(or_none(latency.map(|latency| format!("{latency:.1}"))));
        texts.push(format!("{:.1}", tally.waited_ms / 1e3));
        table.row(texts);
    }
    table
}

fn with_currency(head: &str, models: &ModelUse) -> String {
    match &models.currency {
        Some(currency) => format!("{head} ({currency})"),
        None => head.to_owned(),
    }
}

fn amount(about: &str, cost: Option<f64>) -> String {
    or_none(cost.map(|cost| about.to_owned() + &money(cost)))
}

/// Adds `models`, `servers` and `currency` for programs; nothing if no model was called.
pub(super) fn add_json(object: &mut Map<String, Value>, models: &ModelUse) {
    if models.calls.is_empty() && models.servers.is_empty() {
        return;
    }
    let calls = models.calls.iter().map(|row| {
        let usage = &row.usage;
        let mut calls = json!({
            "cell": row.cell,
            "seat": usage.seat,
            "model": usage.model,
            "episodes": row.episodes,
            "calls": usage.calls,
            "prompt_tokens": usage.prompt,
            "completion_tokens": usage.completion,
            "estimated_calls": usage.estimated,
            "cost": usage.cost,
        });
        if !usage.served.is_empty() {
            calls["served"] = json!(usage.served);
        }
        calls
    });
    let servers = models.servers.iter().map(|row| {
        let mut server = json!({
            "cell": row.cell,
            "model": row.model,
            "mean_latency_ms": row.tally.mean_latency_ms(),
        });
        if let (Some(server), Ok(Value::Object(tally))) = (server.as_object_mut(), serde_json::to_value(&row.tally)) {
            server.extend(tally);
        }
        server
    });
    object.insert("models".to_owned(), calls.collect());
    object.insert("servers".to_owned(), servers.collect());
    object.insert("currency".to_owned(), models.currency.clone().into());
}
