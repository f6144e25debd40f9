//! Calls of models by who asked (TPE Table 8).

use serde_json::{Value, json};

use super::super::Table;
use super::super::figures::{money, or_none};
use super::Analyses;
use crate::evaluation::analyses::Row;
use crate::evaluation::{CellUsage, SeatUsage};

/// Episodes of which the cost is told too: TPE played as many of each data set.
const EPISODES: f64 = 200.0;

/// The usage of all seats of a row; none if no model was called.
fn sum(row: &Row) -> Option<SeatUsage> {
    let mut all = row.usage.iter().map(|usage| usage.usage.clone());
    let first = all.next()?;
    Some(all.fold(first, |mut sum, usage| {
        sum.add(&usage);
        sum
    }))
}

fn texts(usage: &SeatUsage, episodes: usize) -> [String; 7] {
    let about = if usage.estimated > 0 { "~" } else { "" };
    let per = |sum: f64| sum / episodes.max(1) as f64;
    let tokens = usage.prompt.saturating_add(usage.completion) as f64;
    let cost = |scale: f64| {
        let cost = usage.cost.map(|cost| money(cost * scale));
        or_none(cost.map(|cost| format!("{about}{cost}")))
    };
    [
        usage.calls.to_string(),
        format!("{:.2}", per(usage.calls as f64)),
        format!("{about}{}", usage.prompt),
        format!("{about}{}", usage.completion),
        format!("{about}{:.0}", per(tokens)),
        cost(1.0),
        cost(per(EPISODES)),
    ]
}

/// A line for each seat and model of a row, and one for all of them. Without calls the table is empty.
pub(super) fn costs(analyses: &Analyses) -> Table {
    let mut table = Table::new("What models were asked for")
        .keys_of(["cell", "seat", "model"])
        .numbers(["episodes", "calls", "per episode"])
        .numbers(["tokens in", "tokens out", "per episode"])
        .numbers(["cost", "of 200 episodes"]);
    for row in analyses.rows.iter().filter(|row| !row.usage.is_empty()) {
        let mut line = |seat: String, model: &str, usage: &SeatUsage| {
            let episodes = row.episodes.to_string();
            let mut cells = vec![analyses.name(row), seat, model.to_owned(), episodes];
            cells.extend(texts(usage, row.episodes));
            table.row(cells);
        };
        for CellUsage { usage, .. } in &row.usage {
            line(usage.seat.to_string(), &usage.model, usage);
        }
        if let Some(sum) = sum(row).filter(|_| row.usage.len() > 1) {
            line("all".to_owned(), "", &sum);
        }
    }
    table
}

/// `seats` with calls, tokens and cost by seat and model, and the `total`; null without calls.
pub(super) fn object(row: &Row) -> Value {
    let Some(sum) = sum(row) else {
        return Value::Null;
    };
    let seats = row.usage.iter().map(|usage| json!(usage.usage));
    json!({
        "episodes": row.episodes,
        "seats": seats.collect::<Vec<_>>(),
        "total": {
            "calls": sum.calls, "prompt": sum.prompt, "completion": sum.completion,
            "estimated": sum.estimated > 0, "cost": sum.cost,
        },
    })
}
