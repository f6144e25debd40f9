//! The report of a run as Markdown: `report.md`.

use std::fmt::Write;

use super::escape;
use super::tables::{by_cell, by_task_type, endings, faults};
use super::text::apart;
use crate::evaluation::Summary;

/// The report. `facts` are lines such as the seed and the version, as name and value; `notes` are
/// remarks about the log, such as a torn last line. Everything is escaped.
pub fn report(
    run: &str,
    summary: &Summary,
    facts: &[(String, String)],
    notes: &[String],
) -> String {
    let mut text = String::new();
    // Writing to a text cannot fail, here and below.
    let _ = writeln!(text, "# Run {}\n", escape::markdown(run));
    for (name, value) in facts {
        let (name, value) = (escape::markdown(name), escape::markdown(value));
        let _ = writeln!(text, "- {name}&#58; {value}");
    }
    let remarks = apart(&summary.total)
        .into_iter()
        .chain(notes.iter().cloned());
    for remark in remarks {
        let _ = writeln!(text, "- **{}**", escape::markdown(&remark));
    }
    if summary.total.episodes == 0 {
        text.push_str("\nNo episodes were played.\n");
        return text;
    }
    let sections = [
        ("Success by task type (%)", by_task_type(summary)),
        ("Figures by cell", by_cell(summary)),
        ("Endings (episodes)", endings(summary)),
        ("Faults", faults(summary)),
    ];
    for (title, table) in sections {
        if !table.is_empty() {
            let _ = write!(text, "\n## {title}\n\n{}", table.markdown());
        }
    }
    text.push_str(
        "\nRates have 95 % Wilson intervals, means are over the episodes that count. \
         Every figure is computed from the event log.\n",
    );
    text
}
