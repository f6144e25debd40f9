//! What is asked, offered, refused and told in a conversation.

use super::values::train_id;
use super::vocabulary::{ASKED, REQUESTED, kinds, named, phrases_of};
use super::words::{Sentence, phrases, time};
use crate::environments::booking::api::Domain;
use crate::text::{has_word, unique};

/// Words that ask without a question mark.
const PLEAS: &str = "please tell, let me know, need to know, please provide, please give, please specify";

/// Words of a question whether something is right, or is to be done.
const POLAR: &str = "is that right, is that correct, correct, shall i, should i, would you like me to, \
    do you want me to, may i, is that, would you like to book, want to book, like a booking, is this, confirm";

/// Words by which such a question asks for something else as well.
const JOINED: &str = "and what, and how, and when, and which, and where, another";

/// Words of a question which one of several is meant.
const WHICH: &str = "which one, which of, one of them, one of these, any of them, pick one";

/// Words that ask what is known of something.
const REQUESTS: &str = "tell me, give me, may i have, can i have, i need the, i need its, i also need the, get the, \
    what is, what's, i want the, know the";

/// Words that say of something that it is not known.
const UNKNOWN: &str = "not known, unknown, not listed, don't know, do not know, no information";

/// Words that say that something was not found, or could not be done.
const FAILURES: &str = "unfortunately, could not, couldn't, cannot, can't, no match, no matches, not available, \
    unavailable, nothing, none, not find, didn't find, did not find, fully booked, is full, is taken, not possible, \
    failed, there is no, there are no, there's no, there aren't, there isn't, i found no, don't have, do not have, \
    no results, is already taken, don't see, no such, wasn't able, unable, was not able";

/// Words that offer something, or say what there is.
const OFFERS: &str = "found, there is, there are, how about, recommend, suggest, we have, i have, is a, is an, booked, \
    what about, would suit, leaves, departs, it is in, is called, is located";

/// Words that say that something does not matter.
const OPEN: &str = "any, don't care, doesn't matter, does not matter, do not care, no preference, whatever, either, \
    anything, not important, don't mind, no particular";

/// Colours of cars: who names one tells what car comes.
const COLOURS: &str = "black, white, red, yellow, blue, grey, gray, green, silver, brown, orange, purple";

/// What an agent wants to hear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The slots that it asks for.
    pub slots: Vec<&'static str>,
    /// It asks whether something is right, or is to be done.
    pub confirms: bool,
    /// It asks which one of several is meant.
    pub which: bool,
    /// It asks whether there is anything else.
    pub more: bool,
}

/// What is asked of the user in a text about a domain.
pub fn asked(text: &[Sentence], domain: Domain) -> Asked {
    let mut all = Asked::default();
    for sentence in text.iter().filter(|one| one.asks || one.has_any(PLEAS)) {
        all.add(sentence, domain);
    }
    all
}

impl Asked {
    /// Adds what a sentence asks.
    fn add(&mut self, sentence: &Sentence, domain: Domain) {
        if sentence.has_any("anything else, something else, else i can, any other") {
            self.more = true;
            return;
        }
        self.which |= sentence.has_any(WHICH);
        if sentence.has_any(POLAR) {
            self.confirms = true;
            if !sentence.has_any(JOINED) {
                return;
            }
        }
        self.slots.extend(slots_named(sentence, domain));
        self.slots = unique(std::mem::take(&mut self.slots));
        // `What time would you like to leave?` asks not for the arrival, and `Where do you want to leave from?` for
        // no time.
        let (leaves, arrives) = (sentence.has_stem("leav"), sentence.has_stem("arriv"));
        let asks_where = sentence.has("where") && !sentence.has_any("time, when");
        self.slots.retain(|slot| match *slot {
            "leaveAt" => !asks_where && (leaves || !arrives),
            "arriveBy" => !asks_where && (arrives || !leaves),
            _ => true,
        });
    }
}

/// What a user wants to know of a domain, in a sentence.
pub fn requested(sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    let asks = sentence.asks && sentence.has_any("its, it, they, that, the");
    match asks || sentence.has_any(REQUESTS) {
        true => named(REQUESTED, sentence, domain),
        false => Vec::new(),
    }
}

