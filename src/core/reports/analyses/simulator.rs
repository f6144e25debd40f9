//! The card of simulated users, and the score without the episodes that they spoiled.

use serde_json::{Map, Value, json};

use super::super::json::{estimate, figure};
use super::Analyses;
use crate::evaluation::Estimate;
use crate::evaluation::analyses::Row;
use crate::evaluation::labels::{Figure, Ratings, agreement};
use crate::evaluation::simulator::{UserFault, UserFigures};
use crate::reports::figures::{NONE, interval, or_none, percent, range, value};
use crate::reports::{ReportedUser, Table};

/// The columns that say whose users they are.
const KEYS: [&str; 2] = ["cell", "user"];

/// The tables of all rows in which a user spoke.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let rows = || rows(analyses).map(|(row, user)| (analyses.keys(row), user));
    vec![
        card(rows()),
        scores("Success without episodes of a faulty user", KEYS, rows()),
        asking(rows()),
        labelled(analyses),
    ]
}

/// The rows in which a user spoke.
pub(in super::super) fn rows(analyses: &Analyses) -> impl Iterator<Item = (&Row, &UserFigures)> {
    analyses.rows.iter().filter_map(|row| Some((row, row.user.as_ref()?)))
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
    for (mut texts, user) in rows {
        texts.extend([user.episodes.to_string(), user.replies.to_string()]);
        texts.push(bounded(&user.words));
        texts.extend(user.faults.iter().map(bounded));
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
    for (mut texts, user) in rows {
        texts.push(user.success.n().to_string());
        for found in [&user.faulty, &user.success, &user.kept] {
            texts.extend([value(found), interval(found)]);
        }
        let points = |share: f64| format!("{:+.1}", share * 100.0);
        let ends = user.difference.and_then(|figure| figure.interval);
        texts.push(or_none(user.difference.map(|figure| points(figure.value))));
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
    for (mut texts, user) in rows {
        let Some(asking) = &user.asking else {
            continue;
        };
        for found in [&asking.precision, &asking.recall] {
            texts.extend([value(found), interval(found)]);
        }
        texts.extend(of_figure(asking.f1));
        table.row(texts);
    }
    table
}

/// A share in percent, and its interval.
pub(super) fn of_figure(figure: Option<Figure>) -> [String; 2] {
    let ends = figure.and_then(|figure| figure.interval);
    [or_none(figure.map(|figure| percent(figure.value))), or_none(ends.map(|ends| range(ends, percent)))]
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
            let seen = |of: fn(&(usize, usize)) -> usize| pairs.iter().filter(|pair| of(pair) == 0).count().to_string();
            let ends = both.kappa.and_then(|figure| figure.interval);
            let two = |value: f64| format!("{value:.2}");
            let mut texts = analyses.keys(row);
            texts.extend([fault.label().to_owned(), both.items.to_string()]);
            texts.extend([seen(|pair| pair.0), seen(|pair| pair.1)]);
            texts.push(or_none(both.raw.map(|figure| percent(figure.value))));
            texts.push(or_none(both.kappa.map(|figure| two(figure.value))));
            texts.push(or_none(ends.map(|ends| range(ends, two))));
            table.row(texts);
        }
    }
    table
}

/// The card of a row for programs; null if no user spoke.
pub(super) fn object(row: &Row) -> Value {
    let Some(user) = &row.user else {
        return Value::Null;
    };
    let faults =
        UserFault::ALL.iter().zip(&user.faults).map(|(fault, found)| (fault.key().to_owned(), estimate(found)));
    let asking = user.asking.as_ref().map(|asking| {
        json!({
            "precision": estimate(&asking.precision),
            "recall": estimate(&asking.recall),
            "f1": figure(asking.f1),
        })
    });
    let labelled = row.user_labels.iter().map(|(fault, pairs)| {
        let pairs: Vec<[bool; 2]> = pairs.iter().map(|pair| [pair.0 == 0, pair.1 == 0]).collect();
        (fault.key().to_owned(), json!(pairs))
    });
    json!({
        "episodes": user.episodes,
        "replies": user.replies,
        "words_per_reply": estimate(&user.words),
        "faults": faults.collect::<Map<_, _>>(),
        "faulty": estimate(&user.faulty),
        "success": estimate(&user.success),
        "success_without": estimate(&user.kept),
        "difference": figure(user.difference),
        "asking": asking,
        "rules_and_labels": labelled.collect::<Map<_, _>>(),
    })
}

/// A row for each cell and kind of user that spoke.
pub fn simulated(users: &[ReportedUser]) -> Table {
    let rows = users.iter().map(|((cell, user), figures)| {
        let user = user.clone().unwrap_or_else(|| NONE.to_owned());
        (vec![cell.to_string(), user], figures)
    });
    scores("Simulated user", ["cell", "user"], rows)
}
