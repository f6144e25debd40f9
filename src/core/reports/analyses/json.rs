//! The analyses for programs.

use serde_json::{Map, Value, json};

use super::super::json::estimate;
use super::{Analyses, AnalysisPart, Shares, costs, shares, simulator, variance};
use crate::evaluation::analyses::{Histogram, Row};

/// One object: `runs`, `labels` (who gave categories and acts), and `rows`, each with `run`, `cell`, `user`,
/// `episodes`, `counted`, and the parts that are shown; `variance` is of all of them. Shares are from 0 to 1; what is not known is null.
pub fn object(analyses: &Analyses) -> Value {
    let rows = analyses.rows.iter();
    let rows: Vec<Value> = rows.map(|row| row_object(analyses, row)).collect();
    let rater = |rater: &Option<String>| rater.clone().unwrap_or_else(|| "rules".to_owned());
    let mut object = json!({
        "runs": analyses.runs,
        "labels": {"categories": rater(&analyses.raters.0), "acts": rater(&analyses.raters.1)},
        "rows": rows,
    });
    if analyses.shows(AnalysisPart::Variance) {
        object["variance"] = variance::object(analyses);
    }
    object
}

fn row_object(analyses: &Analyses, row: &Row) -> Value {
    let mut object = Map::new();
    let mut add = |name: &str, value: Value| object.insert(name.to_owned(), value);
    add("run", row.name.run.clone().into());
    add("cell", row.name.cell.as_str().into());
    add("user", row.name.user.clone().into());
    add("episodes", row.episodes.into());
    add("counted", row.counted.into());
    for part in &analyses.parts {
        let value = match part {
            AnalysisPart::Actions | AnalysisPart::Categories | AnalysisPart::Acts => {
                shares_object(analyses, *part, row)
            }
            AnalysisPart::Invalid => histogram(&row.invalid),
            AnalysisPart::Turns => json!({
                "turns": histogram(&row.turns.turns),
                "success": estimate(&row.turns.success),
            }),
            AnalysisPart::Questions => json!({
                "questions": estimate(&row.questions),
                "first_question": estimate(&row.first_question),
                "repeated": estimate(&row.repeated),
                "idle": estimate(&row.idle),
                "advice_followed": estimate(&row.followed),
            }),
            AnalysisPart::Saved => row.saved.as_ref().map_or(Value::Null, |saved| {
                json!({
                    "against": saved.base,
                    "pairs": saved.pairs,
                    "questions": saved.questions,
                    "steps": saved.steps,
                    "per_question": estimate(&saved.per_question),
                    "pairs_both_solved": saved.pairs_solved,
                    "per_question_both_solved": estimate(&saved.both_solved),
                })
            }),
            AnalysisPart::Own(part) => {
                let part = analyses.own(*part);
                part.map_or(Value::Null, |part| (part.object)(row))
            }
            AnalysisPart::Simulator => simulator::object(row),
            // It is of all rows together.
            AnalysisPart::Variance => continue,
            AnalysisPart::Costs => costs::object(row),
        };
        add(part.name(), value);
    }
    if analyses.shows(AnalysisPart::Acts) {
        add("declared", row.said.declared.into());
    }
    Value::Object(object)
}

fn shares_object(analyses: &Analyses, part: AnalysisPart, row: &Row) -> Value {
    let name = analyses.name(row);
    let Some(Shares { labels, rows, .. }) = shares(analyses, part) else {
        return json!({});
    };
    let counts =
        rows.into_iter().find(|(known, _)| *known == name).map_or_else(|| vec![0; labels.len()], |(_, counts)| counts);
    let total: u64 = counts.iter().sum();
    let parts = labels.into_iter().zip(counts).map(|(label, n)| {
        let share = (total > 0).then(|| n as f64 / total as f64);
        (label, json!({"n": n, "share": share}))
    });
    Value::Object(parts.collect())
}

fn histogram(histogram: &Histogram) -> Value {
    let bars = histogram.bars().map(|(count, episodes)| (count.to_string(), Value::from(episodes)));
    json!({
        "episodes": histogram.episodes(),
        "mean": histogram.mean(),
        "sd": histogram.deviation(),
        "median": histogram.median(),
        "by_count": Value::Object(bars.collect()),
    })
}
