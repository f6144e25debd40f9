//! `parser_cases.jsonl`: texts of models beside their recorded structures or errors.

use std::path::Path;

use anyhow::{Context, bail};
use rolecall_dialogue::language::{
    CueCotMode, Dataset, FormatError, Variable, chameleon_modules, chameleon_strategies, cue_cot, plan_do,
    react_source, react_strategy, source_plan,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::kit::{Tally, each_line};

/// A recorded text.
#[derive(Deserialize)]
struct Case {
    id: String,
    format: String,
    #[serde(default)]
    args: Map<String, Value>,
    output: String,
    expected: Value,
}

/// Compares each structure or error; the order of warnings does not count.
pub(super) fn parsers(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Case| {
        let found = read(&case).with_context(|| format!("`{}`", case.id))?;
        let expected = sorted(case.expected);
        tally.check(|| case.id.clone(), &expected, &sorted(found));
        Ok(())
    })
}

/// The text read as its format.
fn read(case: &Case) -> anyhow::Result<Value> {
    let text = case.output.as_str();
    let dataset = match argument(case, "dataset") {
        Some(name) => Dataset::named(name).with_context(|| format!("unknown data set `{name}`"))?,
        None => Dataset::Cima,
    };
    match case.format.as_str() {
        "tpe_source_plan" => outcome(source_plan(text, Variable::So, Dataset::Focus)),
        "rewoo_plan" => outcome(source_plan(text, Variable::E, Dataset::Focus)),
        "plan_do" => outcome(plan_do(text, dataset)),
        "react_source" | "finish" => outcome(react_source(text, Dataset::Focus)),
        "react_strategy" => outcome(react_strategy(text, dataset)),
        "chameleon_modules" => outcome(chameleon_modules(text, Dataset::Focus)),
        "chameleon_strategies" => outcome(chameleon_strategies(text, dataset)),
        "cue_cot" => outcome(cue_cot(text, mode(case)?, dataset)),
        other => bail!("unknown format `{other}`"),
    }
}

fn argument<'a>(case: &'a Case, name: &str) -> Option<&'a str> {
    case.args.get(name).and_then(Value::as_str)
}

fn mode(case: &Case) -> anyhow::Result<CueCotMode> {
    Ok(match argument(case, "mode") {
        Some("status") => CueCotMode::Status,
        Some("response") => CueCotMode::Response,
        Some("merged") => CueCotMode::Merged,
        other => bail!("unknown mode {other:?}; known are status, response and merged"),
    })
}

/// The structure or error in the form of the recording.
fn outcome<T: Serialize>(read: Result<T, FormatError>) -> anyhow::Result<Value> {
    Ok(match read {
        Ok(read) => json!({ "ok": read }),
        Err(error) => json!({ "error": error }),
    })
}

/// The value with its warnings in alphabetical order.
fn sorted(mut outcome: Value) -> Value {
    let warnings = outcome.pointer_mut("/ok/warnings");
    if let Some(warnings) = warnings.and_then(Value::as_array_mut) {
        warnings.sort_by_key(|warning| warning.as_str().map(str::to_owned));
    }
    outcome
}
