//! Recordings of score.

mod totals;

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::{TOLERANCE, country, fields, items, near};
use crate::kit::{Check, Tally, each_line};
use rolecall_travel::request::{Attribute, Request};
use rolecall_travel::score::clarification::{Similarity, asks_for, binary, conversation_only};
use rolecall_travel::score::execution::{executed, well_formed};
use rolecall_travel::score::plan;
use rolecall_travel::score::{Checked, Crash, Plan, Quirks, Ruling, Verdict, judge};

/// The recordings.
pub(super) const RECORDINGS: &[(&str, Check)] = &[
    ("plan_parsing.jsonl", plans),
    ("plan_verdicts.jsonl", verdicts),
    ("answer_parsing.jsonl", answers),
    ("rule_based_score.jsonl", rules),
    ("bleu_rouge.jsonl", similarities),
    ("execution_metrics.jsonl", executions),
    ("score_aggregation.jsonl", totals::averages),
    ("e2e_test1000_ask_tool_logs.json.gz", totals::turns),
    ("e2e_test1000_metrics.json", totals::totals),
];

/// Constraints by the original's names.
const COMMONSENSE: [&str; 8] = [
    "is_reasonalbe_visiting_city",
    "is_valid_restaurants",
    "is_valid_attractions",
    "is_valid_accommodation",
    "is_valid_transportation",
    "is_valid_information_in_current_city",
    "is_valid_information_in_sandbox",
    "is_not_absent",
];
const HARD: [&str; 4] = ["valid_cuisine", "valid_housing", "valid_transportation", "valid_cost"];

fn id(case: &Value) -> String {
    case["id"].as_str().unwrap_or("?").to_owned()
}

fn text<'a>(case: &'a Value, key: &str) -> anyhow::Result<&'a str> {
    case[key].as_str().with_context(|| format!("no `{key}`"))
}

/// Compares a field of a case with what came out.
fn field(tally: &mut Tally, case: &Value, key: &str, found: &Value) {
    tally.check(|| format!("{} {key}", id(case)), &case[key], found);
}

/// Plans within texts.
fn plans(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Value| {
        match plan::parse(text(&case, "text")?) {
            Ok(plan) => field(tally, &case, "plan", &plan.to_json()),
            Err(reason) => {
                // Why no reader of Python's could read it is said in its readers' words.
                let known = |reason: &str| match reason.split_once(" decoder: ") {
                    Some((words, _)) => words.to_owned(),
                    None => reason.to_owned(),
                };
                let recorded = case["parse_error"].as_str().unwrap_or("none");
                tally.check(|| id(&case), &known(recorded), &known(&reason));
            }
        }
        Ok(())
    })
}

/// A ruling as it was recorded.
fn ruling(checked: &Checked) -> Value {
    match checked {
        Ok(Ruling::Met) => json!([true, null]),
        Ok(Ruling::Unmet(reason)) => json!([false, reason.as_deref().map(known)]),
        Ok(Ruling::Open) => json!([null, null]),
        Err(crash) if *crash == no_verdict() => Value::Null,
        Err(Crash(reason)) => json!(format!("RAISES {reason}")),
    }
}

/// Exception by which the original stops when it counts a constraint on which it gave no verdict.
fn no_verdict() -> Crash {
    Crash("AttributeError: 'NoneType' object has no attribute 'count'".to_owned())
}

/// A message without Python's own words behind a line break, its letters in order where it shows a set.
fn known(message: &str) -> String {
    let message = message.split('\n').next().unwrap_or_default();
    match message.starts_with('{') {
        true => {
            let mut letters: Vec<char> = message.chars().collect();
            letters.sort_unstable();
            letters.into_iter().collect()
        }
        false => message.to_owned(),
    }
}

/// A recorded value with its messages made comparable.
fn comparable(value: &Value) -> Value {
    match value {
        Value::String(message) => known(message).into(),
        Value::Array(items) => items.iter().map(comparable).collect(),
        Value::Object(_) => {
            let fields = fields(value).map(|(key, value)| (key.clone(), comparable(value)));
            fields.collect()
        }
        other => other.clone(),
    }
}

fn rulings(names: &[&str], all: &[Checked]) -> Value {
    let all = names.iter().zip(all);
    all.map(|(name, checked)| ((*name).to_owned(), ruling(checked))).collect()
}

