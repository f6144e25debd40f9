//! Costs of calls of models: totals and tokens by role beside recordings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::kit::Tally;
use rolecall_core::domain::{EpisodeId, Event, Message, ModelCall, ModelReply, RoleName, Seat, Usage};
use rolecall_core::evaluation::measure;
use rolecall_core::evaluation::metrics::{COMPLETION_TOKENS, COST, MODEL_CALLS, PROMPT_TOKENS};
use rolecall_core::maps::ordered;
use rolecall_core::ports::model::Prices;
use rolecall_core::ports::{EpisodeLog, Measurement, Metric};
use rolecall_core::text::json;

/// The tolerance of amounts.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Case {
    id: String,
    model: String,
    price_per_1k: Price,
    calls: Vec<Call>,
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
    n_calls: u64,
    cost_usd: f64,
    tokens_by_role: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Price {
    prompt: f64,
    completion: f64,
}

#[derive(Deserialize)]
struct Call {
    role: String,
    prompt_tokens: u64,
    completion_tokens: u64,
}

/// Sums up the calls of each case as those of an episode.
pub(super) fn costs(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let text = fs::read_to_string(file).context("cannot be read")?;
    let cases: Vec<Case> = json::read(&text)?;
    for case in &cases {
        check(case, tally).with_context(|| case.id.clone())?;
    }
    Ok(())
}

fn check(case: &Case, tally: &mut Tally) -> anyhow::Result<()> {
    let events = case.calls.iter().map(|call| event(case, call));
    let events: Vec<Event> = events.collect::<anyhow::Result<_>>()?;
    let id: EpisodeId = "main:0:0".parse()?;
    let log = EpisodeLog::new(&id, events.iter().collect());
    let metrics: [&dyn Metric; 4] = [&MODEL_CALLS, &PROMPT_TOKENS, &COMPLETION_TOKENS, &COST];
    let result = measure(&log, &metrics);
    let path = |value: &str| format!("{} {value}", case.id);
    let figure = |name: &str| match result.measures.get(name) {
        Measurement::Value(value) => value,
        _ => 0.0,
    };
    let totals = [
        ("prompt_tokens", case.prompt_tokens as f64),
        ("completion_tokens", case.completion_tokens as f64),
        ("model_calls", case.n_calls as f64),
        ("cost", case.cost_usd),
    ];
    for (name, recorded) in totals {
        tally.near(|| path(name), recorded, figure(name), TOLERANCE);
    }
    let tokens = |usage: &rolecall_core::evaluation::SeatUsage| usage.prompt + usage.completion;
    let total: u64 = result.usage.iter().map(tokens).sum();
    tally.check(|| path("total_tokens"), &case.total_tokens, &total);
    let usage = result.usage.iter();
    let by_role = usage.map(|usage| (usage.seat.to_string(), tokens(usage)));
    let by_role: BTreeMap<String, u64> = ordered(by_role);
    for role in case.tokens_by_role.keys().chain(by_role.keys()) {
        let (recorded, found) = (case.tokens_by_role.get(role), by_role.get(role));
        tally.check(|| path(role), &recorded, &found);
    }
    Ok(())
}

fn event(case: &Case, call: &Call) -> anyhow::Result<Event> {
    let usage = Usage { prompt: call.prompt_tokens, completion: call.completion_tokens, ..Usage::default() };
    let prices = Prices {
        input: case.price_per_1k.prompt * 1e3,
        output: case.price_per_1k.completion * 1e3,
        cached_input: None,
        currency: "USD".to_owned(),
    };
    let called = ModelCall {
        turn: 0,
        attempt: 0,
        call: 0,
        again: 0,
        unread: None,
        model: case.model.clone(),
        request: String::new(),
        cost: Some(prices.cost(&usage)),
        reply: ModelReply { usage, ..ModelReply::default() },
        remembered: false,
    };
    Ok(Event {
        seq: 0,
        cause: None,
        from: Seat::Role(RoleName::new(&call.role)?),
        to: Seat::Conductor,
        message: Message::ModelCalled(Box::new(called)),
    })
}
