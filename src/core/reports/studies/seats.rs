//! Whose a difference between two casts is.

use serde_json::{Value, json};

use super::super::comparisons::signed;
use super::super::figures::{interval, or_none, range, value};
use super::super::json::estimate;
use super::super::{Layout, Table};
use crate::evaluation::{Estimate, SeatShares};

/// The metric that is shown in percent.
const SUCCESS: &str = "success";

/// The factor and the decimals with which a study shows its figure.
pub(in super::super) fn form(shares: &SeatShares) -> (f64, usize) {
    match shares.metric == SUCCESS {
        true => (100.0, 1),
        false => (1.0, 2),
    }
}

/// The unit of a difference, for heads of tables.
fn unit(shares: &SeatShares) -> String {
    match shares.metric == SUCCESS {
        true => "points".to_owned(),
        false => shares.metric.replace('_', " "),
    }
}

/// The shares of the seats.
pub(in super::super) fn shares_table(shares: &SeatShares) -> Table {
    let (scale, decimals) = form(shares);
    let shown = |estimate: &Estimate| {
        let ends = estimate.interval();
        [
            or_none(estimate.value().map(|value| signed(value * scale, decimals))),
            or_none(ends.map(|ends| range(ends, |end| signed(end * scale, decimals)))),
        ]
    };
    let whole = shares.difference.value().unwrap_or_default();
    let mut table = Table::new("Whose the difference is")
        .key("seat")
        .numbers([&*unit(shares), "95 %", "of it %"])
        .numbers(["mends % of failures", "95 %", "spoils % of solved", "95 %"]);
    for seat in &shares.seats {
        let part = seat.share.value().filter(|_| whole != 0.0);
        let mut texts = vec![seat.seat.clone()];
        texts.extend(shown(&seat.share));
        texts.push(or_none(part.map(|part| format!("{:.0}", part / whole * 100.0))));
        texts.extend([&seat.mended, &seat.spoiled].into_iter().flat_map(|share| [value(share), interval(share)]));
        table.row(texts);
    }
    let mut texts = vec!["all".to_owned()];
    texts.extend(shown(&shares.difference));
    table.row(texts);
    table
}

/// The mean of every cast.
pub(in super::super) fn casts_table(shares: &SeatShares) -> Table {
    let (scale, decimals) = form(shares);
    let mut table =
        Table::new("The casts between the two").key("seats of the second").numbers([&*shares.metric.replace('_', " ")]);
    for (subset, mean) in shares.means.iter().enumerate() {
        let seats = shares.seats.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
        let seats: Vec<&str> = seats.map(|(_, seat)| seat.seat.as_str()).collect();
        let seats = if seats.is_empty() { "none".to_owned() } else { seats.join(", ") };
        table.row(vec![seats, format!("{:.decimals$}", mean * scale)]);
    }
    table
}

/// The tables.
pub fn seats_text(shares: &SeatShares, layout: &Layout) -> String {
    format!("{}\n{}\n{}\n", shares_table(shares).text(layout), casts_table(shares).text(layout), remark(shares))
}

/// How the shares are to be read.
pub(in super::super) fn remark(shares: &SeatShares) -> String {
    format!(
        "{} episodes count in all {} casts. A share is what the seat adds on average over all orders in which the seats \
         change (Shapley); shares add up to the difference. Intervals: bootstrap over tasks, Wilson's for shares of \
         failures.",
        shares.episodes,
        shares.means.len()
    )
}

/// The figures for programs.
pub fn seats_json(shares: &SeatShares) -> Value {
    let seats = shares.seats.iter().map(|seat| {
        json!({
            "seat": seat.seat,
            "share": estimate(&seat.share),
            "mended": estimate(&seat.mended),
            "spoiled": estimate(&seat.spoiled),
        })
    });
    json!({
        "metric": shares.metric,
        "episodes": shares.episodes,
        "difference": estimate(&shares.difference),
        "seats": seats.collect::<Vec<_>>(),
        "casts": shares.means,
    })
}
