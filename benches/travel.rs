//! Speed of travel: tools, and loading of millions of flights. Run with `cargo bench --bench travel`.
//!
//! Figures are processor time of one thread. With `ROLECALL_ORACLE` and `ROLECALL_DATA` the calls are the recorded ones
//! in the official country, in a loop as the original programs were measured; without them they are those of the
//! built-in country's conversations.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test or bench may stop and tell")]

mod measure;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use measure::row;
use rolecall::environments::travel::calls::{Call, Tool};
use rolecall::environments::travel::country::{Country, load_shared};
use rolecall::environments::travel::request::Request;
use rolecall::environments::travel::score::{Plan, Quirks, judge};
use rolecall::environments::travel::{generate, labels, tools};
use serde_json::Value;

/// Calls that are measured of each tool, about.
const MEASURED: usize = 50_000;

/// The flights of the official table.
const FLIGHTS: &str = "3850000";

/// Milliseconds of a call in the original program, and how many times faster it is to be here.
fn original(tool: Tool) -> (f64, f64) {
    match tool {
        Tool::Flight => (5.3, 1_000.0),
        Tool::Budget => (14.6, 1_000.0),
        _ => (1.1, 200.0),
    }
}

/// The recorded calls that were answered.
fn recorded(oracle: &Path) -> Vec<Call> {
    let text = std::fs::read_to_string(oracle.join("tool_calls.jsonl")).expect("recordings");
    let cases = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let calls = cases.filter_map(|case: Value| {
        let arguments = case["args"].as_array()?.iter().map(Value::to_string);
        let arguments: Vec<String> = arguments.collect();
        let call = format!("{}({})", case["tool"].as_str()?, arguments.join(", "));
        Call::read(&call).ok().filter(|_| case["ok"] == true)
    });
    calls.collect()
}

/// The calls that the built-in conversations want.
fn wanted() -> Vec<Call> {
    let conversations = generate::conversations("test");
    let calls = conversations.iter().flat_map(|conversation| {
        let last = conversation.state(conversation.details.len());
        labels::truth(&last)
    });
    calls.collect()
}

fn calls(country: &Country, calls: &[Call]) {
    for tool in Tool::ALL {
        let own: Vec<&Call> = calls.iter().filter(|call| call.tool() == tool).collect();
        if own.is_empty() {
            continue;
        }
        for (kind, perform) in [("view", tools::view as fn(&Country, &Call) -> _), ("full", tools::full)] {
            let rounds = MEASURED.div_ceil(own.len()) as u64;
            let took = measure::repeated(rounds, || {
                for call in &own {
                    black_box(perform(country, call).expect("a call that is answered"));
                }
            });
            let each = took.as_secs_f64() * 1e6 / (rounds as usize * own.len()) as f64;
            let (milliseconds, times) = original(tool);
            let reached = milliseconds * 1e3 / each;
            let missed = if reached < times { "MISSED " } else { "" };
            let unit = format!("µs, {reached:.0} times the original (to reach: {times}) {missed}");
            row(&format!("{} {kind}", tool.as_str()), each, &unit);
        }
    }
}

/// The recorded plans with their requests.
fn recorded_plans(oracle: &Path) -> Vec<(Request, Plan)> {
    let text = std::fs::read_to_string(oracle.join("plan_verdicts.jsonl")).expect("recordings");
    let cases = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let plans = cases.filter_map(|case: Value| {
        let plan = Plan::from_json(&case["plan"]).ok()?;
        Some((Request::from_json(&case["query"]).ok()?, plan))
    });
    plans.collect()
}

/// Judges plans in both ways.
fn plans(country: &Country, plans: &[(Request, Plan)]) {
    let rounds = MEASURED.div_ceil(plans.len() * 10) as u64;
    let took = measure::repeated(rounds, || {
        for (request, plan) in plans {
            for quirks in [Quirks::Reference, Quirks::Worded] {
                black_box(judge(country, request, plan, quirks));
            }
        }
    });
    let each = took.as_secs_f64() * 1e6 / (rounds as usize * plans.len()) as f64;
    let missed = if each > 120.0 { "MISSED" } else { "" };
    row("plan, both verdicts", each, &format!("µs (to reach: 120) {missed}"));
}

/// Loads as many flights as there are in the official table, from CSV and from a prepared file.
fn many_flights() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("large");
    let made = Command::new(env!("CARGO_BIN_EXE_rolecall"))
        .args(["data", "generate", "travel", "--count", "1", "--flights", FLIGHTS, "--out"])
        .arg(&data)
        .output()
        .expect("the program runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let prepared = folder.path().join("prepared");
    Country::prepare(&data, &prepared, &()).unwrap();
    for (what, path, seconds) in [("prepared file", &prepared, 0.3), ("CSV", &data, 3.0)] {
        let (country, spent) = measure::measured(|| Country::load(path, &()).unwrap());
        let missed = if spent.processor > seconds { "MISSED" } else { "" };
        let (flights, resident) = (country.flight_count(), measure::resident_bytes() / 1e6);
        let unit = format!("s (to reach: {seconds}), {flights} flights, {resident:.0} MB resident {missed}");
        row(&format!("loading, {what}"), spent.processor, &unit);
    }
    let most = measure::most_resident_bytes() / 1e6;
    row("most resident (to reach: 400)", most, "MB");
}

fn main() {
    if !measure::is_possible() {
        return;
    }
    let folder = |name: &str| std::env::var_os(name).map(|root| PathBuf::from(root).join("travel"));
    let (country, asked): (Arc<Country>, _) = match (folder("ROLECALL_ORACLE"), folder("ROLECALL_DATA")) {
        (Some(oracle), Some(data)) => {
            let (country, spent) = measure::measured(|| load_shared(&data, &()).expect("official files"));
            row("loading, official files at hand", spent.processor, "s");
            plans(&country, &recorded_plans(&oracle));
            (country, recorded(&oracle))
        }
        _ => (generate::builtin(), wanted()),
    };
    calls(&country, &asked);
    drop(country);
    many_flights();
}
