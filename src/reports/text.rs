//! What `run` and `report` print at the end.

use std::fmt::Write;

use super::tables::{by_cell, by_task_type, endings, faults, metrics};
use super::{Layout, Paint, Table, models, servers};
use crate::evaluation::{Group, Summary};

/// The main tables of a run as text, with a last paragraph about what does not count, if anything.
pub fn summary(summary: &Summary, layout: &Layout) -> String {
    text(summary, &[], layout)
}

/// The tables of [`summary`] and one with every metric.
pub fn figures(summary: &Summary, layout: &Layout) -> String {
    text(summary, &[metrics(summary)], layout)
}

fn text(summary: &Summary, more: &[Table], layout: &Layout) -> String {
    if summary.total.episodes == 0 {
        return "no episodes were played\n".to_owned();
    }
    let tables = [
        by_task_type(summary),
        by_cell(summary),
        endings(summary),
        faults(summary),
        models(summary),
        servers(summary),
    ];
    let tables: Vec<&Table> = tables.iter().chain(more).collect();
    let shown = tables.into_iter().filter(|table| !table.is_empty());
    let mut text = shown
        .map(|table| table.text(layout))
        .collect::<Vec<_>>()
        .join("\n");
    if let Some(apart) = apart(&summary.total) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}", layout.style.paint(Paint::Bad, &apart));
    }
    text
}

/// A sentence about the episodes that do not count; none if all count.
pub(super) fn apart(total: &Group) -> Option<String> {
    let parts = [
        (total.broken, "broken"),
        (total.cancelled, "cancelled"),
        (total.unfinished, "unfinished"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if parts.is_empty() {
        return None;
    }
    Some(format!(
        "{} of {} episodes count; not in any figure: {}",
        total.counted,
        total.episodes,
        parts.join(", ")
    ))
}
