//! Where labels such as `Plan:` stand in a text.

use super::clean::{after_blanks, after_bullet, after_word};
use crate::text::overlap::is_word;

/// The names of labels, capitalised as they must be within a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Thought,
    Plan,
    Do,
    Action,
    Observation,
    Dialogue,
    Status,
    Response,
    System,
    Modules,
    Module,
    Strategies,
    Strategy,
}

impl Name {
    /// Those of ReAct, and what begins another dialogue.
    pub(super) const REACT: [Self; 4] = [
        Self::Thought,
        Self::Action,
        Self::Observation,
        Self::Dialogue,
    ];

    fn text(self) -> &'static str {
        match self {
            Self::Thought => "Thought",
            Self::Plan => "Plan",
            Self::Do => "Do",
            Self::Action => "Action",
            Self::Observation => "Observation",
            Self::Dialogue => "Dialogue",
            Self::Status => "Status",
            Self::Response => "Response",
            Self::System => "System",
            Self::Modules => "Modules",
            Self::Module => "Module",
            Self::Strategies => "Strategies",
            Self::Strategy => "Strategy",
        }
    }
}

/// A label of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) name: Name,
    /// Where it begins, or the line if it comes first there (bytes).
    pub(super) from: usize,
    /// Where what it labels begins (bytes).
    pub(super) to: usize,
    /// It comes first in its line.
    pub(super) starts_line: bool,
}

/// The labels of a text, in its order. At the start of a line, after a bullet or a number, their case does
/// not matter; within a line it does.
pub(super) fn labels(text: &str, names: &[Name]) -> Vec<Label> {
    let mut found = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        in_line(line, from, names, &mut found);
        from += line.len();
    }
    found
}

/// The labels that come first in their line.
pub(super) fn line_labels(text: &str, names: &[Name]) -> Vec<Label> {
    let mut found = labels(text, names);
    found.retain(|label| label.starts_line);
    found
}

/// What comes after a label in front of a text, whatever its case.
pub(super) fn after_label<'a>(text: &'a str, names: &[Name]) -> Option<&'a str> {
    label(text, names, after_word).map(|(_, rest)| rest)
}

/// Each label with the text up to the next one.
pub(super) fn segments<'a>(
    text: &'a str,
    labels: &[Label],
) -> impl Iterator<Item = (Label, &'a str)> {
    let ends = labels.iter().skip(1).map(|label| label.from);
    let ends = ends.chain([text.len()]);
    labels
        .iter()
        .zip(ends)
        .map(|(label, end)| (*label, text.get(label.to..end).unwrap_or_default()))
}

fn in_line(line: &str, offset: usize, names: &[Name], found: &mut Vec<Label>) {
    let mut done = 0;
    let start = after_bullet(line);
    if let Some((name, rest)) = label(start, names, after_word) {
        done = line.len() - rest.len();
        found.push(Label {
            name,
            from: offset,
            to: offset + done,
            starts_line: true,
        });
    }
    let mut before = None;
    for (at, letter) in line.char_indices() {
        let begins = at >= done && letter.is_ascii_uppercase() && !before.is_some_and(is_word);
        before = Some(letter);
        let Some(text) = line.get(at..).filter(|_| begins) else {
            continue;
        };
        let exactly = |text, word: &str| str::strip_prefix(text, word);
        if let Some((name, rest)) = label(text, names, exactly) {
            done = line.len() - rest.len();
            found.push(Label {
                name,
                from: offset + at,
                to: offset + done,
                starts_line: false,
            });
        }
    }
}

/// A label in front of a text, with what comes after its colon.
fn label<'a>(
    text: &'a str,
    names: &[Name],
    after: impl Fn(&'a str, &str) -> Option<&'a str>,
) -> Option<(Name, &'a str)> {
    names.iter().find_map(|name| {
        let rest = after_blanks(after(text, name.text())?);
        let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        Some((*name, after_blanks(rest).strip_prefix([':', '：'])?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_start_lines_in_any_case_and_else_are_capitalised() {
        let text = "- plan 1 : a Do: b do: c\n2) DO: d Plan2: eXPlan: f\nplan\nPlan：g";
        let found = labels(text, &[Name::Plan, Name::Do]);
        let names: Vec<_> = segments(text, &found)
            .map(|(label, text)| (label.name, label.starts_line, text))
            .collect();
        let expected = [
            (Name::Plan, true, " a "),
            (Name::Do, false, " b do: c\n"),
            (Name::Do, true, " d "),
            (Name::Plan, false, " eXPlan: f\nplan\n"),
            (Name::Plan, true, "g"),
        ];
        assert_eq!(names, expected);
    }
}
