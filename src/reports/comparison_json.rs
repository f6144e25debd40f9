//! Comparisons for programs: `rolecall compare --json`.

use serde_json::{Map, Value, json};

use super::{ComparisonReport, ComparisonRow};
use crate::evaluation::{Comparison, CorpusDifference, Flip};

/// The comparisons: `base`, `by` if that was asked for, and `comparisons`, each with its `value`, `first`
/// (the base), `second`, `pairs`, `tasks`, `success`, `metrics`, `flipped`, `power`, and what was not compared; on tasks that ask for
/// responses `corpus`, and `chosen_by_outcome` where a side's episodes were.
pub fn json(report: &ComparisonReport<'_>) -> Value {
    let comparisons: Vec<Value> = report.rows.iter().map(object).collect();
    let mut all = json!({ "base": report.base, "comparisons": comparisons });
    if let Some(by) = &report.by {
        all["by"] = by.clone().into();
    }
    all
}

fn object(one: &ComparisonRow<'_>) -> Value {
    let (comparison, power) = (&one.comparison, &one.power);
    let solved = &comparison.solved;
    let pairs = solved.pairs() as f64;
    let mut object = json!({
        "first": comparison.first,
        "second": comparison.second,
        "pairs": solved.pairs(),
        "tasks": comparison.tasks,
        "alone": {"first": comparison.alone.0, "second": comparison.alone.1},
        "not_counted": {"first": one.apart.0, "second": one.apart.1},
        "success": {
            "first": (solved.both + solved.first) as f64 / pairs,
            "second": (solved.both + solved.second) as f64 / pairs,
            "both": solved.both,
            "only_first": solved.first,
            "only_second": solved.second,
            "neither": solved.neither,
            "difference": comparison.success.map(|found| found.value),
            "low": comparison.success.map(|found| found.low),
            "high": comparison.success.map(|found| found.high),
            "test": if comparison.is_repeated() { "signs by task" } else { "mcnemar" },
            "p": comparison.p,
            "p_holm": one.adjusted,
        },
        "metrics": means(comparison),
        "flipped": {"to_first": tasks(&one.lost), "to_second": tasks(&one.gained)},
        "power": {
            "difference": power.difference,
            "discordance": power.discordance,
            "design_effect": power.design_effect,
            "pairs_needed": power.needed,
            "detectable": power.detectable,
        },
    });
    if !one.corpus.is_empty() {
        object["corpus"] = corpus(&one.corpus);
    }
    if !one.chosen.is_empty() {
        let chosen = one.chosen.iter().map(|own| {
            json!({
                "side": if own.is_base { "first" } else { "second" },
                "run": own.run,
                "chosen": own.choice,
                "is_compared": own.is_compared,
            })
        });
        object["chosen_by_outcome"] = chosen.collect();
    }
    if !one.measures.is_empty() {
        object["measures"] = one.measures.clone().into();
    }
    if let Some(value) = &one.value {
        object["value"] = value.clone().into();
    }
    object
}

/// The differences of means by the name of the metric.
fn means(comparison: &Comparison) -> Map<String, Value> {
    let metrics = comparison.means.iter().map(|found| {
        let ends = found.difference.interval();
        let figures = json!({
            "pairs": found.difference.n(),
            "first": found.first,
            "second": found.second,
            "difference": found.difference.value(),
            "low": ends.map(|(low, _)| low),
            "high": ends.map(|(_, high)| high),
            "p": found.p,
        });
        (found.metric.clone(), figures)
    });
    metrics.collect()
}

/// The differences of all responses together by the name of the figure, as shares.
fn corpus(differences: &[CorpusDifference]) -> Value {
    let figure = |found: &CorpusDifference| {
        let figures = json!({
            "pairs": found.pairs,
            "first": found.first,
            "second": found.second,
            "difference": found.difference(),
            "low": found.interval.map(|(low, _)| low),
            "high": found.interval.map(|(_, high)| high),
            "p": found.p,
        });
        (found.overlap.name(), figures)
    };
    differences.iter().map(figure).collect()
}

fn tasks(flips: &[Flip<'_>]) -> Vec<Value> {
    let task = |flip: &Flip<'_>| {
        json!({
            "task": flip.task,
            "kind": flip.kind,
            "pairs": flip.pairs,
            "first": flip.first,
            "second": flip.second,
            "episodes": {"first": flip.example.0.episode, "second": flip.example.1.episode},
        })
    };
    flips.iter().map(task).collect()
}
