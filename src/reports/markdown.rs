//! The report of a run as Markdown: `report.md`.

use std::fmt::Write;

use super::tables::{by_cell, by_task_type, endings, faults};
use super::text::apart;
use crate::evaluation::Summary;
use crate::text::visible;

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
    let _ = writeln!(text, "# Run {}\n", escaped(run));
    for (name, value) in facts {
        let (name, value) = (escaped(name), escaped(value));
        let _ = writeln!(text, "- {name}&#58; {value}");
    }
    let remarks = apart(&summary.total)
        .into_iter()
        .chain(notes.iter().cloned());
    for remark in remarks {
        let _ = writeln!(text, "- **{}**", escaped(&remark));
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
