//! The tables of a run.

use rustc_hash::FxHashMap;

use super::figures::{self, NONE, interval, percent, range, value};
use super::{Align, Table};
use crate::domain::CellName;
use crate::evaluation::{Estimate, Group, Summary};
use crate::text::counted;

/// The metrics whose means stand beside the success rate.
const MEANS: [&str; 4] = ["reward", "steps", "questions", "invalid"];

/// Success by task type, as ReSpAct Table 1 shows it: a row per cell and user, a column per type.
pub fn by_task_type(summary: &Summary) -> Table {
    let title = "Success by task type (%)";
    by_value(summary, title, &summary.kinds, &summary.groups)
}

/// The same by each other group of the tasks.
pub fn by_groups(summary: &Summary) -> impl Iterator<Item = Table> {
    summary.breakdowns.iter().map(|by| {
        let title = format!("Success by {} (%)", by.name);
        by_value(summary, &title, &by.values, &by.groups)
    })
}

fn by_value(summary: &Summary, title: &str, values: &[String], groups: &[Group]) -> Table {
    let mut table = keyed(summary, title);
    for name in values {
        table = table.column(if name.is_empty() { NONE } else { name }, Align::Right);
    }
    table = table.column("All", Align::Right);
    // Data sets may name a type per task: looking each one up in the list would take minutes.
    let groups: FxHashMap<_, &Group> = groups
        .iter()
        .map(|group| ((group.row(), group.kind.as_ref()), group))
        .collect();
    for row in &summary.rows {
        let mut texts = keys(summary, row);
        for name in values {
            let group = groups.get(&(row.row(), Some(name)));
            let success = group.map(|group| summary.estimate(group, "success"));
            texts.push(value(&success.unwrap_or_default()));
        }
        texts.push(value(&summary.estimate(row, "success")));
        table.row(texts);
    }
    table
}

/// Per cell and user: how many episodes count, their success with its interval, and the means of
/// the other figures.
pub fn by_cell(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Figures by cell")
        .numbers(["n", "success %", "95 % interval"])
        .numbers(MEANS);
    // Columns for what went wrong stand there when something did.
    let broken = summary.total.broken > 0;
    if broken {
        table = table.column("broken", Align::Right);
    }
    let stopped = summary.total.cancelled + summary.total.unfinished > 0;
    if stopped {
        table = table.column("not ended", Align::Right);
    }
    for row in &summary.rows {
        let success = summary.estimate(row, "success");
        let mut texts = keys(summary, row);
        texts.extend([row.counted.to_string(), value(&success), interval(&success)]);
        texts.extend(MEANS.map(|name| value(&summary.estimate(row, name))));
        if broken {
            texts.push(row.broken.to_string());
        }
        if stopped {
            texts.push((row.cancelled + row.unfinished).to_string());
        }
        table.row(texts);
    }
    table
}

/// Every metric, one's own too: a row per metric, a column per cell and user, with the rate or mean
/// over the episodes that count.
pub fn metrics(summary: &Summary) -> Table {
    let table = Table::new("Every metric (rates in %, others as means)");
    by_metric(summary, table, |estimate, money| match estimate.value() {
        Some(mean) if money => Some(figures::money(mean)),
        _ => Some(value(estimate)),
    })
}

/// The intervals of the same, without those that have no width.
pub fn intervals(summary: &Summary) -> Table {
    let table = Table::new("Every metric: 95 % intervals");
    by_metric(summary, table, |estimate, money| {
        let ends = estimate.interval().filter(|(low, high)| low < high)?;
        Some(if money {
            range(ends, figures::money)
        } else {
            interval(estimate)
        })
    })
}

/// A row per metric of which `shown` makes any text, a column per cell and user. It is told whether
/// the metric is an amount of money.
fn by_metric(
    summary: &Summary,
    table: Table,
    shown: impl Fn(&Estimate, bool) -> Option<String>,
) -> Table {
    let several = |row: &Group| {
        let mut rows = summary.rows.iter();
        rows.any(|other| other.cell == row.cell && other.user != row.user)
    };
    let mut table = table.key("metric");
    for row in &summary.rows {
        let cell = row.cell.as_ref().map_or(NONE, CellName::as_str);
        let user = row.user.as_deref().filter(|_| several(row));
        let value = summary.by.as_ref().map(|_| value_name(row));
        let parts = [Some(cell), user, value].into_iter().flatten();
        let head = parts.collect::<Vec<_>>().join(", ");
        table = table.column(&head, Align::Right);
    }
    for name in &summary.metrics {
        let money = name == "cost";
        let rows = summary.rows.iter();
        let texts = rows.map(|row| shown(&summary.estimate(row, name), money));
        let texts: Vec<Option<String>> = texts.collect();
        if texts.iter().any(Option::is_some) {
            let texts = texts.into_iter();
            let texts = texts.map(|text| text.unwrap_or_else(|| NONE.to_owned()));
            let label = std::iter::once(metric_label(summary, name));
            table.row(label.chain(texts).collect());
        }
    }
    table
}

