//! Shares of action types, as ReSpAct Figure 5 shows them.

use super::figures::{or_none, percent};
use super::tables::{keyed, keys};
use super::{Report, Table};
use crate::evaluation::analyses::ActionType;
use crate::evaluation::{Group, Summary};

/// The mean number of actions of a type in an episode of the group.
fn mean(kind: ActionType, summary: &Summary, group: &Group) -> f64 {
    let of = |metric| summary.estimate(group, metric).value().unwrap_or(0.0);
    match kind {
        ActionType::Think => of("thoughts"),
        ActionType::Plan => of("plans"),
        ActionType::Judge => of("judgements"),
        ActionType::Speak => of("questions"),
        ActionType::Act => (of("actions") - of("invalid")).max(0.0),
        ActionType::Refused => of("invalid"),
        ActionType::Learn => of("lessons"),
        ActionType::Finish => of("finishes"),
    }
}

/// The share of each type in all that the group's agent did, in the order of [`ActionType::ALL`];
/// none if it did nothing.
pub(super) fn shares(summary: &Summary, group: &Group) -> Option<[f64; 8]> {
    let means = ActionType::ALL.map(|kind| mean(kind, summary, group));
    let total: f64 = means.iter().sum();
    (total > 0.0).then(|| means.map(|mean| mean / total))
}

/// The types that occur anywhere in the run.
pub(super) fn occurring(summary: &Summary) -> Vec<ActionType> {
    let occurs = |kind: &ActionType| {
        let mut rows = summary.rows.iter();
        rows.any(|row| mean(*kind, summary, row) > 0.0)
    };
    ActionType::ALL.into_iter().filter(occurs).collect()
}

/// A row per cell and user, a column per type that occurs.
pub(super) fn table(report: &Report<'_>) -> Table {
    let summary = &report.summary;
    let types = occurring(summary);
    let mut table = keyed(summary, "Action types (% of all)").numbers(types.iter().map(|kind| kind.label()));
    if types.is_empty() {
        return table;
    }
    for row in &summary.rows {
        let shares = shares(summary, row);
        let text = |kind: &ActionType| or_none(shares.map(|all| percent(all[*kind as usize])));
        let mut texts = keys(summary, row);
        texts.extend(types.iter().map(text));
        table.row(texts);
    }
    table
}