/// A verdict as it was recorded.
fn shown(verdict: &Verdict) -> Value {
    let raised = |all: &[Checked]| {
        let mut crashes = all.iter().filter_map(|checked| checked.as_ref().err());
        let found = crashes.find(|crash| **crash != no_verdict());
        found.map(|Crash(reason)| reason.clone())
    };
    let sense = rulings(&COMMONSENSE, &verdict.commonsense);
    let hard = rulings(&HARD, &verdict.hard);
    json!({
        "commonsense": sense.clone(),
        "commonsense_each": sense,
        "commonsense_exception": raised(&verdict.commonsense),
        "hard_gate_open": verdict.counted().is_some(),
        "hard": verdict.counted().map(|_| hard.clone()),
        "hard_ungated": hard,
        "hard_ungated_exception": raised(&verdict.hard),
        "total_cost": match &verdict.cost {
            Ok(cost) => json!(cost),
            Err(Crash(reason)) => json!(format!("RAISES {reason}")),
        },
        "commonsense_macro": verdict.has_sense(),
        "hard_macro": verdict.fits(),
        "final_pass": verdict.passes(),
    })
}

/// Verdicts on plans.
fn verdicts(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    each_line(file, |case: Value| {
        let request = Request::from_json(&case["query"]).map_err(anyhow::Error::msg)?;
        let days = items(&case["plan"]).filter_map(Value::as_object);
        let plan = Plan { days: days.cloned().collect() };
        let found = shown(&judge(&country, &request, &plan, Quirks::Reference));
        for (key, recorded) in fields(&case["verdict"]) {
            let at = || format!("{} {key}", id(&case));
            match (recorded.as_f64(), found[key].as_f64()) {
                (Some(recorded), Some(own)) => tally.near(at, recorded, own, TOLERANCE),
                _ => tally.check(at, &comparable(recorded), &comparable(&found[key])),
            }
        }
        Ok(())
    })
}

/// Readings of clarifiers' answers.
fn answers(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Value| {
        let text = text(&case, "text")?;
        field(tally, &case, "binary", &binary(text).into());
        let question = json!(conversation_only(text));
        field(tally, &case, "conversation_only_question", &question);
        Ok(())
    })
}

/// Which details questions are about.
fn rules(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Value| {
        let question = text(&case, "question")?;
        let all = Attribute::ALL.into_iter();
        let found = all.filter(|attribute| asks_for(question, *attribute));
        let found: Value = found.map(Attribute::key).collect();
        field(tally, &case, "true_for", &found);
        Ok(())
    })
}

/// How alike questions are; the recording says so where the original divides by zero.
fn similarities(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Value| {
        let found = Similarity::of(text(&case, "prediction")?, text(&case, "reference")?);
        for (key, found) in alike(&found) {
            let recorded = match case["scores"].is_string() {
                true => &Value::from(0.0),
                false => &case["scores"][key],
            };
            near(|| format!("{} {key}", id(&case)), recorded, found, tally);
        }
        Ok(())
    })
}

/// The figures by the original's names.
type Figures<const N: usize> = [(&'static str, f64); N];

fn alike(found: &Similarity) -> Figures<4> {
    [("bleu", found.bleu), ("rouge1", found.rouge_1), ("rouge2", found.rouge_2), ("rougeL", found.rouge_l)]
}

/// How calls are scored.
fn executions(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Value| {
        let lines = |key: &str| -> Vec<&str> { items(&case[key]).filter_map(Value::as_str).collect() };
        for (key, found) in called(&lines("candidates"), &lines("labels")) {
            let recorded = case["main"].get(key).unwrap_or(&case[key]);
            near(|| format!("{} {key}", id(&case)), recorded, found, tally);
        }
        Ok(())
    })
}

/// The figures of calls beside those that are expected.
fn called(lines: &[&str], labels: &[&str]) -> Figures<7> {
    let found = executed(lines, labels);
    [
        ("api_match", found.api_match),
        ("precision", found.precision),
        ("recall", found.recall),
        ("f1", found.f1),
        ("repeat_rate", found.repeat_rate),
        ("pass_rate", number(found.pass)),
        ("well_formed", well_formed(lines.iter().copied())),
    ]
}

fn number(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}