/// The words by which a user asks for a slot; none if the grammar does not know it.
pub fn request(slot: &str) -> Option<&'static str> {
    phrases(phrases_of(slot)).next().filter(|phrase| !phrase.is_empty())
}

/// Whether a text tells a slot of what it speaks of, or that it is not known. What is asked is not told.
pub fn tells(text: &[Sentence], slot: &str) -> bool {
    let text: Vec<&Sentence> = text.iter().filter(|sentence| !sentence.asks).collect();
    let any = |phrases: &str| text.iter().any(|sentence| sentence.has_any(phrases));
    let words = |is: fn(&str) -> bool| text.iter().any(|one| one.words.iter().any(|word| is(word)));
    let times = |stem: &str| text.iter().any(|one| one.has_stem(stem) && has_time(one));
    let names = phrases_of(slot);
    let is_named = any(names);
    if is_named && any(UNKNOWN) {
        return true;
    }
    match slot {
        "phone" => text.iter().any(|sentence| has_phone(sentence)),
        "postcode" => is_named && words(is_mixed) || words(is_postcode),
        "address" => is_named || any("situated"),
        "entrance fee" => is_named && any("free, pound, pounds") || any("free to enter, free entry"),
        "area" => any("centre, center, north, south, east, west"),
        "type" => words(is_kind) || any("guesthouse, hotel, guest house, multiple sports, concert hall, type"),
        "pricerange" => any("cheap, moderate, moderately, expensive"),
        "stars" => words(|word| word.starts_with("star") || word.ends_with("-star")),
        "duration" => is_named || any("minutes, hour, hours"),
        "price" => is_named || any("pounds, pound, gbp"),
        "leaveAt" => times("leav") || times("depart"),
        "arriveBy" => times("arriv"),
        "trainID" => words(|word| train_id(word).is_some()),
        "car type" => is_named || any(COLOURS),
        "reference" => text.iter().any(|sentence| has_reference(sentence)),
        _ => is_named || names.is_empty() && any(slot),
    }
}

/// Whether a word is a kind of attraction.
fn is_kind(word: &str) -> bool {
    kinds().any(|(phrase, _)| phrase == word)
}

/// Whether a word is of letters and digits.
fn is_mixed(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|letter| is(&letter));
    word.len() >= 3 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

/// Whether a word is a postcode without its blank, such as `cb21ab`.
fn is_postcode(word: &str) -> bool {
    let [first, .., digit, before, last] = word.as_bytes() else {
        return false;
    };
    let letters = [first, before, last];
    (5..=7).contains(&word.len()) && digit.is_ascii_digit() && letters.iter().all(|letter| letter.is_ascii_alphabetic())
}

fn has_time(sentence: &Sentence) -> bool {
    (0..sentence.words.len()).any(|place| time(sentence, place).is_some())
}

/// Whether ten digits or more stand in a row of words.
fn has_phone(sentence: &Sentence) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '-';
    let mut rows = sentence.words.split(|word| !word.chars().all(is_digit));
    rows.any(|row| row.iter().map(String::len).sum::<usize>() >= 10)
}

/// Whether eight letters and digits stand behind `reference`.
fn has_reference(sentence: &Sentence) -> bool {
    let named = sentence.find_any("reference, confirmation");
    let after = named.map_or(&[][..], |place| sentence.rest(place + 1));
    after.iter().take(6).any(|word| {
        word.len() == 8
            && word.chars().all(|letter| letter.is_ascii_alphanumeric())
            && !has_word("provided required returned together", word)
    })
}

/// Whether a text says that something was not found, or could not be done.
pub fn is_failure(text: &[Sentence]) -> bool {
    text.iter().any(|one| one.has_any(FAILURES) && !one.asks)
}

/// Whether a text offers something, or says what there is.
pub fn is_offer(text: &[Sentence]) -> bool {
    let offers = text.iter().any(|sentence| sentence.has_any(OFFERS));
    offers || tells(text, "trainID") || tells(text, "reference")
}

/// Whether a sentence says that something does not matter.
pub fn is_open(sentence: &Sentence) -> bool {
    sentence.has_any(OPEN) && !sentence.asks
}

/// The slots of a domain that a sentence names, as one that asks for them or says that they do not matter.
pub fn slots_named(sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    named(ASKED, sentence, domain)
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
