//! The report of a run as Markdown: `report.md`.

use std::fmt::Write;

use super::spreads::{self, SpreadFigure};
use super::tables::{
    about_passes, action_shares, answers, by_cell, by_groups, by_measure, by_task_type, endings, faults, intervals,
    metrics, passes, repairs,
};
use super::{Report, Table, comparisons, models, picks, servers, setup, simulated};
use crate::text::visible;

/// The report. Everything is escaped.
pub fn report(report: &Report<'_>) -> String {
    let mut text = String::new();
    let summary = &report.summary;
    // Writing to a text cannot fail, here and below.
    let _ = writeln!(text, "# Run {}\n", escaped(&report.name));
    for (name, value) in &report.facts {
        let (name, value) = (escaped(name), escaped(value));
        let _ = writeln!(text, "- {name}: {value}");
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
        simulated(&report.users),
        passes(summary),
        comparisons::success_if(summary, &report.comparisons),
        comparisons::measures(&report.comparisons),
        comparisons::steps(&report.comparisons),
        action_shares(report),
    ]);
    tables.extend(SpreadFigure::ALL.map(|figure| spreads::table(report, figure)));
    tables.extend([metrics(summary), intervals(summary)]);
    tables.extend([endings(summary), faults(summary)]);
    tables.extend([answers(summary), repairs(summary), models(summary), servers(summary)]);
    tables.push(setup::workers(&report.workers));
    for pick in &report.picks.lists {
        let title = format!("Episodes: {}", pick.title.to_lowercase());
        tables.push(picks::table(&title, &report.results, &pick.places, &[]));
    }
    if !report.slowest.is_empty() {
        tables.push(report.slowest("Episodes: the slowest (not deterministic)"));
    }
    tables
}

/// The text as one line of Markdown that shows it literally: no markup, no HTML, no cell border, no live
/// address. It may stand at the start of a line.
pub(super) fn escaped(text: &str) -> String {
    let text = inline(text);
    // Only at its start can a line become a heading, a list, a quotation or a rule.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let at = match text.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => digits,
        Some(b'#' | b'+' | b'-' | b'>' | b'=' | b':') if digits == 0 => 0,
        _ => return text,
    };
    format!("{}\\{}", &text[..at], &text[at..])
}

/// The text for a place that is not the start of a line, such as a cell. Only what would be markup there is
/// escaped, so that the source is easy to read, too.
pub(super) fn inline(text: &str) -> String {
    let shown = visible(text);
    let shown = shown.trim();
    let mut escaped = String::with_capacity(shown.len() + 8);
    let mut before = None;
    let mut rest = shown.chars();
    while let Some(letter) = rest.next() {
        let after = rest.as_str();
        let next = after.chars().next();
        let word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let special = match letter {
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' | '$' => true,
            '_' => !(word(before) && word(next)),
            // Of a heading, the signs at its end are none of the text.
            '#' => !word(before),
            // The start of an entity, such as `&lt;`.
            '&' => word(next) || next == Some('#'),
            // Addresses come to life without any brackets.
            ':' => after.starts_with("//"),
            '.' => escaped.to_ascii_lowercase().ends_with("www"),
            '@' => word(before) && word(next),
            _ => false,
        };
        match letter {
            '<' if next.is_some_and(|next| !next.is_whitespace() && !next.is_ascii_digit()) => {
                escaped.push_str("&lt;");
            }
            _ if special => {
                escaped.push('\\');
                escaped.push(letter);
            }
            other => escaped.push(other),
        }
        before = Some(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;

    /// Text that a reader of the page sees, and the kinds of elements in it.
    fn read(page: &str) -> (String, Vec<String>) {
        let (mut text, mut kinds) = (String::new(), Vec::new());
        // Those of GitHub.
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_MATH
            | Options::ENABLE_GFM
            | Options::ENABLE_WIKILINKS;
        for event in Parser::new_ext(page, options) {
            match event {
                Event::Text(shown) => text.push_str(&shown),
                Event::Start(Tag::Heading { .. }) => kinds.push("Heading".to_owned()),
                Event::Start(other) => kinds.push(format!("{other:?}")),
                Event::End(_) => {}
                other => kinds.push(format!("{other:?}")),
            }
        }
        (text, kinds)
    }

    /// Texts that markup is made of.
    fn texts() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "<",
            ">",
            "script",
            "&",
            "lt;",
            "#",
            "*",
            "_",
            "`",
            "[",
            "]",
            "(",
            ")",
            "!",
            "|",
            "~",
            "$",
            "\\",
            "-",
            "+",
            "1.",
            "=",
            ":",
            "http://a.b",
            "www.a.b",
            "a@b.c",
            " ",
            "\n",
            "a",
            "é",
            "^",
            "{",
            "}",
            "--",
            "0.5",
            "valid_unseen",
            "\"",
            "'",
            "//",
            "%%",
        ]);
        let markup = prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat());
        prop_oneof![markup, any::<String>()]
    }

    #[test]
    fn figures_and_names_are_read_as_they_are() {
        for plain in [
            "100.0",
            "-24.7 to +56.4",
            "respact-helpful − react",
            "Success by task type (%)",
            "main:7:0",
            "valid_unseen/look_at_obj",
            "p < 0.05",
            "a & b",
            "cells: react, respact",
            "it's 1 of 2!",
        ] {
            assert_eq!(inline(plain), plain);
        }
        assert_eq!(escaped("version: 0.2.0"), "version: 0.2.0");
        assert_eq!(escaped("- x"), "\\- x");
        assert_eq!(inline("see http://a.b"), "see http\\://a.b");
    }

    proptest! {
        #[test]
        fn nothing_comes_to_life(text in texts()) {
            let shown = visible(&text).trim().to_owned();
            prop_assume!(!shown.is_empty());
            let cell = inline(&text);
            let (seen, kinds) = read(&format!("| a |\n| --- |\n| {cell} |\n"));
            prop_assert_eq!(&seen, &format!("a{shown}"), "{:?}", &kinds);
            prop_assert_eq!(kinds.len(), 5, "{:?}", &kinds);
            let line = escaped(&text);
            let (seen, kinds) = read(&format!("- {line}\n"));
            prop_assert_eq!((&seen, kinds.len()), (&shown, 2), "{:?}", &kinds);
            let (seen, kinds) = read(&format!("{line}\n"));
            prop_assert_eq!((&seen, kinds.len()), (&shown, 1), "{:?}", &kinds);
            let (seen, kinds) = read(&format!("# Run {line}\n"));
            prop_assert_eq!((&seen, kinds.len()), (&format!("Run {shown}"), 1), "{:?}", &kinds);
        }
    }
}
