//! Figures with their intervals for programs.

use serde_json::{Value, json};

use crate::evaluation::Estimate;
use crate::evaluation::labels::Figure;

/// An estimate: `n`, and `value`, `low` and `high`, null where there is none.
pub(super) fn estimate(estimate: &Estimate) -> Value {
    let ends = estimate.interval();
    json!({
        "n": estimate.n(),
        "value": estimate.value(),
        "low": ends.map(|(low, _)| low),
        "high": ends.map(|(_, high)| high),
    })
}

/// A figure for programs; null if it has no value.
pub(super) fn figure(figure: Option<Figure>) -> Value {
    let Some(own) = figure else {
        return Value::Null;
    };
    let ends = own.interval;
    json!({
        "value": own.value,
        "low": ends.map(|(low, _)| low),
        "high": ends.map(|(_, high)| high),
    })
}
