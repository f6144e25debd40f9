//! What is asked, offered, refused and told in a conversation.

use super::words::{Sentence, time};
use crate::environments::booking::api::Domain;

/// Words by which something is known.
pub(super) type Phrases = &'static [&'static str];

/// The slots that an agent can ask a user for, with the words by which they are asked for.
#[rustfmt::skip]
const ASKED: &[(&str, &[Domain], Phrases)] = {
    use Domain::{Attraction, Hotel, Restaurant, Taxi, Train};
    &[
        ("area", &[Hotel, Restaurant, Attraction], &["area", "part of", "side of", "location", "where in"]),
        ("pricerange", &[Hotel, Restaurant], &["price", "price range", "pricerange", "budget", "priced"]),
        ("food", &[Restaurant], &["food", "cuisine", "type of restaurant"]),
        ("type", &[Hotel, Attraction], &["type", "kind", "sort", "guesthouse or", "hotel or"]),
        ("stars", &[Hotel], &["stars", "star", "rating", "star rating"]),
        ("internet", &[Hotel], &["internet", "wifi", "wi-fi"]),
        ("parking", &[Hotel], &["parking"]),
        ("name", &[Hotel, Restaurant, Attraction], &["name", "called", "which restaurant", "which attraction"]),
        ("people", &[Hotel, Restaurant, Train], &["people", "how many tickets", "guests", "party", "persons",
            "number of tickets"]),
        ("stay", &[Hotel], &["nights", "how long", "days", "length of"]),
        ("day", &[Hotel, Restaurant, Train], &["day", "date", "which day", "when"]),
        ("time", &[Restaurant], &["time", "when"]),
        ("departure", &[Train, Taxi], &["from", "departure", "departing", "pick you up", "depart from", "picked up"]),
        ("destination", &[Train, Taxi], &["destination", "go to", "going", "where to", "to where", "travel to", "go"]),
        ("leaveAt", &[Train, Taxi], &["leave", "leaving", "departure time", "what time", "when", "depart"]),
        ("arriveBy", &[Train, Taxi], &["arrive", "arriving", "arrival", "what time", "when"]),
    ]
};

/// The slots that a user can ask an agent for, with the words by which that is done; the first is how our users say it.
#[rustfmt::skip]
const REQUESTED: &[(&str, Phrases)] = &[
    ("address", &["address", "located", "location", "where is it"]),
    ("phone", &["phone number", "phone", "contact number", "telephone", "contact"]),
    ("postcode", &["postcode", "post code", "postal code", "zip"]),
    ("entrance fee", &["entrance fee", "fee", "admission", "entry", "cost to get in"]),
    ("area", &["area", "part of town", "side of town"]),
    ("type", &["type", "kind", "sort"]),
    ("pricerange", &["price range", "pricerange", "how expensive"]),
    ("stars", &["star rating", "stars", "rating"]),
    ("internet", &["internet", "wifi", "wi-fi"]),
    ("parking", &["parking"]),
    ("food", &["food", "cuisine"]),
    ("duration", &["travel time", "duration", "how long"]),
    ("price", &["price", "cost", "how much"]),
    ("leaveAt", &["departure time", "leave", "depart"]),
    ("arriveBy", &["arrival time", "arrive"]),
    ("trainID", &["train id", "trainid", "id of the train", "train number"]),
    ("car type", &["car type", "type of car", "kind of car"]),
    ("reference", &["reference number", "reference", "confirmation number"]),
];

/// Colours of cars: who names one tells what car comes.
const COLOURS: Phrases = &[
    "black", "white", "red", "yellow", "blue", "grey", "gray", "green", "silver", "brown",
    "orange", "purple",
];

/// Words that ask without a question mark.
#[rustfmt::skip]
const PLEAS: Phrases = &[
    "please tell", "let me know", "need to know", "please provide", "please give", "please specify",
];

/// Words of a question whether something is right, or is to be done.
#[rustfmt::skip]
const POLAR: Phrases = &[
    "is that right", "is that correct", "correct", "shall i", "should i", "would you like me to", "do you want me to",
    "may i", "is that", "would you like to book", "want to book", "like a booking", "is this", "confirm",
];

/// Words by which such a question asks for something else as well.
const JOINED: Phrases = &[
    "and what",
    "and how",
    "and when",
    "and which",
    "and where",
    "another",
];

/// Words of a question which one of several is meant.
#[rustfmt::skip]
const WHICH: Phrases = &[
    "which one", "which of", "one of them", "one of these", "any of them", "pick one",
];

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
    for sentence in text.iter().filter(|one| one.asks || one.any(PLEAS)) {
        all.add(sentence, domain);
    }
    all.slots
        .retain(|slot| *slot != "day" || domain != Domain::Taxi);
    all
}

