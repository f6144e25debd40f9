//! When a question is worth it.

use serde_json::{Value, json};

use super::super::comparisons::{p_value, signed};
use super::super::figures::{interval, or_none, percent, range, value};
use super::super::json::estimate;
use super::super::{Layout, Table};
use crate::evaluation::{Arm, Bounded, Comparison, Estimate, MeanDifference, Timing, TimingPoint, UTILITY};

/// The ways in which episodes go on, in the order of tables and charts.
pub(in super::super) fn arms(point: &TimingPoint) -> [(&'static str, &Arm); 3] {
    [("fact given", &point.given), ("may ask", &point.free), ("may not ask", &point.silent)]
}

/// The tables of a cell.
pub fn timing_tables(timing: &Timing) -> Vec<Table> {
    let tables = [by_time(timing), worth(timing), by_kind(timing)];
    tables.into_iter().filter(|table| !table.is_empty()).collect()
}

/// The tables of cells, with what they come to in words.
pub fn timing_text(timings: &[Timing], layout: &Layout) -> String {
    let mut text = String::new();
    for timing in timings {
        for table in timing_tables(timing) {
            text += &table.text(layout);
            text.push('\n');
        }
        for remark in remarks(timing) {
            text += &format!("{remark}\n");
        }
        text.push('\n');
    }
    text
}

fn by_time(timing: &Timing) -> Table {
    let title = format!("What became of episodes of {}, left after a share of their moves", timing.cell);
    let mut table = Table::new(&title)
        .keys_of(["after", "from there on"])
        .numbers(["episodes", "solved %", "95 %", "steps", "utility"]);
    let priced = timing.points.iter().any(|point| point.given.cost != Estimate::Empty);
    if priced {
        table = table.numbers(["cost"]);
    }
    let row = |after: String, name: &str, arm: &Arm| {
        let mut texts = vec![
            after,
            name.to_owned(),
            arm.success.n().to_string(),
            value(&arm.success),
            interval(&arm.success),
            value(&arm.steps),
            value(&arm.utility),
        ];
        texts.extend(priced.then(|| or_none(arm.cost.value().map(super::super::figures::money))));
        texts
    };
    for point in &timing.points {
        for (name, arm) in arms(point) {
            table.row(row(format!("{} %", point.percent), name, arm));
        }
    }
    table.row(row("-".to_owned(), "as played", &timing.played));
    table
}

/// Differences of success, steps and utility.
fn differences(compared: &Comparison) -> [String; 6] {
    let success = compared.success;
    let [steps, utility] = ["steps", UTILITY].map(|metric| mean(compared, metric));
    [
        or_none(success.map(|found| signed(found.value * 100.0, 1))),
        or_none(success.map(|found| range((found.low, found.high), |end| signed(end * 100.0, 1)))),
        p_value(compared.p),
        or_none(steps.and_then(|found| found.difference.value()).map(|steps| signed(steps, 2))),
        or_none(steps.and_then(MeanDifference::interval).map(|ends| range(ends, |end| signed(end, 2)))),
        or_none(utility.and_then(|found| found.difference.value()).map(|value| signed(value, 3))),
    ]
}

const DIFFERENCES: [&str; 6] = ["solved, points", "95 %", "p", "steps", "95 % of steps", "utility"];

fn mean<'a>(compared: &'a Comparison, metric: &str) -> Option<&'a MeanDifference> {
    compared.means.iter().find(|found| found.metric == metric)
}

fn worth(timing: &Timing) -> Table {
    let title = format!("What knowing is worth in {}: the fact given, less no question from there on", timing.cell);
    let mut table = Table::new(&title).key("after").numbers(["pairs"]).numbers(DIFFERENCES);
    for point in &timing.points {
        if let Some(compared) = &point.worth {
            let mut texts = vec![format!("{} %", point.percent), compared.solved.pairs().to_string()];
            texts.extend(differences(compared));
            table.row(texts);
        }
    }
    table
}

fn by_kind(timing: &Timing) -> Table {
    let title = format!("The same in {} by the kind of the fact", timing.cell);
    let mut table = Table::new(&title).keys_of(["after", "kind"]).numbers(["pairs"]).numbers(DIFFERENCES);
    for point in &timing.points {
        for (kind, compared) in &point.kinds {
            let mut texts =
                vec![format!("{} %", point.percent), kind.as_str().to_owned(), compared.solved.pairs().to_string()];
            texts.extend(differences(compared));
            table.row(texts);
        }
    }
    table
}

