//! The values that a sentence gives for a domain's slots.

use super::kinds;
use super::words::{Sentence, number, time};
use crate::api::Domain;
use rolecall_core::text::has_word;

/// A slot with its value.
pub type Pair = (&'static str, String);

/// Reader of the value that the word at a place of a sentence gives.
type Reader = fn(&Sentence, usize) -> Option<Pair>;

const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

/// Words that are no food.
const NO_FOOD: &str = "a an the some any serve serves serving served with and or for of in priced price range \
    moderately cheap cheaper inexpensive expensive moderate upscale place nice good great local particular specific \
    certain new other another different same what which type types kind kinds sort their its it this that these \
    those your my our to is are was be eat get like want need have has find try do does serve offer offers offering \
    about no not only just more best information fine decent all these looking there , centre center north south \
    east west town cambridge budget one two table at on area restaurant food first second popular called";

/// Foods that begin as an area does.
const REGIONS: &str = "north american, south american, south indian, north indian, north african, south african";

/// Verbs that follow `to` where no place does.
const VERBS: &str = "go get find book catch take travel leave arrive be depart make plan see know have buy visit stay \
    eat dine reserve look do come commute use order help try return check ask pick include confirm";

/// Words at which the name of a place ends.
const PLACE_ENDS: &str = "from to on at by after before leaving leave leaves arriving arrive arrives departing depart \
    departs for that which please around , if is are with between today tomorrow sometime it no i going can could \
    you should will would there then instead in as monday tuesday wednesday thursday friday saturday sunday";

/// Whether a slot of a domain belongs to its booking, not to its search.
pub fn is_booked(domain: Domain, slot: &str) -> bool {
    match domain {
        Domain::Hotel | Domain::Restaurant => matches!(slot, "people" | "day" | "time" | "stay"),
        Domain::Train => slot == "people",
        Domain::Attraction | Domain::Taxi => false,
    }
}

/// Values that a sentence gives for a domain, in no order. A slot may have several.
pub fn read(sentence: &Sentence, domain: Domain) -> Vec<Pair> {
    let name_at = sentence.name_at();
    let name = name_at.filter(|_| !domain.is_ride()).map(|place| {
        let name = sentence.run(place, |word| word != ",");
        ("name", name.trim_end_matches(" please").to_owned())
    });
    let end = name_at.unwrap_or(sentence.words.len());
    let part = &Sentence { words: sentence.words[..end].to_vec(), asks: sentence.asks };
    let found = match domain {
        Domain::Hotel => [each(part, &[area, price, people, day, room]), hotel_type(part)].concat(),
        Domain::Restaurant => [each(part, &[area, price, people, day]), food(part), each(part, &[hour])].concat(),
        Domain::Attraction => [each(part, &[area]), attraction_types(part)].concat(),
        Domain::Train => [rides(part, domain), each(part, &[people])].concat(),
        Domain::Taxi => rides(part, domain),
    };
    name.into_iter().chain(found).filter(|(_, value)| !value.is_empty()).collect()
}

/// Values that each of the readers finds.
fn each(sentence: &Sentence, readers: &[Reader]) -> Vec<Pair> {
    let places = 0..sentence.words.len();
    readers.iter().flat_map(|reader| places.clone().filter_map(move |place| reader(sentence, place))).collect()
}

fn area(sentence: &Sentence, place: usize) -> Option<Pair> {
    let area = match sentence.word(place) {
        "center" => "centre",
        area => area,
    };
    let back = if matches!(sentence.before(place, 1), "town" | "city") { 2 } else { 1 };
    let next = sentence.word(place + 1);
    let is_led = has_word("the in or , near", sentence.before(place, back));
    let is_followed = next.is_empty() || has_word("part side area of end , or", next);
    let is_area = has_word("centre north south east west", area)
        && !has_word("american indian african asian", next)
        && (is_led || is_followed);
    is_area.then(|| ("area", area.to_owned()))
}

fn price(sentence: &Sentence, place: usize) -> Option<Pair> {
    let price = match sentence.word(place) {
        "cheap" | "inexpensive" | "cheaply" => "cheap",
        "moderate" | "moderately" | "mid-priced" | "mid-range" => "moderate",
        "expensive" | "upscale" | "high-end" | "pricey" => "expensive",
        _ => return None,
    };
    (!sentence.negated(place)).then(|| ("pricerange", price.to_owned()))
}

fn people(sentence: &Sentence, place: usize) -> Option<Pair> {
    const PEOPLE: &str = "people person persons guests guest adults ticket tickets passengers travellers travelers";
    let (word, before, next) = (sentence.word(place), sentence.before(place, 1), sentence.word(place + 1));
    if matches!(word, "myself" | "alone") || word == "me" && before == "just" {
        return Some(("people", "1".to_owned()));
    }
    let count = number(word)?;
    let is_counted = has_word(PEOPLE, next) || next == "of" && sentence.word(place + 2) == "us";
    let is_party = before == "of" && matches!(sentence.before(place, 2), "party" | "group");
    let ends = next.is_empty() || has_word("on at , and please starting", next);
    (is_counted || is_party || before == "for" && ends).then(|| ("people", count.to_string()))
}

fn day(sentence: &Sentence, place: usize) -> Option<Pair> {
    let word = sentence.word(place);
    has_word(DAYS, word).then(|| ("day", word.to_owned()))
}

fn hour(sentence: &Sentence, place: usize) -> Option<Pair> {
    Some(("time", time(sentence, place)?))
}

/// Facilities of a room, or its number of nights.
fn room(sentence: &Sentence, place: usize) -> Option<Pair> {
    let (word, next) = (sentence.word(place), sentence.word(place + 1));
    let slot = match word {
        "internet" | "wifi" | "wi-fi" => "internet",
        "parking" => "parking",
        _ => {
            let digits = word.trim_end_matches("-star").trim_end_matches("-stars");
            let is_rated = digits != word || matches!(next, "star" | "stars");
            let is_rating = matches!(sentence.before(place, 1), "of" | "is")
                && (1..4).any(|back| has_word("star stars rating", sentence.before(place, back)));
            let stars = number(digits).filter(|stars| *stars <= 5 && (is_rated || is_rating));
            let nights = || number(word).filter(|_| has_word("night nights day days", next));
            return stars.map(|stars| ("stars", stars.to_string())).or_else(|| Some(("stay", nights()?.to_string())));
        }
    };
    let value = if sentence.negated(place) { "no" } else { "yes" };
    Some((slot, value.to_owned()))
}

fn hotel_type(sentence: &Sentence) -> Vec<Pair> {
    let guest = sentence.find_any("guesthouse, guesthouses, guest house, guest houses");
    let is_hotel = match guest {
        Some(place) => sentence.negated(place),
        None => sentence.has_any("type hotel, a real hotel, be a hotel, bed and breakfast type"),
    };
    let guest = guest.map(|_| "guesthouse");
    let kind = is_hotel.then_some("hotel").or(guest);
    kind.map(|kind| ("type", kind.to_owned())).into_iter().collect()
}

fn attraction_types(sentence: &Sentence) -> Vec<Pair> {
    if let Some(place) = sentence.find("of the type") {
        return vec![("type", sentence.run(place + 3, |word| word != "," && word != "in"))];
    }
    let mut kinds: Vec<_> = kinds()
        .filter_map(|(phrase, kind)| Some((sentence.find(phrase)?, kind)))
        .filter(|(place, _)| !sentence.negated(*place))
        .collect();
    kinds.sort_unstable();
    // `swimming pool` is also a `pool`.
    kinds.dedup_by_key(|(_, kind)| *kind);
    kinds.into_iter().map(|(_, kind)| ("type", kind.to_owned())).collect()
}

/// Food of a restaurant: the words before `food`, `restaurant` and the like, or after `serving`.
fn food(sentence: &Sentence) -> Vec<Pair> {
    let is_region = sentence.has_any(REGIONS);
    let is_food = |word: &str| {
        let is_letter = |letter: char| letter.is_alphabetic() || letter == '-';
        is_region && matches!(word, "north" | "south") || !has_word(NO_FOOD, word) && word.chars().all(is_letter)
    };
    let food = sentence
        .words
        .iter()
        .enumerate()
        .map(|(place, word)| match word.as_str() {
            "food" | "cuisine" | "restaurant" | "restaurants" | "dishes" => {
                let run = sentence.words[..place].iter().rev().take(3).take_while(|word| is_food(word)).count();
                sentence.words[place - run..place].join(" ")
            }
            "serving" | "serves" => {
                let run = sentence.rest(place + 1).iter().take(3).take_while(|word| is_food(word)).count();
                sentence.words[place + 1..][..run].join(" ")
            }
            _ => String::new(),
        })
        .filter(|run| !run.is_empty())
        .take(1);
    food.map(|food| ("food", food)).collect()
}

fn rides(sentence: &Sentence, domain: Domain) -> Vec<Pair> {
    (0..sentence.words.len()).flat_map(|place| ride(sentence, place, domain)).collect()
}

/// Values that the word at a place gives for a train or taxi.
fn ride(sentence: &Sentence, place: usize, domain: Domain) -> Vec<Pair> {
    let next = place + 1;
    let way = |slot, start| (slot, place_at(sentence, start, domain));
    let is_train = domain == Domain::Train;
    match sentence.word(place) {
        "from" => vec![way("departure", next)],
        "departing" | "leaving" if sentence.word(next) != "from" => vec![way("departure", next)],
        "to" | "into" if !has_word(VERBS, sentence.word(next)) => vec![way("destination", next)],
        "in" if sentence.before(place, 1).starts_with("arriv") => vec![way("destination", next)],
        "between" => {
            let from = sentence.run(next, |word| word != "and");
            let and = sentence.rest(next).iter().position(|word| word == "and");
            and.map(|and| [("departure", from), way("destination", next + and + 1)]).into_iter().flatten().collect()
        }
        word => {
            let day = || day(sentence, place);
            let id = || Some(("trainID", train_id(word)?));
            let of_train = is_train.then(|| day().or_else(id)).flatten();
            let hour = || Some((hours(sentence, place), time(sentence, place)?));
            of_train.or_else(hour).into_iter().collect()
        }
    }
}

/// The id of a train that a word is.
pub(super) fn train_id(word: &str) -> Option<String> {
    let digits = word.strip_prefix("tr")?;
    let is_id = (3..=6).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_id.then(|| format!("TR{digits}"))
}

/// Whether a time is a departure or an arrival: by the last verb before it, else by its preposition.
fn hours(sentence: &Sentence, place: usize) -> &'static str {
    let arrives = |word: &String| word.starts_with("arriv") || word == "there";
    let leaves = |word: &String| word.starts_with("leav") || word.starts_with("depart");
    let verb = sentence.words[..place].iter().rev().find(|word| arrives(word) || leaves(word));
    if verb.map_or(matches!(sentence.before(place, 1), "by" | "before"), arrives) { "arriveBy" } else { "leaveAt" }
}

/// The name of a place that begins here; empty if none does.
fn place_at(sentence: &Sentence, start: usize, domain: Domain) -> String {
    let is_train = domain == Domain::Train;
    let most = if is_train { 4 } else { 9 };
    let goes_on = |place: &usize| {
        let (word, next) = (sentence.word(*place), sentence.word(place + 1));
        // `gallery at twelve` and `man on the moon` are names; a time or a day is not.
        let is_name = has_word("at on in", word)
            && !is_train
            && *place > start
            && time(sentence, place + 1).is_none()
            && !has_word(DAYS, next);
        let joins = word == "and" && (is_train || has_word(PLACE_ENDS, next) || has_word(VERBS, next));
        let leads = is_train && *place == start && has_word("the a my any", word);
        let ends = word.is_empty() || has_word(PLACE_ENDS, word) && !is_name;
        !(ends || joins || leads || time(sentence, *place).is_some())
    };
    (start..start + most).take_while(goes_on).map(|place| sentence.word(place)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