impl Asked {
    /// Adds what a sentence asks.
    fn add(&mut self, sentence: &Sentence, domain: Domain) {
        if sentence.any(&["anything else", "something else", "else i can", "any other"]) {
            self.more = true;
            return;
        }
        self.which |= sentence.any(WHICH);
        if sentence.any(POLAR) {
            self.confirms = true;
            if !sentence.any(JOINED) {
                return;
            }
        }
        for slot in slots_named(sentence, domain) {
            if !self.slots.contains(&slot) {
                self.slots.push(slot);
            }
        }
        // `What time would you like to leave?` asks not for the arrival.
        let (leaves, arrives) = (sentence.has_stem("leav"), sentence.has_stem("arriv"));
        if leaves != arrives {
            let other = if arrives { "leaveAt" } else { "arriveBy" };
            self.slots.retain(|slot| *slot != other);
        }
        // `Where do you want to leave from?` asks for no time.
        if sentence.has("where") && !sentence.any(&["time", "when", "what time"]) {
            self.slots
                .retain(|slot| !matches!(*slot, "leaveAt" | "arriveBy"));
        }
    }
}

/// What a user wants to know of a domain, in a sentence.
pub fn requested(sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    let is_plea = sentence.any(&[
        "tell me",
        "give me",
        "may i have",
        "can i have",
        "i need the",
        "i need its",
        "i also need the",
        "get the",
        "what is",
        "what's",
        "i want the",
        "know the",
    ]);
    let about = ["its", "it", "they", "that", "the"]
        .iter()
        .any(|word| sentence.has(word));
    let is_question = sentence.asks && about;
    if !is_plea && !is_question {
        return Vec::new();
    }
    let is_ride = matches!(domain, Domain::Train | Domain::Taxi);
    let slots = REQUESTED.iter().filter(|(slot, phrases)| {
        let is_of = match *slot {
            "duration" | "price" | "leaveAt" | "arriveBy" | "trainID" => domain == Domain::Train,
            "car type" => domain == Domain::Taxi,
            "phone" => domain != Domain::Train,
            "reference" => true,
            "entrance fee" => domain == Domain::Attraction,
            "stars" | "internet" | "parking" => domain == Domain::Hotel,
            "food" => domain == Domain::Restaurant,
            _ => !is_ride,
        };
        is_of && sentence.any(phrases)
    });
    slots.map(|(slot, _)| *slot).collect()
}

/// The words by which a slot is asked for and told.
fn phrases_of(slot: &str) -> Phrases {
    let row = REQUESTED.iter().find(|(own, _)| *own == slot);
    row.map_or(&[], |(_, phrases)| phrases)
}

/// The words by which a user asks for a slot; none if the grammar does not know it.
pub fn request(slot: &str) -> Option<&'static str> {
    phrases_of(slot).first().copied()
}

/// Words that say of something that it is not known.
#[rustfmt::skip]
const UNKNOWN: Phrases = &[
    "not known", "unknown", "not listed", "don't know", "do not know", "no information",
];

/// Whether a text tells a slot of what it speaks of, or that it is not known. What is asked is not told.
pub fn tells(text: &[Sentence], slot: &str) -> bool {
    let text: Vec<&Sentence> = text.iter().filter(|sentence| !sentence.asks).collect();
    let any = |phrases: &[&str]| text.iter().any(|sentence| sentence.any(phrases));
    let words = || text.iter().flat_map(|sentence| &sentence.words);
    let named = phrases_of(slot);
    if any(UNKNOWN) && any(named) {
        return true;
    }
    let with_time = |stem: &str| {
        text.iter().any(|sentence| {
            let has_time = (0..sentence.words.len()).any(|place| time(sentence, place).is_some());
            sentence.has_stem(stem) && has_time
        })
    };
    match slot {
        "phone" => has_phone(&text),
        "postcode" => {
            any(named) && words().any(|word| is_mixed(word))
                || words().any(|word| is_postcode(word))
        }
        "address" => any(named) || any(&["situated"]),
        "entrance fee" => {
            any(named) && any(&["free", "pound", "pounds", "?"])
                || any(&["free to enter", "free entry"])
        }
        "area" => any(&["centre", "center", "north", "south", "east", "west"]),
        "type" => {
            words().any(|word| super::values::KINDS.iter().any(|(kind, _)| kind == word))
                || any(&[
                    "guesthouse",
                    "hotel",
                    "guest house",
                    "multiple sports",
                    "concert hall",
                    "type",
                ])
        }
        "pricerange" => any(&["cheap", "moderate", "moderately", "expensive"]),
        "stars" => text.iter().any(|sentence| {
            sentence.has_stem("star") || sentence.words.iter().any(|word| word.ends_with("-star"))
        }),
        "duration" => any(&["minutes", "hour", "hours"]) || any(named),
        "price" => any(&["pounds", "pound", "gbp"]) || any(named),
        "leaveAt" => with_time("leav") || with_time("depart"),
        "arriveBy" => with_time("arriv"),
        "trainID" => words().any(|word| {
            word.strip_prefix("tr")
                .is_some_and(|id| id.len() > 2 && id.parse::<u32>().is_ok())
        }),
        "car type" => any(named) || any(COLOURS),
        "reference" => has_reference(&text),
        _ if named.is_empty() => any(&[slot]),
        _ => any(named),
    }
}