/// Conclusions from the figures of a cell.
pub(in super::super) fn remarks(timing: &Timing) -> Vec<String> {
    let mut remarks = Vec::new();
    let quartile = |share: f64| {
        let last = timing.questions.len().checked_sub(1)?;
        let at = (last as f64 * share).round() as usize;
        timing.questions.get(at).map(|time| percent(*time))
    };
    remarks.push(match [0.5, 0.25, 0.75].map(quartile) {
        [Some(median), Some(low), Some(high)] => format!(
            "{} asked {} questions itself: half of them before {median} % of its moves, the middle half from \
             {low} to {high} %.",
            timing.cell,
            timing.questions.len()
        ),
        _ => format!("{} asked nothing itself.", timing.cell),
    });
    if let Some(best) = &timing.best {
        let when = match best.percent {
            None => "never to ask".to_owned(),
            Some(percent) => {
                format!("to know the most helpful fact after {percent} % of the moves")
            }
        };
        let as_played = value(&timing.played.utility);
        let regret = best.regret.as_ref().and_then(|regret| {
            let ends = regret.interval().map(|ends| range(ends, |end| signed(end, 3)));
            let mean = signed(regret.difference.value()?, 3);
            Some(format!("; regret {mean} ({})", or_none(ends)))
        });
        remarks.push(format!(
            "The best: {when}, utility {} against {as_played} as played{}.",
            value(&best.utility),
            regret.unwrap_or_default()
        ));
    }
    let shared = |what: &str, share: &Estimate| {
        (share.n() > 0).then(|| {
            let (value, interval) = (value(share), interval(share));
            format!("{what}: {value} % of {} episodes ({interval}).", share.n())
        })
    };
    remarks.extend(shared("Asked too much (solved in no more moves without its questions)", &timing.over));
    remarks.extend(shared("Asked too little (failed, and a fact would have solved it)", &timing.under));
    remarks
}

/// The figures for programs: a list with one object a cell.
pub fn timing_json(timings: &[Timing]) -> Value {
    timings.iter().map(cell_json).collect()
}

fn cell_json(timing: &Timing) -> Value {
    let points = timing.points.iter().map(|point| {
        let kinds = point.kinds.iter().map(|(kind, found)| (kind.as_str().to_owned(), comparison_json(found)));
        json!({
            "percent": point.percent,
            "facts": point.facts,
            "given": arm_json(&point.given),
            "free": arm_json(&point.free),
            "silent": arm_json(&point.silent),
            "worth": point.worth.as_ref().map(comparison_json),
            "kinds": kinds.collect::<serde_json::Map<_, _>>(),
        })
    });
    let best = timing.best.as_ref().map(|best| {
        json!({
            "percent": best.percent,
            "utility": estimate(&best.utility),
            "regret": best.regret.as_ref().map(mean_json),
        })
    });
    json!({
        "cell": timing.cell,
        "as_played": arm_json(&timing.played),
        "points": points.collect::<Vec<_>>(),
        "best": best,
        "asked": estimate(&timing.asked),
        "asked_too_much": estimate(&timing.over),
        "asked_too_little": estimate(&timing.under),
        "questions_at": timing.questions,
    })
}

fn arm_json(arm: &Arm) -> Value {
    json!({
        "success": estimate(&arm.success),
        "steps": estimate(&arm.steps),
        "cost": estimate(&arm.cost),
        "utility": estimate(&arm.utility),
    })
}

fn comparison_json(compared: &Comparison) -> Value {
    let bounded = |found: Bounded| json!({"value": found.value, "low": found.low, "high": found.high});
    let means = compared.means.iter().map(|found| (found.metric.clone(), mean_json(found)));
    json!({
        "pairs": compared.solved.pairs(),
        "success": compared.success.map(bounded),
        "p": compared.p,
        "metrics": means.collect::<serde_json::Map<_, _>>(),
    })
}

fn mean_json(found: &MeanDifference) -> Value {
    let (low, high) = found.interval().unzip();
    json!({"value": found.difference.value(), "low": low, "high": high, "p": found.p})
}
