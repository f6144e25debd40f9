//! The report of a run as Markdown: `report.md`.

use std::fmt::Write;

use super::spreads::{self, SpreadFigure};
use super::tables::{
    about_passes, answers, by_cell, by_groups, by_measure, by_task_type, endings, faults,
    intervals, metrics, passes,
};
use super::{Report, Table, comparisons, models, picks, servers, shares};
use crate::text::visible;

/// The report. Everything is escaped.
pub fn report(report: &Report<'_>) -> String {
    let mut text = String::new();
    let summary = &report.summary;
    // Writing to a text cannot fail, here and below.
    let _ = writeln!(text, "# Run {}\n", escaped(&report.name));
    for (name, value) in &report.facts {
        let (name, value) = (escaped(name), escaped(value));
        let _ = writeln!(text, "- {name}&#58; {value}");
    }
    for remark in report.remarks() {
        let _ = writeln!(text, "- **{}**", escaped(&remark));
    }
    if summary.total.episodes == 0 {
        text.push_str("\nNo episodes were played.\n");
        return text;
    }
    text.extend(tables(report).iter().map(Table::section));
    if let Some(about) = about_passes(summary) {
        let _ = writeln!(text, "\n{}", escaped(&about));
    }
    for remark in comparisons::disagreements_of(report) {
        let _ = writeln!(text, "\n{}", escaped(&remark));
    }
    text.push_str(
        "\nRates have 95 % Wilson intervals, their differences Newcombe's for pairs, means \
         bootstrap intervals; where tasks count several times, tasks and not episodes are the \
         sample. All are over the episodes that count. McNemar's p is exact, that of means is of swapping the sides of tasks; none is \
         corrected for the number of comparisons. Every figure but the seconds is computed from the event \
         log.\n",
    );
    text
}

fn tables(report: &Report<'_>) -> Vec<Table> {
    let summary = &report.summary;
    let mut tables = vec![by_measure(summary), by_task_type(summary)];
    tables.extend(by_groups(summary));
    tables.extend([
        by_cell(summary),
        passes(summary),
        comparisons::success_if(summary, &report.comparisons),
        comparisons::measures(&report.comparisons),
        comparisons::steps(&report.comparisons),
        shares::table(report),
    ]);
    tables.extend(SpreadFigure::ALL.map(|figure| spreads::table(report, figure)));
    tables.extend([metrics(summary), intervals(summary)]);
    tables.extend([endings(summary), faults(summary)]);
    tables.extend([answers(summary), models(summary), servers(summary)]);
    for pick in &report.picks.lists {
        let title = format!("Episodes: {}", pick.title.to_lowercase());
        tables.push(picks::table(&title, &report.results, &pick.places, &[]));
    }
    if !report.slowest.is_empty() {
        tables.push(report.slowest("Episodes: the slowest (not deterministic)"));
    }
    tables
}

/// The text as one line of Markdown that shows it literally: no markup, no HTML, no cell border.
pub(super) fn escaped(text: &str) -> String {
    let shown = visible(text);
    let mut escaped = String::with_capacity(shown.len() + 8);
    for letter in shown.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!'
            | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // Neither a bare address nor a numbered list may come to life.
            ':' => escaped.push_str("&#58;"),
            '@' => escaped.push_str("&#64;"),
            '.' => escaped.push_str("&#46;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markdown_stays_text() {
        let shown = escaped("<script>|[x](http://a.b)|**b**\n# h");
        for live in ["<", "|[", "](", "**", "http:", "\n"] {
            assert!(!shown.contains(live), "{live} in {shown}");
        }
    }

    proptest! {
        #[test]
        fn nothing_steers_a_page(text in any::<String>()) {
            let shown = escaped(&text);
            prop_assert_eq!(visible(&shown), shown.as_str());
            prop_assert!(!shown.contains(['<', '>', '\n']));
        }
    }
}