/// Whether a word is of letters and digits.
fn is_mixed(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|letter| is(&letter));
    word.len() >= 3 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

fn is_postcode(word: &str) -> bool {
    let bytes = word.as_bytes();
    let letters = |range: std::ops::Range<usize>| {
        bytes
            .get(range)
            .is_some_and(|part| part.iter().all(u8::is_ascii_alphabetic))
    };
    let length = bytes.len();
    (5..=7).contains(&length)
        && letters(0..1)
        && letters(length - 2..length)
        && bytes[length - 3].is_ascii_digit()
}

/// Ten digits or more in a row of words.
fn has_phone(text: &[&Sentence]) -> bool {
    text.iter().any(|sentence| {
        let mut run = 0;
        sentence.words.iter().any(|word| {
            let is_digits = word
                .chars()
                .all(|digit| digit.is_ascii_digit() || digit == '-');
            run = if is_digits { run + word.len() } else { 0 };
            run >= 10
        })
    })
}

/// Eight letters and digits behind `reference`.
fn has_reference(text: &[&Sentence]) -> bool {
    text.iter().any(|sentence| {
        let place = sentence
            .words
            .iter()
            .position(|word| word == "reference" || word == "confirmation");
        let after = place
            .and_then(|place| sentence.words.get(place + 1..))
            .unwrap_or_default();
        let is_word =
            |word: &str| matches!(word, "provided" | "required" | "returned" | "together");
        let mut after = after.iter().take(6);
        after.any(|word| {
            word.len() == 8
                && word.chars().all(|letter| letter.is_ascii_alphanumeric())
                && !is_word(word)
        })
    })
}

/// Whether a text says that something was not found, or could not be done.
pub fn is_failure(text: &[Sentence]) -> bool {
    const FAILURES: Phrases = &[
        "unfortunately",
        "could not",
        "couldn't",
        "cannot",
        "can't",
        "no match",
        "no matches",
        "not available",
        "unavailable",
        "nothing",
        "none",
        "not find",
        "didn't find",
        "did not find",
        "fully booked",
        "is full",
        "is taken",
        "not possible",
        "failed",
        "there is no",
        "there are no",
        "there's no",
        "there aren't",
        "there isn't",
        "i found no",
        "don't have",
        "do not have",
        "no results",
        "is already taken",
        "don't see",
        "no such",
        "wasn't able",
        "unable",
        "was not able",
    ];
    text.iter()
        .any(|sentence| sentence.any(FAILURES) && !sentence.asks)
}

/// Whether a text offers something, or says what there is.
pub fn is_offer(text: &[Sentence]) -> bool {
    const OFFERS: Phrases = &[
        "found",
        "there is",
        "there are",
        "how about",
        "recommend",
        "suggest",
        "we have",
        "i have",
        "is a",
        "is an",
        "booked",
        "what about",
        "would suit",
        "leaves",
        "departs",
        "it is in",
        "is called",
        "is located",
    ];
    text.iter().any(|sentence| sentence.any(OFFERS))
        || tells(text, "trainID")
        || tells(text, "reference")
}

/// Whether a sentence says that something does not matter.
pub fn is_open(sentence: &Sentence) -> bool {
    const OPEN: Phrases = &[
        "any",
        "don't care",
        "doesn't matter",
        "does not matter",
        "do not care",
        "no preference",
        "whatever",
        "either",
        "anything",
        "not important",
        "don't mind",
        "no particular",
    ];
    sentence.any(OPEN) && !sentence.asks
}

/// The slots of a domain that a sentence names, as one that says of them that they do not matter.
pub fn slots_named(sentence: &Sentence, domain: Domain) -> Vec<&'static str> {
    let rows = ASKED
        .iter()
        .filter(|(_, domains, phrases)| domains.contains(&domain) && sentence.any(phrases));
    rows.map(|(slot, ..)| *slot).collect()
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
