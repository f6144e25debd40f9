//! The agreement of raters: `rolecall rate agreement`.

use serde_json::{Value, json};

use super::figures::{interval, or_none, percent, range, value};
use super::json::with_interval;
use super::markdown::escaped;
use super::{Layout, Paint, Table};
use crate::evaluation::labels::{Agreement, Between, Figure, What, WinRate};

/// The agreement on the labels of a run, with the names of the raters.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// The run, as it was named.
    pub run: String,
    /// The labels that were chosen from.
    pub what: What,
    /// The raters.
    pub raters: Vec<String>,
    /// The number of labels of each of them.
    pub given: Vec<usize>,
    /// The figures.
    pub found: Agreement,
    /// How often cells are preferred to others, where two were compared.
    pub wins: Vec<WinRate>,
}

/// The figures as text.
pub fn text(agreed: &Agreed, layout: &Layout) -> String {
    let tables = tables(agreed);
    let texts: Vec<String> = tables.iter().filter(|table| !table.is_empty()).map(|table| table.text(layout)).collect();
    let mut text = texts.join("\n");
    text.push('\n');
    text.push_str(&layout.style.line(Paint::Dim, &remark(agreed)));
    text
}

/// The figures as Markdown. Everything is escaped.
pub fn markdown(agreed: &Agreed) -> String {
    let mut text = format!("# Agreement on {} in {}\n", escaped(&agreed.what.to_string()), escaped(&agreed.run));
    text.extend(tables(agreed).iter().map(Table::section));
    text + &format!("\n{}\n", escaped(&remark(agreed)))
}

fn remark(agreed: &Agreed) -> String {
    let weights = match agreed.what.is_ordinal() {
        true => "kappa has quadratic weights, alpha is ordinal",
        false => "labels are taken without an order",
    };
    let text = format!("intervals: 95 %, bootstrap over items; {weights}");
    match agreed.what {
        What::Pair { .. } => format!(
            "{text}; win rates: ties are half a win, Wilson with a task as one sample; A stands for the cell that the \
             run names first, whichever side it was on"
        ),
        _ => text,
    }
}

fn tables(agreed: &Agreed) -> Vec<Table> {
    let mut tables = vec![given(agreed), pairs(agreed), all(agreed), by_label(agreed)];
    if !agreed.wins.is_empty() {
        tables.insert(0, wins(agreed));
    }
    tables.extend(compared(agreed).map(|pair| confusion(agreed, pair)));
    tables
}

/// The win rates.
fn wins(agreed: &Agreed) -> Table {
    let mut table = Table::new("Win rates")
        .keys_of(["cell", "against", "rater"])
        .numbers(["pairs", "won", "lost", "ties"])
        .numbers(["win rate %", "95 % interval"]);
    for win in &agreed.wins {
        let rater = win.rater.map_or("all", |rater| agreed.raters[rater].as_str());
        let [first, second] = win.cells.each_ref().map(ToString::to_string);
        let mut texts = vec![first, second, rater.to_owned()];
        texts.push(win.counts.iter().sum::<usize>().to_string());
        texts.extend(win.counts.iter().map(ToString::to_string));
        texts.extend([value(&win.rate), interval(&win.rate)]);
        table.row(texts);
    }
    table
}

/// The pairs of raters that labelled some of the same items.
fn compared(agreed: &Agreed) -> impl Iterator<Item = &Between> {
    agreed.found.pairs.iter().filter(|pair| pair.items > 0)
}

fn names(agreed: &Agreed, pair: &Between) -> [String; 2] {
    let name = |rater: usize| agreed.raters.get(rater).cloned().unwrap_or_default();
    [name(pair.raters.0), name(pair.raters.1)]
}

fn given(agreed: &Agreed) -> Table {
    let title = format!("Raters of {}", agreed.what);
    let mut table = Table::new(&title).key("rater").numbers(["labels"]);
    for (rater, labels) in agreed.raters.iter().zip(&agreed.given) {
        table.row(vec![rater.clone(), labels.to_string()]);
    }
    table
}

fn pairs(agreed: &Agreed) -> Table {
    let mut table = Table::new("Agreement in pairs")
        .keys_of(["rater", "with"])
        .numbers(["items", "same label %", "95 % interval"])
        .numbers(["Cohen's kappa", "95 % interval"]);
    for pair in compared(agreed) {
        let [one, other] = names(agreed, pair);
        let mut texts = vec![one, other, pair.items.to_string()];
        texts.extend(shown(pair.raw, percent));
        texts.extend(shown(pair.kappa, short));
        table.row(texts);
    }
    table
}

