//! Recordings of tools: what calls answer, what days cost, and the generator of draws.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{country, fields, items};
use crate::kit::{Check, Tally, each_line, read};
use rolecall_core::text::mt19937::PythonRandom;
use rolecall_travel::calls::Call;
use rolecall_travel::request::Draws;
use rolecall_travel::tools::cost::{Failures, Variant, check, enquire};
use rolecall_travel::tools::{ToolFault, full, specs, view};

/// The recordings.
pub(super) const RECORDINGS: &[(&str, Check)] =
    &[("tool_calls.jsonl", tool_calls), ("cost_enquiry.jsonl", costs), ("misc.json", draws)];

/// Answers of calls.
fn tool_calls(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    each_line(file, |case: Value| {
        let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let recorded = match text("error_type").as_str() {
            "" => Ok(text("result")),
            other if other.starts_with("OTHER:") => Err(ToolFault::Other),
            _ => Err(ToolFault::Tool(text("error"))),
        };
        let found = call(&text("tool"), &case["args"]).map(|call| match case["mode"] == "view" {
            true => view(&country, &call),
            false => full(&country, &call),
        });
        tally.check(|| text("id"), &Some(recorded), &found);
        Ok(())
    })
}

/// The call of positional arguments.
fn call(tool: &str, arguments: &Value) -> Option<Call> {
    let spec = specs().into_iter().find(|spec| spec.name == tool)?;
    let names = fields(&spec.parameters["properties"]).map(|(name, _)| name.clone());
    let arguments: Map<String, Value> = names.zip(items(arguments).cloned()).collect();
    Call::from_native(tool, &arguments.into()).ok()
}

/// Costs of days, as planners of both kinds are told.
fn costs(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    each_line(file, |case: Value| {
        for (field, variant) in [("react", Variant::React), ("reflect", Variant::Reflexion)] {
            let (text, _) = enquire(&country, &case["subplan"], variant);
            let at = || format!("{} {field}", case["id"]);
            tally.check(at, &case[field], &text.into());
        }
        Ok(())
    })
}

/// Draws of a generator, the form of a day's plan, and how enquiries that fail are counted.
fn draws(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let recorded: Value = read(file)?;
    let mut random = PythonRandom::new(42);
    for number in items(&recorded["python_random_seed42_random"]) {
        tally.check(|| "random".to_owned(), number, &random.random().into());
    }
    let choices = &recorded["python_random_seed42_then_k_randoms_then_choice_of_range_n"];
    let among = Vec::<usize>::deserialize(&choices["ns"])?;
    for (k, drawn) in items(&choices["k0..k3"]).enumerate() {
        let mut draws = Draws::after(k);
        let found: Value = among.iter().map(|among| draws.choice(*among)).collect();
        tally.check(|| format!("choices after {k}"), drawn, &found);
    }
    for case in items(&recorded["check_subplan_format"]) {
        let found = match check(&case[0]) {
            Ok(_) => Value::Bool(true),
            Err(problem) => format!("ParseError: {problem}").into(),
        };
        tally.check(|| case[0].to_string(), &case[1], &found);
    }
    let mut failures = Failures::default();
    for (number, case) in items(&recorded["reflect_calculator_retry_sequence"]).enumerate() {
        // All but the fifth of the recorded enquiries fail.
        let is_stopped = failures.count(number == 4);
        let found = json!([failures.0, is_stopped]);
        tally.check(|| format!("enquiry {number}"), case, &found);
    }
    Ok(())
}
