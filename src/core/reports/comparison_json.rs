//! Comparisons for programs: `rolecall compare --json`.

use serde_json::{Map, Value, json};

use super::json::estimate;
use super::{ChosenByOutcome, ComparisonReport, ComparisonRow, Remedy};
use crate::evaluation::{CorpusDifference, Equivalence, Flip, MeanDifference, Sequential, Taken, Verdict};

/// The comparisons: `base`, `by` if that was asked for, and `comparisons`, each with its `value`, `first`
/// (the base), `second`, `pairs`, `tasks`, `success`, `metrics`, `flipped`, `power`, and what was not compared; on tasks that ask for
/// responses `corpus`, and `chosen_by_outcome` where a side's episodes were; `sequential` and `equivalence` if they
/// were asked for.
pub fn json(report: &ComparisonReport<'_>) -> Value {
    let comparison = |row: &ComparisonRow<'_>| {
        let mut all = object(row);
        let comparison = &row.comparison;
        if report.sequential {
            all["sequential"] = sequential(&comparison.sequential, report.margin);
        }
        if let Some(found) = report.margin.and_then(|margin| comparison.equivalence(margin)) {
            all["equivalence"] = equivalence(&found);
        }
        all
    };
    let comparisons: Vec<Value> = report.rows.iter().map(comparison).collect();
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
        "withheld": {"first": one.withheld[0].0, "second": one.withheld[1].0},
        "answered": {"first": estimate(&one.withheld[0].1), "second": estimate(&one.withheld[1].1)},
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
        "metrics": means(one),
        "flipped": {"to_first": tasks(&one.lost), "to_second": tasks(&one.gained)},
        "power": {
            "difference": power.difference,
            "discordance": power.discordance,
            "design_effect": power.design_effect,
            "pairs_needed": power.needed,
            "discordance_limit": power.discordance_limit,
            "pairs_needed_at_limit": power.needed_at_limit,
            "detectable": power.detectable,
        },
    });
    if !one.corpus.is_empty() {
        object["corpus"] = corpus(one);
    }
    if !one.chosen.is_empty() {
        object["chosen_by_outcome"] = one.chosen.iter().map(chosen).collect();
    }
    if !one.measures.is_empty() {
        object["measures"] = one.measures.clone().into();
    }
    if let Some(value) = &one.value {
        object["value"] = value.clone().into();
    }
    object
}

/// A choice by outcome, with the control that makes up for it or the command that plays that.
fn chosen(side: &ChosenByOutcome) -> Value {
    let mut all = json!({
        "side": if side.is_base { "first" } else { "second" },
        "run": side.run,
        "chosen": side.choice,
        "is_compared": side.is_compared,
    });
    match &side.remedy {
        Some(Remedy::Control { name, .. }) => all["control"] = name.clone().into(),
        Some(Remedy::Command(command)) => all["control_command"] = command.clone().into(),
        None => {}
    }
    all
}

/// The differences of means by the name of the metric.
fn means(one: &ComparisonRow<'_>) -> Map<String, Value> {
    let shown = one.shown_means();
    let adjusted = |found: &MeanDifference| {
        shown.iter().zip(&one.adjusted_means).find_map(|(other, p)| (other.metric == found.metric).then_some(*p))
    };
    one.comparison
        .means
        .iter()
        .map(|found| {
            let ends = found.difference.interval();
            let mut figures = json!({
                "pairs": found.difference.n(),
                "first": found.first,
                "second": found.second,
                "difference": found.difference.value(),
                "low": ends.map(|(low, _)| low),
                "high": ends.map(|(_, high)| high),
                "p": found.p,
            });
            if let Some(adjusted) = adjusted(found) {
                figures["p_holm"] = adjusted.into();
            }
            (found.metric.clone(), figures)
        })
        .collect()
}

/// The differences of all responses together by the name of the figure, as shares.
fn corpus(one: &ComparisonRow<'_>) -> Value {
    let mut adjusted = one.adjusted_corpus.iter();
    let figure = |found: &CorpusDifference| {
        let mut figures = json!({
            "pairs": found.pairs,
            "first": found.first,
            "second": found.second,
            "difference": found.difference(),
            "low": found.interval.map(|(low, _)| low),
            "high": found.interval.map(|(_, high)| high),
            "p": found.p,
        });
        if let Some(adjusted) = found.p.and_then(|_| adjusted.next()) {
            figures["p_holm"] = (*adjusted).into();
        }
        (found.overlap.name(), figures)
    };
    one.corpus.iter().map(figure).collect()
}

/// The comparison after every task; `verdict` is `undecided` as long as the runs must continue.
fn sequential(found: &Sequential, margin: Option<f64>) -> Value {
    let taken = |taken: &Taken| json!({"tasks": taken.tasks, "pairs": taken.pairs});
    let looks = found.looks.iter().map(|(taken, interval)| {
        json!({
            "tasks": taken.tasks,
            "pairs": taken.pairs,
            "difference": interval.value,
            "low": interval.low,
            "high": interval.high,
        })
    });
    let verdict = found.verdict(margin);
    json!({
        "tasks": found.taken.tasks,
        "pairs": found.taken.pairs,
        "waiting": found.waiting,
        "difference": found.interval.map(|interval| interval.value),
        "low": found.interval.map(|interval| interval.low),
        "high": found.interval.map(|interval| interval.high),
        "p": found.p,
        "decided_after": found.decided.as_ref().map(taken),
        "verdict": verdict.word(),
        "stop": verdict != Verdict::Undecided,
        "looks": looks.collect::<Vec<Value>>(),
    })
}

fn equivalence(found: &Equivalence) -> Value {
    json!({
        "margin": found.margin,
        "low": found.interval.0,
        "high": found.interval.1,
        "p": found.p,
        "verdict": found.verdict.word(),
    })
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
