//! What people and agents say about hotels, restaurants, attractions, trains and taxis: a small grammar that the users
//! and agents by rules have in common. Whatever is said is read without failing; what is not understood is passed over.

mod questions;
mod values;
mod vocabulary;
mod words;

pub use questions::{Asked, asked, is_failure, is_offer, is_open, request, requested, slots_named, tells};
pub use values::{Pair, is_booked, read};
pub use vocabulary::{entry, fragment};
pub use words::{NUMBERS, Sentence, number, sentences, time};

use super::api::Domain;
use vocabulary::{DOMAINS, kinds, rows};

/// The domain that a sentence speaks of, where `current` was spoken of before; none if it names none.
///
/// A taxi or train goes before what it goes to; else what is named first counts. Where a ride is spoken of, its places
/// say nothing.
pub fn domain(sentence: &Sentence, current: Option<Domain>) -> Option<Domain> {
    let end = sentence.name_at().unwrap_or(sentence.words.len());
    let is_station = sentence.has_any("train station, railway station");
    let named = rows(DOMAINS).filter_map(|(name, phrases)| {
        let place = sentence.find_any(phrases).filter(|place| *place < end)?;
        let domain = Domain::named(name).filter(|own| !is_station || *own != Domain::Train)?;
        Some((place, domain))
    });
    let named: Vec<(usize, Domain)> = named.collect();
    if let Some((_, ride)) = named.iter().find(|(_, domain)| domain.is_ride()) {
        return Some(*ride);
    }
    let is_ride = current.is_some_and(Domain::is_ride);
    let goes = sentence.has_any("from, to, between, leave, depart");
    if is_ride && goes && !sentence.has_any("looking for, need a, want a, also, find") {
        return None;
    }
    let kinds = kinds().filter(|(_, kind)| *kind != "park" || !is_ride);
    let kinds = kinds.filter_map(|(phrase, _)| sentence.find(phrase).filter(|place| *place < end));
    let kind = kinds.min().map(|place| (place, Domain::Attraction));
    let first = named.into_iter().chain(kind).min_by_key(|(place, _)| *place);
    first.map(|(_, domain)| domain)
}

/// The domain that the last of several sentences speaks of, where `current` was spoken of before.
pub fn last_domain(sentences: &[Sentence], current: Option<Domain>) -> Option<Domain> {
    sentences.iter().fold(current, |current, sentence| domain(sentence, current).or(current))
}

/// Text with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
