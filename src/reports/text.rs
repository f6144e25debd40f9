//! The tables that `run` and `report` print at the end.

use std::fmt::Write;

use super::tables::{
    about_passes, answers, by_cell, by_groups, by_measure, by_task_type, endings, faults, intervals, metrics, passes,
};
use super::{Layout, Paint, Table, models, servers};
use crate::evaluation::{Group, Summary};
use crate::text::joined;

/// The main tables of a run as text, with a last paragraph about what does not count, if anything.
pub fn summary(summary: &Summary, layout: &Layout) -> String {
    text(summary, &[], layout)
}

/// The tables of [`summary`], and two with every metric and its interval.
pub fn figures(summary: &Summary, layout: &Layout) -> String {
    text(summary, &[metrics(summary), intervals(summary)], layout)
}

fn text(summary: &Summary, more: &[Table], layout: &Layout) -> String {
    if summary.total.episodes == 0 {
        return "no episodes were played\n".to_owned();
    }
    let mut tables = vec![by_measure(summary), by_task_type(summary)];
    tables.extend(by_groups(summary));
    tables.extend([
        by_cell(summary),
        passes(summary),
        endings(summary),
        faults(summary),
        answers(summary),
        models(summary),
        servers(summary),
    ]);
    let shown = tables.iter().chain(more).filter(|table| !table.is_empty());
    let texts: Vec<String> = shown.map(|table| table.text(layout)).collect();
    let mut text = texts.join("\n");
    if let Some(about) = about_passes(summary) {
        // Writing to a text cannot fail, here and below.
        let _ = writeln!(text, "\n{}", layout.style.paint(Paint::Dim, &about));
    }
    if let Some(apart) = apart(&summary.total) {
        let _ = writeln!(text, "\n{}", layout.style.paint(Paint::Bad, &apart));
    }
    text
}

/// A sentence about the episodes that do not count; none if all count.
pub(super) fn apart(total: &Group) -> Option<String> {
    let parts = [(total.broken, "broken"), (total.cancelled, "cancelled"), (total.unfinished, "unfinished")];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts = joined(parts.map(|(count, word)| format!("{count} {word}")));
    let (counted, all) = (total.counted, total.episodes);
    let text = format!("{counted} of {all} episodes count; not in any figure: {parts}");
    (!parts.is_empty()).then_some(text)
}