/// A metric's name, with the currency if it has one, and a word if it rests on estimates.
fn metric_label(summary: &Summary, name: &str) -> String {
    let unit = summary.models.currency.as_ref();
    let unit = unit.filter(|_| name == "cost");
    let unit = unit.map(|currency| format!(" ({currency})"));
    let resting = ["prompt_tokens", "completion_tokens", "cost"].contains(&name);
    let about = if resting && summary.models.estimated() {
        ", partly estimated"
    } else {
        ""
    };
    format!("{name}{}{about}", unit.unwrap_or_default())
}

/// What tasks come to in several tries: a row per cell, user and number of tries. Without repeats
/// the table has no rows.
pub fn passes(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Solved in k tries (%)").numbers([
        "k",
        "tasks",
        "pass@k",
        "95 % interval",
        "pass^k",
        "95 % interval",
    ]);
    for row in &summary.rows {
        for pass in &row.passes {
            let mut texts = keys(summary, row);
            texts.extend([pass.tries.to_string(), pass.tasks.to_string()]);
            for share in [pass.any, pass.every] {
                texts.push(percent(share.value));
                texts.push(range((share.low, share.high), percent));
            }
            table.row(texts);
        }
    }
    table
}

/// What must be known of that table: what its columns are, and what does not count.
pub(super) fn about_passes(summary: &Summary) -> Option<String> {
    if summary.rows.iter().all(|row| row.passes.is_empty()) {
        return None;
    }
    let total = &summary.total;
    let apart = total.episodes - total.counted;
    let left_out = if apart > 0 {
        format!(
            "; {} not in it, and a task counts for as many tries as it has other episodes",
            counted(apart as u64, "episode is", "episodes are")
        )
    } else {
        String::new()
    };
    Some(format!(
        "pass@k: at least one of k tries solves the task; pass^k: all of them do{left_out}"
    ))
}

/// How many episodes ended how.
pub fn endings(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Endings (episodes)");
    let labels: Vec<&String> = summary.total.endings.keys().collect();
    for label in &labels {
        table = table.column(label, Align::Right);
    }
    for row in &summary.rows {
        let mut texts = keys(summary, row);
        let count = |label: &&String| row.endings.get(*label).copied().unwrap_or_default();
        texts.extend(labels.iter().map(|label| count(label).to_string()));
        table.row(texts);
    }
    table
}

/// Who failed how often. Without faults the table has no rows.
pub fn faults(summary: &Summary) -> Table {
    let mut table = keyed(summary, "Faults")
        .keys_of(["seat", "fault"])
        .column("times", Align::Right);
    for row in &summary.rows {
        for fault in &row.faults {
            let mut texts = keys(summary, row);
            texts.push(fault.seat.to_string());
            texts.push(figures::fault(fault.kind).to_owned());
            texts.push(fault.count.to_string());
            table.row(texts);
        }
    }
    table
}

fn has_users(summary: &Summary) -> bool {
    summary.rows.iter().any(|row| row.user.is_some())
}

/// A table whose rows are about a cell, about a user if there are any, and about a value of the
/// group by which rows are told apart.
pub(super) fn keyed(summary: &Summary, title: &str) -> Table {
    let mut table = Table::new(title).key("cell");
    if has_users(summary) {
        table = table.key("user");
    }
    match &summary.by {
        Some(by) => table.key(by),
        None => table,
    }
}

/// The first texts of a row in such a table.
pub(super) fn keys(summary: &Summary, row: &Group) -> Vec<String> {
    let cell = row.cell.as_ref().map_or(NONE, CellName::as_str);
    let mut keys = vec![cell.to_owned()];
    if has_users(summary) {
        keys.push(row.user.clone().unwrap_or_else(|| NONE.to_owned()));
    }
    keys.extend(summary.by.as_ref().map(|_| value_name(row).to_owned()));
    keys
}

fn value_name(row: &Group) -> &str {
    row.value.as_deref().unwrap_or(NONE)
}
