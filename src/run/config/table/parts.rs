//! Readers that columns and rows of a table share.

use serde::de::value::{self, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};

use crate::config::error::{instead, quoted};
use crate::config::walk::Section;
use rolecall_core::domain::CellName;

/// A text that must be there.
pub(super) fn required<'a>(section: &mut Section<'a>, key: &'a str) -> Option<String> {
    section.needs(key, "write a text");
    section.text(key).map(str::to_owned)
}

/// A text, or a list of texts.
pub(super) fn texts_of<'a>(section: &mut Section<'a>, key: &'a str) -> Vec<String> {
    let Some(node) = section.node(key) else {
        return Vec::new();
    };
    let items = node.list().unwrap_or(std::slice::from_ref(node));
    items.iter().map(|item| item.text().map(str::to_owned)).collect::<Option<_>>().unwrap_or_else(|| {
        section.wrong(key, "must be a text or a list of texts");
        Vec::new()
    })
}

/// The meaning of one of the words, as serde reads it; the usual one if nothing is written.
pub(super) fn meaning<'a, T: DeserializeOwned + Default>(section: &mut Section<'a>, key: &'a str, words: &[&str]) -> T {
    let word = section.choice(key, words).unwrap_or_default();
    let word: StrDeserializer<'_, value::Error> = word.into_deserializer();
    T::deserialize(word).unwrap_or_default()
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
            let (name, instead) = (quoted(pattern), instead(pattern, &names));
            section.wrong("cells", format!("names {name}, which is no cell{instead}"));
        }
    }
    let named = |cell: &&CellName| patterns.iter().any(|one| fits(one, cell.as_str()));
    cells.iter().filter(named).cloned().collect()
}

/// Whether a pattern, in which `*` stands for anything, is the whole of a name.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, others)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let (inner, last) = others.rsplit_once('*').unwrap_or(("", others));
    for part in inner.split('*') {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::table::{Figure, Take};

    #[test]
    fn every_word_has_a_meaning_of_its_own() {
        fn read<T: DeserializeOwned>(word: &str) -> T {
            let word: StrDeserializer<'_, value::Error> = word.into_deserializer();
            T::deserialize(word).unwrap()
        }
        let figures = Figure::WORDS.map(read::<Figure>);
        let takes = Take::WORDS.map(read::<Take>);
        assert!((1..8).all(|index| !figures[..index].contains(&figures[index])));
        assert!((1..4).all(|index| !takes[..index].contains(&takes[index])));
    }

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
        let no = [("react", "react-p0"), ("react-*", "respact-p0"), ("*-p1", "react-p0"), ("a*a", "a"), ("", "a")];
        for (pattern, name) in no {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
