//! What models were asked, what it cost, and what it took.

use serde_json::{Map, Value, json};

use super::figures::{NONE, money, percent};
use super::{Align, Table};
use crate::evaluation::{CellUsage, ModelUse, ServerUse, Summary};

/// The mark of figures that rest on estimates.
const ABOUT: &str = "~";

/// Calls, tokens and cost by cell, seat and model, from the log; estimated tokens, and what rests on
/// them, have a `~`. Without calls the table has no rows.
pub fn models(summary: &Summary) -> Table {
    let models = &summary.models;
    let mut table = Table::new("Models")
        .keys_of(["cell", "seat", "model"])
        .numbers(["episodes", "calls", "tokens in", "tokens out"]);
    let priced = models.calls.iter().any(|row| row.usage.cost.is_some());
    if priced {
        table = table.column(&with_currency("list cost", models), Align::Right);
    }
    for CellUsage {
        cell,
        episodes,
        usage,
    } in &models.calls
    {
        let about = if usage.estimated > 0 { ABOUT } else { "" };
        let mut texts = vec![
            cell.to_string(),
            usage.seat.to_string(),
            usage.model.clone(),
            episodes.to_string(),
            usage.calls.to_string(),
            format!("{about}{}", usage.prompt),
            format!("{about}{}", usage.completion),
        ];
        if priced {
            texts.push(amount(about, usage.cost));
        }
        table.row(texts);
    }
    table
}

/// What it took to get the answers, by cell and model, from the timings. Without calls the table
/// has no rows.
pub fn servers(summary: &Summary) -> Table {
    let models = &summary.models;
    let title = "Models: what it took (not deterministic)";
    let mut table = Table::new(title)
        .keys_of(["cell", "model"])
        .numbers(["calls", "failed", "cached %", "requests", "retries"]);
    let paid = models.servers.iter().any(|row| row.tally.paid.is_some());
    if paid {
        table = table.column(&with_currency("paid", models), Align::Right);
    }
    table = table.numbers(["latency ms", "waited s"]);
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
        if paid {
            texts.push(amount("", tally.paid));
        }
        let latency = tally.mean_latency_ms();
        texts.push(latency.map_or(NONE.to_owned(), |latency| format!("{latency:.1}")));
        texts.push(format!("{:.1}", tally.waited_ms / 1e3));
        table.row(texts);
    }
    table
}

fn with_currency(head: &str, models: &ModelUse) -> String {
    let currency = models.currency.as_ref();
    currency.map_or_else(
        || head.to_owned(),
        |currency| format!("{head} ({currency})"),
    )
}

fn amount(about: &str, cost: Option<f64>) -> String {
    cost.map_or(NONE.to_owned(), |cost| format!("{about}{}", money(cost)))
}

/// The same for programs: `models`, `servers` and `currency`; nothing if no model was called.
pub(super) fn add_json(object: &mut Map<String, Value>, models: &ModelUse) {
    if models.calls.is_empty() && models.servers.is_empty() {
        return;
    }
    let calls = models.calls.iter().map(|row| {
        let usage = &row.usage;
        json!({
            "cell": row.cell,
            "seat": usage.seat,
            "model": usage.model,
            "episodes": row.episodes,
            "calls": usage.calls,
            "prompt_tokens": usage.prompt,
            "completion_tokens": usage.completion,
            "estimated_calls": usage.estimated,
            "cost": usage.cost,
        })
    });
    let servers = models.servers.iter().map(|row| {
        let mut server = json!({
            "cell": row.cell,
            "model": row.model,
            "mean_latency_ms": row.tally.mean_latency_ms(),
        });
        if let (Some(server), Ok(Value::Object(tally))) =
            (server.as_object_mut(), serde_json::to_value(&row.tally))
        {
            server.extend(tally);
        }
        server
    });
    object.insert("models".to_owned(), calls.collect());
    object.insert("servers".to_owned(), servers.collect());
    object.insert("currency".to_owned(), models.currency.clone().into());
}
