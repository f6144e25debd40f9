//! What columns and rows of a table are read with.

use crate::config::error::{instead, quoted};
use crate::config::node::{Kind, Node};
use crate::config::walk::Section;
use crate::domain::CellName;

/// A text that must be there.
pub(super) fn required<'a>(section: &mut Section<'a>, key: &'a str) -> Option<String> {
    if !section.has(key) {
        section.missing(key, "write a text");
    }
    section.text(key).map(str::to_owned)
}

/// A text, or a list of texts.
pub(super) fn texts_of<'a>(section: &mut Section<'a>, key: &'a str) -> Vec<String> {
    let Some(node) = section.node(key) else {
        return Vec::new();
    };
    let text = |node: &Node| match &node.kind {
        Kind::Text(text) => Some(text.clone()),
        _ => None,
    };
    let found: Option<Vec<String>> = match &node.kind {
        Kind::List(items) => items.iter().map(text).collect(),
        _ => text(node).map(|text| vec![text]),
    };
    found.unwrap_or_else(|| {
        section.wrong(key, "must be a text or a list of texts".to_owned());
        Vec::new()
    })
}

/// The word of a list of words with meanings; the usual meaning if nothing is written.
pub(super) fn meaning<'a, T: Copy + Default>(
    section: &mut Section<'a>,
    key: &'a str,
    words: &[(&str, T)],
) -> T {
    let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let word = section.choice(key, &known);
    let found = words.iter().find(|(own, _)| Some(*own) == word);
    found.map(|(_, meaning)| *meaning).unwrap_or_default()
}

/// The cells whose names the patterns match, in the order of the config. A pattern that matches none is
/// wrong unless its cells `may_be_missing`.
pub(super) fn named_cells(
    section: &mut Section<'_>,
    cells: Option<&[CellName]>,
    may_be_missing: bool,
) -> Vec<CellName> {
    let patterns = texts_of(section, "cells");
    let Some(cells) = cells else {
        return Vec::new();
    };
    for pattern in &patterns {
        if !may_be_missing && !cells.iter().any(|cell| fits(pattern, cell.as_str())) {
            let names: Vec<&str> = cells.iter().take(20).map(CellName::as_str).collect();
            let problem = format!(
                "names {}, which is no cell{}",
                quoted(pattern),
                instead(pattern, &names)
            );
            section.wrong("cells", problem);
        }
    }
    let named = |cell: &&CellName| patterns.iter().any(|one| fits(one, cell.as_str()));
    cells.iter().filter(named).cloned().collect()
}

/// Whether a pattern, in which `*` stands for anything, is the whole of a name.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(place) = rest.find(part) else {
            return false;
        };
        rest = &rest[place + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_anything() {
        let yes = [
            ("react", "react"),
            ("react-*", "react-p0"),
            ("*-p0", "react-p0"),
            ("re*-p*", "react-p0"),
            ("*", ""),
            ("a*a", "aa"),
            ("*b*", "abc"),
        ];
        for (pattern, name) in yes {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        let no = [
            ("react", "react-p0"),
            ("react-*", "respact-p0"),
            ("*-p1", "react-p0"),
            ("a*a", "a"),
            ("", "a"),
        ];
        for (pattern, name) in no {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
