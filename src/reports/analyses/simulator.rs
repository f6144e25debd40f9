//! The card of simulated users, and the score without the episodes that they spoiled.

use serde_json::{Map, Value, json};

use super::super::Table;
use super::super::figures::{interval, or_none, percent, range, value};
use super::Analyses;
use super::bounds::{estimate, figure};
use crate::evaluation::Estimate;
use crate::evaluation::analyses::Row;
use crate::evaluation::labels::{Figure, Ratings, agreement};
use crate::evaluation::simulator::{UserFault, UserFigures};

/// The columns that say whose users they are.
const KEYS: [&str; 2] = ["cell", "user"];

/// The tables of all rows in which a user spoke.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let rows = || rows(analyses).map(|(row, own)| (analyses.keys(row), own));
    vec![
        card(rows()),
        scores("Success without episodes of a faulty user", KEYS, rows()),
        asking(rows()),
        labelled(analyses),
    ]
}

/// The rows in which a user spoke.
pub(in super::super) fn rows(analyses: &Analyses) -> impl Iterator<Item = (&Row, &UserFigures)> {
    let rows = analyses.rows.iter();
    rows.filter_map(|row| Some((row, row.user.as_ref()?)))
}

/// The figure with its interval behind it.
fn bounded(found: &Estimate) -> String {
    match found.interval() {
        None => value(found),
        Some(_) => format!("{} ({})", value(found), interval(found)),
    }
}

/// A row a cell: how much its user said, and each fault.
fn card<'a>(rows: impl Iterator<Item = (Vec<String>, &'a UserFigures)>) -> Table {
    let faults = UserFault::ALL.map(|fault| format!("{} %", fault.label()));
    let mut table = Table::new("Simulated user: its card (95 % intervals)")
        .keys_of(KEYS)
        .numbers(["episodes", "replies", "words per reply"])
        .numbers(faults.iter().map(String::as_str));
    for (mut texts, own) in rows {
        texts.extend([own.episodes.to_string(), own.replies.to_string()]);
        texts.push(bounded(&own.words));
        texts.extend(own.faults.iter().map(bounded));
        table.row(texts);
    }
    table
}

/// A row a cell: episodes of a faulty user, and success with and without them.
pub(in super::super) fn scores<'a, 'k>(
    title: &str,
    keys: impl IntoIterator<Item = &'k str>,
    rows: impl Iterator<Item = (Vec<String>, &'a UserFigures)>,
) -> Table {
    let mut table = Table::new(title)
        .keys_of(keys)
        .numbers(["episodes", "faulty user %", "95 % interval"])
        .numbers(["success %", "95 % interval", "without %", "95 % interval"])
        .numbers(["difference", "95 % interval"]);
    for (mut texts, own) in rows {
        texts.push(own.success.n().to_string());
        for found in [&own.faulty, &own.success, &own.kept] {
            texts.extend([value(found), interval(found)]);
        }
        let points = |share: f64| format!("{:+.1}", share * 100.0);
        let ends = own.difference.and_then(|own| own.interval);
        texts.push(or_none(own.difference.map(|own| points(own.value))));
        texts.push(or_none(ends.map(|ends| range(ends, points))));
        table.row(texts);
    }
    table
}

/// A row a cell whose world knows the facts: whether questions hit what is missing.
fn asking<'a>(rows: impl Iterator<Item = (Vec<String>, &'a UserFigures)>) -> Table {
    let mut table = Table::new("Questions that hit what is missing: Ask-F1")
        .keys_of(KEYS)
        .numbers(["precision %", "95 % interval", "recall %", "95 % interval"])
        .numbers(["Ask-F1 %", "95 % interval"]);
    for (mut texts, own) in rows {
        let Some(own) = &own.asking else {
            continue;
        };
        for found in [&own.precision, &own.recall] {
            texts.extend([value(found), interval(found)]);
        }
        texts.extend(of_figure(own.f1));
        table.row(texts);
    }
    table
}

/// A share in percent, and its interval.
pub(super) fn of_figure(figure: Option<Figure>) -> [String; 2] {
    let ends = figure.and_then(|own| own.interval);
    [or_none(figure.map(|own| percent(own.value))), or_none(ends.map(|ends| range(ends, percent)))]
}

/// How far the rules and whoever gave labels agree about episodes.
fn labelled(analyses: &Analyses) -> Table {
    let mut table = Table::new("Faults of users by rules and by labels").keys_of(["cell", "user", "fault"]).numbers([
        "episodes",
        "by rules",
        "by labels",
        "same %",
        "kappa",
        "95 % interval",
    ]);
    for row in &analyses.rows {
        for (fault, pairs) in &row.user_labels {
            let items = pairs.iter().map(|(one, other)| vec![Some(*one), Some(*other)]);
            let found = agreement(&Ratings { labels: 2, ordinal: false, items: items.collect() });
            let Some(both) = found.pairs.first() else {
                continue;
            };
            let seen = |of: fn(&(usize, usize)) -> usize| {
                let seen = pairs.iter().filter(|pair| of(pair) == 0);
                seen.count().to_string()
            };
            let ends = both.kappa.and_then(|own| own.interval);
            let two = |value: f64| format!("{value:.2}");
            let mut texts = analyses.keys(row);
            texts.extend([fault.label().to_owned(), both.items.to_string()]);
            texts.extend([seen(|pair| pair.0), seen(|pair| pair.1)]);
            texts.push(or_none(both.raw.map(|own| percent(own.value))));
            texts.push(or_none(both.kappa.map(|own| two(own.value))));
            texts.push(or_none(ends.map(|ends| range(ends, two))));
            table.row(texts);
        }
    }
    table
}

/// The card of a row for programs; null if no user spoke.
pub(super) fn object(row: &Row) -> Value {
    let Some(own) = &row.user else {
        return Value::Null;
    };
    let faults = UserFault::ALL.iter().zip(&own.faults);
    let faults = faults.map(|(fault, found)| (fault.key().to_owned(), estimate(found)));
    let asking = own.asking.as_ref().map(|own| {
        json!({
            "precision": estimate(&own.precision),
            "recall": estimate(&own.recall),
            "f1": figure(own.f1),
        })
    });
    let labelled = row.user_labels.iter().map(|(fault, pairs)| {
        let pairs: Vec<[bool; 2]> = pairs.iter().map(|pair| [pair.0 == 0, pair.1 == 0]).collect();
        (fault.key().to_owned(), json!(pairs))
    });
    json!({
        "episodes": own.episodes,
        "replies": own.replies,
        "words_per_reply": estimate(&own.words),
        "faults": faults.collect::<Map<_, _>>(),
        "faulty": estimate(&own.faulty),
        "success": estimate(&own.success),
        "success_without": estimate(&own.kept),
        "difference": figure(own.difference),
        "asking": asking,
        "rules_and_labels": labelled.collect::<Map<_, _>>(),
    })
}
