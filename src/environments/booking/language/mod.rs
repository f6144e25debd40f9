//! What people and agents say about hotels, restaurants, attractions, trains and taxis: a small grammar that the users
//! and agents by rules have in common. Whatever is said is read without failing; what is not understood is passed over.

mod questions;
mod values;
mod words;

pub use questions::{
    Asked, asked, is_failure, is_offer, is_open, request, requested, slots_named, tells,
};
pub use values::{Pair, is_booked, read};
pub use words::{NUMBERS, Sentence, number, sentences, time};

use super::api::Domain;

/// The word for a domain.
#[rustfmt::skip]
const CUES: &[(Domain, &[&str])] = &[
    (Domain::Taxi, &["taxi", "taxis", "cab"]),
    (Domain::Train, &["train", "trains", "railway"]),
    (Domain::Hotel, &["hotel", "hotels", "guesthouse", "guesthouses", "guest house", "guest houses", "lodging",
        "accommodation", "place to stay", "places to stay", "stay in", "room", "rooms", "bed and breakfast",
        "staying"]),
    (Domain::Restaurant, &["restaurant", "restaurants", "dine", "dining", "eat", "eating", "food", "cuisine", "meal",
        "dinner", "lunch", "table", "eatery"]),
    (Domain::Attraction, &["attraction", "attractions", "place to go", "places to go", "something to do",
        "things to do", "sights", "to visit", "points of interest", "places to see", "to see", "where to go"]),
];

/// The domain that a sentence speaks of, where `current` was spoken of before; none if it names none.
///
/// A taxi or train goes before what it goes to; else what is named first counts. Where a ride is spoken of, its places
/// say nothing.
pub fn domain(sentence: &Sentence, current: Option<Domain>) -> Option<Domain> {
    let end = sentence.name_at().unwrap_or(sentence.words.len());
    let place = |phrases: &[&str]| {
        let places = phrases.iter().filter_map(|phrase| sentence.find(phrase));
        places.min().filter(|place| *place < end)
    };
    let is_station = sentence.has("train station") || sentence.has("railway station");
    for (domain, phrases) in &CUES[..2] {
        if place(phrases).is_some() && !(is_station && *domain == Domain::Train) {
            return Some(*domain);
        }
    }
    let is_ride = matches!(current, Some(Domain::Taxi | Domain::Train));
    let ride = ["from", "to", "between", "leave", "depart"]
        .iter()
        .filter_map(|word| sentence.find(word))
        .min();
    let wants = sentence.any(&["looking for", "need a", "want a", "also", "find"]);
    if is_ride && ride.is_some() && !wants {
        return None;
    }
    let named = CUES[2..]
        .iter()
        .filter_map(|(domain, phrases)| Some((place(phrases)?, *domain)));
    let kinds = values::KINDS
        .iter()
        .filter(|(_, kind)| *kind != "park" || !is_ride);
    let kind = kinds.filter_map(|(phrase, _)| place(&[phrase])).min();
    let named = named.chain(kind.map(|place| (place, Domain::Attraction)));
    let first = named.min_by_key(|(place, _)| *place);
    first.map(|(_, domain)| domain)
}

/// The domain that the last of several sentences speaks of, where `current` was spoken of before.
pub fn last_domain(sentences: &[Sentence], current: Option<Domain>) -> Option<Domain> {
    sentences.iter().fold(current, |current, sentence| {
        domain(sentence, current).or(current)
    })
}

/// Text with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The items as a list in a sentence: `a, b and c`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