fn all(agreed: &Agreed) -> Table {
    let mut table = Table::new("Agreement of all").key("figure").numbers(["items", "value", "95 % interval"]);
    let found = &agreed.found;
    let mut row = |figure: &str, items: usize, value: Option<Figure>| {
        let [value, interval] = shown(value, short);
        table.row(vec![figure.to_owned(), items.to_string(), value, interval]);
    };
    let fleiss = "Fleiss' kappa (items with all labels)";
    row(fleiss, found.complete, found.fleiss);
    let alpha = "Krippendorff's alpha (labels may be missing)";
    row(alpha, found.items, found.alpha);
    table
}

fn by_label(agreed: &Agreed) -> Table {
    let title = "Agreement by label (% of its uses with which another rater agrees)";
    let heads = compared(agreed).map(|pair| names(agreed, pair).join(" / "));
    let heads: Vec<String> = heads.collect();
    let mut table = Table::new(title).key("label").numbers(["all"]);
    table = table.numbers(heads.iter().map(String::as_str));
    let share = |share: Option<&Option<f64>>| or_none(share.copied().flatten().map(percent));
    for (place, label) in agreed.what.labels().into_iter().enumerate() {
        let all = share(agreed.found.by_label.get(place));
        let mut texts = vec![label.name, all];
        texts.extend(compared(agreed).map(|pair| share(pair.by_label.get(place))));
        table.row(texts);
    }
    table
}

/// The labels of one rater by those of the other.
fn confusion(agreed: &Agreed, pair: &Between) -> Table {
    let [one, other] = names(agreed, pair);
    let labels = agreed.what.labels();
    let count = |row: usize, column: usize| {
        let row = pair.confusion.get(row);
        row.and_then(|row| row.get(column)).copied().unwrap_or(0)
    };
    let all = 0..labels.len();
    let is_used = |place: &usize| {
        let mut others = all.clone();
        others.any(|other| count(*place, other) > 0 || count(other, *place) > 0)
    };
    let used: Vec<usize> = all.clone().filter(is_used).collect();
    let label = |place: &usize| labels.get(*place).map_or("", |label| &label.name);
    let title = format!("{one} (rows) and {other} (columns)");
    let mut table = Table::new(&title).key(&one).numbers(used.iter().map(label));
    for place in &used {
        let mut texts = vec![label(place).to_owned()];
        texts.extend(used.iter().map(|other| count(*place, *other).to_string()));
        table.row(texts);
    }
    table
}

fn short(value: f64) -> String {
    format!("{value:.3}")
}

fn shown(figure: Option<Figure>, written: impl Fn(f64) -> String) -> [String; 2] {
    let interval = figure.and_then(|figure| figure.interval);
    let value = figure.map(|figure| written(figure.value));
    [or_none(value), or_none(interval.map(|ends| range(ends, &written)))]
}

/// Agreement for programs: `what`, `raters` with their `labels`, `pairs` (`raters`, `items`, `raw`, `kappa`,
/// `confusion`, `by_label`), `fleiss`, `alpha`, `by_label`, `wins` (of pairs: `cells`, `rater` or null for all, `won`,
/// `lost`, `ties`, `rate`). Shares are from 0 to 1; what is not known is null.
pub fn object(agreed: &Agreed) -> Value {
    let labels = agreed.what.labels().into_iter();
    let labels: Vec<String> = labels.map(|label| label.name).collect();
    let by_label = |shares: &[Option<f64>]| {
        let shares = shares.iter().map(|share| Value::from(*share));
        Value::Object(labels.iter().cloned().zip(shares).collect())
    };
    let pairs = agreed.found.pairs.iter().map(|pair| {
        json!({
            "raters": names(agreed, pair),
            "items": pair.items,
            "raw": figure(pair.raw),
            "kappa": figure(pair.kappa),
            "confusion": pair.confusion,
            "by_label": by_label(&pair.by_label),
        })
    });
    let raters =
        agreed.raters.iter().zip(&agreed.given).map(|(rater, labels)| json!({"name": rater, "labels": labels}));
    let wins = agreed.wins.iter().map(|win| {
        json!({
            "cells": win.cells,
            "rater": win.rater.map(|rater| &agreed.raters[rater]),
            "won": win.counts[0],
            "lost": win.counts[1],
            "ties": win.counts[2],
            "rate": with_interval("value", win.rate.value(), win.rate.interval()),
        })
    });
    let wins: Vec<Value> = wins.collect();
    json!({
        "wins": wins,
        "run": agreed.run,
        "what": agreed.what.to_string(),
        "labels": labels,
        "raters": raters.collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
        "items": agreed.found.items,
        "complete": agreed.found.complete,
        "fleiss": figure(agreed.found.fleiss),
        "alpha": figure(agreed.found.alpha),
        "by_label": by_label(&agreed.found.by_label),
    })
}

fn figure(figure: Option<Figure>) -> Value {
    let ends = figure.and_then(|figure| figure.interval);
    with_interval("value", figure.map(|figure| figure.value), ends)
}
