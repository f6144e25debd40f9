//! The words of the grammar, in tables beside this file: a row a line, with its phrases behind a colon.

use super::words::{Sentence, phrases};
use crate::environments::booking::api::Domain;
use crate::text::has_word;

/// The words for a domain.
pub(super) const DOMAINS: &str = include_str!("vocabulary/domains.txt");

/// Kinds of attractions as the records have them, and as they are called.
const KINDS: &str = include_str!("vocabulary/kinds.txt");

/// The slots of domains that an agent can ask a user for, with the words by which they are asked for.
pub(super) const ASKED: &str = include_str!("vocabulary/asked.txt");

/// The slots of domains that a user can ask an agent for, with the words by which that is done; the first is how our
/// users say it.
pub(super) const REQUESTED: &str = include_str!("vocabulary/requested.txt");

/// The slots as the end of a sentence, where `{}` stands for the value; some have values of their own.
const FRAGMENTS: &str = include_str!("vocabulary/fragments.txt");

/// The rows of a table.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|row| row.split_once(':'))
}

/// What a table has for a slot with a value or domain, else what it has for the slot.
pub fn entry(table: &'static str, slot: &str, of: &str) -> Option<&'static str> {
    let exact = format!("{slot} {of}");
    let find = |name: &str| rows(table).find(|(own, _)| *own == name);
    find(&exact).or_else(|| find(slot)).map(|(_, text)| text)
}

/// A slot with its value, as the end of a sentence (` in the north`); none if there is no such slot.
pub fn fragment(slot: &str, value: &str) -> Option<String> {
    Some(entry(FRAGMENTS, slot, value)?.replace("{}", value))
}

/// The kinds of attractions, as they are called and as the records have them.
pub(super) fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(KINDS).flat_map(|(kind, called)| phrases(called).map(move |phrase| (phrase, kind)))
}

/// The slots of a domain that a sentence names, in one of the tables by slot and domain.
pub(super) fn named(table: &'static str, sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    let slots = rows(table).filter_map(|(name, phrases)| {
        let (slot, domains) = name.split_once(" of ")?;
        (has_word(domains, domain.as_str()) && sentence.has_any(phrases)).then_some(slot)
    });
    slots.collect()
}

/// The words by which a user asks for a slot, and an agent tells it; none if the grammar does not know it.
pub(super) fn phrases_of(slot: &str) -> &'static str {
    let mut rows = rows(REQUESTED);
    let own = rows.find(|(name, _)| name.split(" of ").next() == Some(slot));
    own.map_or("", |(_, phrases)| phrases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_what_there_is_and_has_phrases() {
        for table in [DOMAINS, KINDS, ASKED, REQUESTED, FRAGMENTS] {
            assert_eq!(rows(table).count(), table.lines().count());
        }
        assert!(rows(DOMAINS).all(|(name, _)| Domain::named(name).is_some()));
        for (name, list) in rows(ASKED).chain(rows(REQUESTED)) {
            let (_, domains) = name.split_once(" of ").unwrap();
            let mut domains = domains.split(' ');
            assert!(domains.all(|domain| Domain::named(domain).is_some()));
            assert!(phrases(list).all(|phrase| !phrase.is_empty()), "{name}");
        }
        assert_eq!(fragment("stay", "1").unwrap(), " for 1 night");
        assert_eq!(fragment("stay", "2").unwrap(), " for 2 nights");
        assert_eq!(fragment("reference", "2"), None);
    }
}
