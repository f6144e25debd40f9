//! Questions, offers, refusals and information in a conversation.

use super::values::train_id;
use super::words::{Sentence, phrases, time};
use super::{ASKED, REQUESTED, kinds, named, phrases_of};
use crate::api::Domain;
use rolecall_core::text::{has_word, unique};

/// Words that ask without a question mark.
const PLEAS: &str = "please tell, let me know, need to know, please provide, please give, please specify";

/// Words of a question for confirmation.
const POLAR: &str = "is that right, is that correct, correct, shall i, should i, would you like me to, \
    do you want me to, may i, is that, would you like to book, want to book, like a booking, is this, confirm";

/// Words with which such a question asks for something else as well.
const JOINED: &str = "and what, and how, and when, and which, and where, another";

/// Words that ask which one of several is meant.
const WHICH: &str = "which one, which of, one of them, one of these, any of them, pick one";

/// Words that ask for information.
const REQUESTS: &str = "tell me, give me, may i have, can i have, i need the, i need its, i also need the, get the, \
    what is, what's, i want the, know the";

/// Words that say that something is unknown.
const UNKNOWN: &str = "not known, unknown, not listed, don't know, do not know, no information";

/// Words that report a failure.
const FAILURES: &str = "unfortunately, could not, couldn't, cannot, can't, no match, no matches, not available, \
    unavailable, nothing, none, not find, didn't find, did not find, fully booked, is full, is taken, not possible, \
    failed, there is no, there are no, there's no, there aren't, there isn't, i found no, don't have, do not have, \
    no results, is already taken, don't see, no such, wasn't able, unable, was not able";

/// Words that offer something, or tell what there is.
const OFFERS: &str = "found, there is, there are, how about, recommend, suggest, we have, i have, is a, is an, booked, \
    what about, would suit, leaves, departs, it is in, is called, is located";

/// Words that say that something does not matter.
const OPEN: &str = "any, don't care, doesn't matter, does not matter, do not care, no preference, whatever, either, \
    anything, not important, don't mind, no particular";

/// Colours of cars: naming one tells which car comes.
const COLOURS: &str = "black, white, red, yellow, blue, grey, gray, green, silver, brown, orange, purple";

/// Request of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The slots that it asks for.
    pub slots: Vec<&'static str>,
    /// It asks for confirmation.
    pub confirms: bool,
    /// It asks which one of several is meant.
    pub which: bool,
    /// It asks whether there is anything else.
    pub more: bool,
}

/// Request to the user in a text about a domain.
pub fn asked(text: &[Sentence], domain: Domain) -> Asked {
    let mut all = Asked::default();
    for sentence in text.iter().filter(|one| one.asks || one.has_any(PLEAS)) {
        all.add(sentence, domain);
    }
    all
}

impl Asked {
    /// Adds the request of a sentence.
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
        // `What time would you like to leave?` does not ask for the arrival, and `Where do you want to leave from?` not
        // for a time.
        let (leaves, arrives) = (sentence.has_stem("leav"), sentence.has_stem("arriv"));
        let asks_where = sentence.has("where") && !sentence.has_any("time, when");
        self.slots.retain(|slot| match *slot {
            "leaveAt" => !asks_where && (leaves || !arrives),
            "arriveBy" => !asks_where && (arrives || !leaves),
            _ => true,
        });
    }
}

/// Slots of a domain that a user asks for in a sentence.
pub fn requested(sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    let asks = sentence.asks && sentence.has_any("its, it, they, that, the");
    if asks || sentence.has_any(REQUESTS) { named(REQUESTED, sentence, domain) } else { Vec::new() }
}

/// The words by which a user asks for a slot; none if the grammar does not know it.
pub fn request(slot: &str) -> Option<&'static str> {
    phrases(phrases_of(slot)).next().filter(|phrase| !phrase.is_empty())
}

/// Whether a text tells a slot of its subject, or that it is unknown. Questions tell nothing.
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

/// Whether a word has letters and digits.
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

/// Whether words in a row have ten digits or more together.
fn has_phone(sentence: &Sentence) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '-';
    sentence.words.split(|word| !word.chars().all(is_digit)).any(|row| row.iter().map(String::len).sum::<usize>() >= 10)
}

/// Whether eight letters and digits stand behind `reference`.
fn has_reference(sentence: &Sentence) -> bool {
    let after = sentence.find_any("reference, confirmation").map_or(&[][..], |place| sentence.rest(place + 1));
    after.iter().take(6).any(|word| {
        word.len() == 8
            && word.chars().all(|letter| letter.is_ascii_alphanumeric())
            && !has_word("provided required returned together", word)
    })
}

/// Whether a text reports a failure.
pub fn is_failure(text: &[Sentence]) -> bool {
    text.iter().any(|one| one.has_any(FAILURES) && !one.asks)
}

/// Whether a text offers something, or tells what there is.
pub fn is_offer(text: &[Sentence]) -> bool {
    text.iter().any(|sentence| sentence.has_any(OFFERS)) || tells(text, "trainID") || tells(text, "reference")
}

/// Whether a sentence says that something does not matter.
pub fn is_open(sentence: &Sentence) -> bool {
    sentence.has_any(OPEN) && !sentence.asks
}

/// The slots of a domain that a sentence names, as words that ask for them or call them unimportant.
pub fn slots_named(sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    named(ASKED, sentence, domain)
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
