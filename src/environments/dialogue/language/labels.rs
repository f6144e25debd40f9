//! Labels such as `Plan:` in a text.

use super::clean::{after_blanks, after_bullet, after_word};
use rolecall_core::text::overlap::is_word;

/// The labels of ReAct, and the one that begins another dialogue.
pub(super) const REACT: [&str; 4] = ["Thought", "Action", "Observation", "Dialogue"];

/// A label of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// Its name, capitalised as it must be within a line.
    pub(super) name: &'static str,
    /// The byte at which it begins, or its line if it comes first there.
    pub(super) from: usize,
    /// The byte behind it, at which the text that it labels begins.
    pub(super) to: usize,
    /// It comes first in its line.
    pub(super) starts_line: bool,
}

/// The labels of a text, in order. At the start of a line, after a bullet or a number, their case does not matter;
/// within a line it does.
pub(super) fn labels(text: &str, names: &[&'static str]) -> Vec<Label> {
    let mut found = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        in_line(line, from, names, &mut found);
        from += line.len();
    }
    found
}

/// The labels that come first in their line.
pub(super) fn line_labels(text: &str, names: &[&'static str]) -> Vec<Label> {
    let mut found = labels(text, names);
    found.retain(|label| label.starts_line);
    found
}

/// The rest after a label in front of a text, whatever its case.
pub(super) fn after_label<'a>(text: &'a str, names: &[&'static str]) -> Option<&'a str> {
    label(text, names, after_word).map(|(_, rest)| rest)
}

/// Each label with the text up to the next one.
pub(super) fn segments<'a>(text: &'a str, labels: &[Label]) -> impl Iterator<Item = (Label, &'a str)> {
    let ends = labels.iter().skip(1).map(|label| label.from).chain([text.len()]);
    labels.iter().zip(ends).map(|(label, end)| (*label, text.get(label.to..end).unwrap_or_default()))
}

fn in_line(line: &str, offset: usize, names: &[&'static str], found: &mut Vec<Label>) {
    let end = offset + line.len();
    if let Some((name, rest)) = label(after_bullet(line), names, after_word) {
        found.push(Label { name, from: offset, to: end - rest.len(), starts_line: true });
    }
    let mut before = None;
    for (at, letter) in line.char_indices() {
        let from = offset + at;
        let is_free = found.last().is_none_or(|last| last.to <= from);
        let begins = is_free && letter.is_ascii_uppercase() && !before.is_some_and(is_word);
        before = Some(letter);
        let text = line.get(at..).filter(|_| begins);
        let exactly = |text, word: &str| str::strip_prefix(text, word);
        if let Some((name, rest)) = text.and_then(|text| label(text, names, exactly)) {
            found.push(Label { name, from, to: end - rest.len(), starts_line: false });
        }
    }
}

/// A label in front of a text, with the rest after its colon.
fn label<'a>(
    text: &'a str,
    names: &[&'static str],
    after: impl Fn(&'a str, &str) -> Option<&'a str>,
) -> Option<(&'static str, &'a str)> {
    names.iter().find_map(|name| {
        let rest = after_blanks(after(text, name)?).trim_start_matches(|letter: char| letter.is_ascii_digit());
        Some((*name, after_blanks(rest).strip_prefix([':', '：'])?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_start_lines_in_any_case_and_else_are_capitalised() {
        let text = "- plan 1 : a Do: b do: c\n2) DO: d Plan2: eXPlan: f\nplan\nPlan：g";
        let found = labels(text, &["Plan", "Do"]);
        let names: Vec<_> = segments(text, &found).map(|(label, text)| (label.name, label.starts_line, text)).collect();
        let expected = [
            ("Plan", true, " a "),
            ("Do", false, " b do: c\n"),
            ("Do", true, " d "),
            ("Plan", false, " eXPlan: f\nplan\n"),
            ("Plan", true, "g"),
        ];
        assert_eq!(names, expected);
    }
}
