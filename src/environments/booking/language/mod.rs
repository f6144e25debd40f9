//! Language of people and agents about hotels, restaurants, attractions, trains and taxis: a small grammar that the
//! users and agents by rules share, with its words in tables beside this file. Whatever is said is read without
//! failing; what is not understood is passed over.

mod questions;
mod values;
mod words;

pub use questions::{Asked, asked, is_failure, is_offer, is_open, request, requested, slots_named, tells};
pub use values::{Pair, is_booked, read};
pub use words::{NUMBERS, Sentence, number, sentences, time};

use super::api::Domain;
use rolecall_core::text::has_word;
use words::phrases;

/// The words for a domain.
const DOMAINS: &str = include_str!("vocabulary/domains.txt");

/// Kinds of attractions as the records have them, and as they are called.
const KINDS: &str = include_str!("vocabulary/kinds.txt");

/// The slots that an agent can ask a user for, by domain, with the words that ask for them.
const ASKED: &str = include_str!("vocabulary/asked.txt");

/// The slots that a user can ask an agent for, by domain, with the words that ask for them; the first is how our users
/// say it.
const REQUESTED: &str = include_str!("vocabulary/requested.txt");

/// The slots as the end of a sentence, where `{}` stands for the value; some have values of their own.
const FRAGMENTS: &str = include_str!("vocabulary/fragments.txt");

/// The rows of a table: one a line, with its phrases behind a colon.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|row| row.split_once(':'))
}

/// Entry of a table for a slot with a value or domain, else for the slot.
pub fn entry(table: &'static str, slot: &str, of: &str) -> Option<&'static str> {
    let exact = format!("{slot} {of}");
    let find = |name: &str| rows(table).find(|(key, _)| *key == name);
    find(&exact).or_else(|| find(slot)).map(|(_, text)| text)
}

/// A slot with its value, as the end of a sentence (` in the north`); none if there is no such slot.
pub fn fragment(slot: &str, value: &str) -> Option<String> {
    Some(entry(FRAGMENTS, slot, value)?.replace("{}", value))
}

/// The kinds of attractions, as they are called and as the records have them.
fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(KINDS).flat_map(|(kind, called)| phrases(called).map(move |phrase| (phrase, kind)))
}

/// The slots of a domain that a sentence names, in one of the tables by slot and domain.
fn named(table: &'static str, sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    rows(table)
        .filter_map(|(name, phrases)| {
            let (slot, domains) = name.split_once(" of ")?;
            (has_word(domains, domain.as_str()) && sentence.has_any(phrases)).then_some(slot)
        })
        .collect()
}

/// The words by which a user asks for a slot and an agent tells it; none if the grammar does not know it.
fn phrases_of(slot: &str) -> &'static str {
    let mut rows = rows(REQUESTED);
    rows.find(|(name, _)| name.split(" of ").next() == Some(slot)).map_or("", |(_, phrases)| phrases)
}

/// The domain of a sentence, where `current` is the one before; none if it names none.
///
/// A taxi or train goes before its destination; else the first name counts. Where a ride is spoken of, its places
/// say nothing.
pub fn domain(sentence: &Sentence, current: Option<Domain>) -> Option<Domain> {
    let end = sentence.name_at().unwrap_or(sentence.words.len());
    let is_station = sentence.has_any("train station, railway station");
    let named: Vec<(usize, Domain)> = rows(DOMAINS)
        .filter_map(|(name, phrases)| {
            let place = sentence.find_any(phrases).filter(|place| *place < end)?;
            let domain = Domain::named(name).filter(|domain| !is_station || *domain != Domain::Train)?;
            Some((place, domain))
        })
        .collect();
    if let Some((_, ride)) = named.iter().find(|(_, domain)| domain.is_ride()) {
        return Some(*ride);
    }
    let is_ride = current.is_some_and(Domain::is_ride);
    let goes = sentence.has_any("from, to, between, leave, depart");
    if is_ride && goes && !sentence.has_any("looking for, need a, want a, also, find") {
        return None;
    }
    let kinds = kinds()
        .filter(|(_, kind)| *kind != "park" || !is_ride)
        .filter_map(|(phrase, _)| sentence.find(phrase).filter(|place| *place < end));
    let kind = kinds.min().map(|place| (place, Domain::Attraction));
    named.into_iter().chain(kind).min_by_key(|(place, _)| *place).map(|(_, domain)| domain)
}

/// The domain of the last of several sentences, where `current` is the one before.
pub fn last_domain(sentences: &[Sentence], current: Option<Domain>) -> Option<Domain> {
    sentences.iter().fold(current, |current, sentence| domain(sentence, current).or(current))
}

/// Text with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
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
