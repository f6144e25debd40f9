//! What models were asked for, by who asked (TPE Table 8).

use serde_json::{Value, json};

use super::super::Table;
use super::super::figures::{money, or_none};
use super::Analyses;
use crate::evaluation::CellUsage;
use crate::evaluation::analyses::Row;

/// Episodes of which the cost is told too: TPE played as many of each data set.
const EPISODES: f64 = 200.0;

/// The calls of some seats together.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    calls: u64,
    prompt: u64,
    completion: u64,
    estimated: bool,
    cost: Option<f64>,
}

impl Sum {
    fn of<'a>(all: impl Iterator<Item = &'a CellUsage>) -> Self {
        let mut sum = Self::default();
        for CellUsage { usage, .. } in all {
            sum.calls += usage.calls;
            sum.prompt = sum.prompt.saturating_add(usage.prompt);
            sum.completion = sum.completion.saturating_add(usage.completion);
            sum.estimated |= usage.estimated > 0;
            if let Some(cost) = usage.cost {
                *sum.cost.get_or_insert(0.0) += cost;
            }
        }
        sum
    }

    /// Calls, tokens in and out, tokens per episode, cost, and what 200 episodes cost.
    fn texts(&self, episodes: usize) -> [String; 7] {
        let about = if self.estimated { "~" } else { "" };
        let per = |sum: f64| sum / episodes.max(1) as f64;
        let tokens = self.prompt.saturating_add(self.completion) as f64;
        let cost = |scale: f64| {
            let cost = self
                .cost
                .map(|cost| format!("{about}{}", money(cost * scale)));
            or_none(cost)
        };
        [
            self.calls.to_string(),
            format!("{:.2}", per(self.calls as f64)),
            format!("{about}{}", self.prompt),
            format!("{about}{}", self.completion),
            format!("{about}{:.0}", per(tokens)),
            cost(1.0),
            cost(per(EPISODES)),
        ]
    }
}

/// A line for each seat and model of a row, and one for all of them. Without calls the table is empty.
pub(super) fn costs(analyses: &Analyses) -> Table {
    let mut table = Table::new("What models were asked for")
        .keys_of(["cell", "seat", "model"])
        .numbers([
            "episodes",
            "calls",
            "per episode",
            "tokens in",
            "tokens out",
            "per episode",
            "cost",
            "of 200 episodes",
        ]);
    for row in analyses.rows.iter().filter(|row| !row.usage.is_empty()) {
        let mut line = |seat: String, model: &str, sum: Sum| {
            let head = [analyses.name(row), seat, model.to_owned()];
            let texts = sum.texts(row.episodes);
            let episodes = std::iter::once(row.episodes.to_string());
            table.row(head.into_iter().chain(episodes).chain(texts).collect());
        };
        for usage in &row.usage {
            let own = Sum::of(std::iter::once(usage));
            line(usage.usage.seat.to_string(), &usage.usage.model, own);
        }
        if row.usage.len() > 1 {
            line("all".to_owned(), "", Sum::of(row.usage.iter()));
        }
    }
    table
}

/// `seats` with calls, tokens and cost by seat and model, and the `total`; null without calls.
pub(super) fn object(row: &Row) -> Value {
    if row.usage.is_empty() {
        return Value::Null;
    }
    let seats = row.usage.iter().map(|usage| json!(usage.usage));
    let sum = Sum::of(row.usage.iter());
    json!({
        "episodes": row.episodes,
        "seats": seats.collect::<Vec<_>>(),
        "total": {
            "calls": sum.calls, "prompt": sum.prompt, "completion": sum.completion,
            "estimated": sum.estimated, "cost": sum.cost,
        },
    })
}
