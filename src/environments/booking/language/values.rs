//! The values that a sentence says of a domain's slots.

use super::words::{Sentence, number, time};
use crate::environments::booking::api::Domain;

/// A slot with its value.
pub type Pair = (&'static str, String);

/// Kinds of attractions, as they are called and as the records have them.
#[rustfmt::skip]
pub(super) const KINDS: &[(&str, &str)] = &[
    ("museum", "museum"), ("museums", "museum"), ("college", "college"), ("colleges", "college"), ("park", "park"),
    ("parks", "park"), ("architecture", "architecture"), ("architectural", "architecture"), ("boat", "boat"),
    ("boats", "boat"), ("cinema", "cinema"), ("cinemas", "cinema"), ("concert hall", "concerthall"),
    ("concerthall", "concerthall"), ("entertainment", "entertainment"), ("entertaining", "entertainment"),
    ("mutliple sports", "mutliple sports"), ("multiple sports", "multiple sports"), ("nightclub", "nightclub"),
    ("nightclubs", "nightclub"), ("night club", "nightclub"), ("swimmingpool", "swimmingpool"),
    ("swimming pool", "swimmingpool"), ("pool", "swimmingpool"), ("theatre", "theatre"), ("theatres", "theatre"),
    ("theater", "theatre"), ("theaters", "theatre"),
];

const DAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Words that are no part of what is eaten.
const NO_FOOD: &str = "a an the some any serve serves serving served with and or for of in priced price range \
    moderately cheap cheaper inexpensive expensive moderate upscale place nice good great local particular specific \
    certain new other another different same what which type types kind kinds sort their its it this that these \
    those your my our to is are was be eat get like want need have has find try do does serve offer offers offering \
    about no not only just more best information fine decent all these looking there , centre center north south \
    east west town cambridge budget one two table at on area restaurant food first second popular called";

/// Verbs that follow `to` where no place does.
const VERBS: &str = "go get find book catch take travel leave arrive be depart make plan see know have buy visit stay \
    eat dine reserve look do come commute use order help try return check ask pick include confirm";

/// Words at which the name of a place ends.
const PLACE_ENDS: &str = "from to on at by after before leaving leave leaves arriving arrive arrives departing depart \
    departs for that which please around , if is are with between today tomorrow sometime it no i going can could \
    you should will would there then instead in as monday tuesday wednesday thursday friday saturday sunday";

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|own| own == word)
}

/// Whether a slot of a domain belongs to its booking and not to what is looked for.
pub fn is_booked(domain: Domain, slot: &str) -> bool {
    match domain {
        Domain::Hotel | Domain::Restaurant => matches!(slot, "people" | "day" | "time" | "stay"),
        Domain::Train => slot == "people",
        Domain::Attraction | Domain::Taxi => false,
    }
}

/// What a sentence says of a domain, in no order. A slot may be said to be several things.
pub fn read(sentence: &Sentence, domain: Domain) -> Vec<Pair> {
    let mut found = Vec::new();
    let named = sentence.name_at();
    let cut = Sentence {
        words: match named {
            Some(place) => sentence.words.get(..place).unwrap_or_default().to_vec(),
            None => sentence.words.clone(),
        },
        asks: sentence.asks,
    };
    if let Some(place) = named.filter(|_| !matches!(domain, Domain::Train | Domain::Taxi)) {
        let name = sentence.words.get(place..).unwrap_or_default();
        let name = name.split(|word| word == ",").next().unwrap_or_default();
        let name = name.join(" ");
        found.push(("name", name.trim_end_matches(" please").to_owned()));
    }
    match domain {
        Domain::Hotel | Domain::Restaurant | Domain::Attraction => venue(&cut, domain, &mut found),
        Domain::Train | Domain::Taxi => ride(&cut, domain, &mut found),
    }
    found.retain(|(_, value)| !value.is_empty());
    found
}

fn venue(sentence: &Sentence, domain: Domain, found: &mut Vec<Pair>) {
    let count = sentence.words.len();
    found.extend((0..count).filter_map(|place| Some(("area", area(sentence, place)?.to_owned()))));
    if domain != Domain::Attraction {
        let prices =
            (0..count).filter_map(|place| Some(("pricerange", price(sentence, place)?.to_owned())));
        found.extend(prices);
        people(sentence, found);
        let days = sentence
            .words
            .iter()
            .filter(|word| DAYS.contains(&word.as_str()));
        found.extend(days.map(|day| ("day", day.clone())));
    }
    match domain {
        Domain::Hotel => hotel(sentence, found),
        Domain::Restaurant => {
            found.extend(food(sentence).map(|food| ("food", food)));
            found.extend((0..count).filter_map(|place| Some(("time", time(sentence, place)?))));
        }
        _ => {
            let kinds = KINDS
                .iter()
                .filter_map(|(phrase, kind)| Some((sentence.find(phrase)?, *kind)));
            let mut kinds: Vec<_> = kinds
                .filter(|(place, _)| !sentence.negated(*place))
                .collect();
            kinds.sort_unstable();
            kinds.dedup_by_key(|(_, kind)| *kind);
            // `swimming pool` is also a `pool`.
            found.extend(kinds.into_iter().map(|(_, kind)| ("type", kind.to_owned())));
            if let Some(place) = sentence.find("of the type") {
                let kind = sentence.words.get(place + 3..).unwrap_or_default();
                let kind = kind
                    .split(|word| word == "," || word == "in")
                    .next()
                    .unwrap_or_default();
                found.retain(|(slot, _)| *slot != "type");
                found.push(("type", kind.join(" ")));
            }
        }
    }
}

fn hotel(sentence: &Sentence, found: &mut Vec<Pair>) {
    for (place, word) in sentence.words.iter().enumerate() {
        let digits = word.trim_end_matches("-star").trim_end_matches("-stars");
        let is_rated =
            digits != word || matches!(sentence.word(place + 1), "star" | "stars" | "-star");
        let is_rating = matches!(sentence.before(place, 1), "of" | "is")
            && (1..4)
                .any(|back| matches!(sentence.before(place, back), "star" | "stars" | "rating"));
        if let Some(stars) = number(digits).filter(|stars| *stars <= 5 && (is_rated || is_rating)) {
            found.push(("stars", stars.to_string()));
        }
        if let (Some(nights), "night" | "nights" | "day" | "days") =
            (number(word), sentence.word(place + 1))
        {
            found.push(("stay", nights.to_string()));
        }
        let slot = match word.as_str() {
            "internet" | "wifi" | "wi-fi" => "internet",
            "parking" => "parking",
            _ => continue,
        };
        let value = if sentence.negated(place) { "no" } else { "yes" };
        found.push((slot, value.to_owned()));
    }
    let guest = ["guesthouse", "guesthouses", "guest house", "guest houses"];
    if let Some(place) = guest.iter().find_map(|phrase| sentence.find(phrase)) {
        let value = if sentence.negated(place) {
            "hotel"
        } else {
            "guesthouse"
        };
        found.push(("type", value.to_owned()));
    } else if sentence.any(&[
        "type hotel",
        "a real hotel",
        "be a hotel",
        "bed and breakfast type",
    ]) {
        found.push(("type", "hotel".to_owned()));
    }
}

fn area(sentence: &Sentence, place: usize) -> Option<&str> {
    let area = match sentence.word(place) {
        "center" => "centre",
        area @ ("centre" | "north" | "south" | "east" | "west") => area,
        _ => return None,
    };
    let back = if matches!(sentence.before(place, 1), "town" | "city") {
        2
    } else {
        1
    };
    let is_led = matches!(
        sentence.before(place, back),
        "the" | "in" | "or" | "," | "near"
    );
    let next = sentence.word(place + 1);
    let is_followed = matches!(
        next,
        "part" | "side" | "area" | "of" | "end" | "," | "or" | ""
    );
    let is_food = matches!(next, "american" | "indian" | "african" | "asian");
    (!is_food && (is_led || is_followed)).then_some(area)
}

fn price(sentence: &Sentence, place: usize) -> Option<&str> {
    let price = match sentence.word(place) {
        "cheap" | "inexpensive" | "cheaply" => "cheap",
        "moderate" | "moderately" | "mid-priced" | "mid-range" => "moderate",
        "expensive" | "upscale" | "high-end" | "pricey" => "expensive",
        _ => return None,
    };
    (!sentence.negated(place)).then_some(price)
}

fn people(sentence: &Sentence, found: &mut Vec<Pair>) {
    const PEOPLE: &str = "people person persons guests guest adults ticket tickets passengers travellers travelers of";
    for (place, word) in sentence.words.iter().enumerate() {
        let Some(count) = number(word) else {
            let is_one = matches!(word.as_str(), "myself" | "alone")
                || word == "me" && sentence.before(place, 1) == "just";
            if is_one {
                found.push(("people", "1".to_owned()));
            }
            continue;
        };
        let next = sentence.word(place + 1);
        let is_counted = is_in(PEOPLE, next) && (next != "of" || sentence.word(place + 2) == "us");
        let is_party = sentence.before(place, 1) == "of"
            && matches!(sentence.before(place, 2), "party" | "group");
        let ends = next.is_empty() || is_in("on at , and please starting", next);
        if is_counted || is_party || sentence.before(place, 1) == "for" && ends {
            found.push(("people", count.to_string()));
        }
    }
}

/// What is served: the words before `food`, `restaurant` and the like, or after `serving`.
fn food(sentence: &Sentence) -> Option<String> {
    const REGIONS: &[&str] = &[
        "north american",
        "south american",
        "south indian",
        "north indian",
        "north african",
        "south african",
    ];
    let is_region = sentence.any(REGIONS);
    let is_plain = |word: &String| {
        if is_region && matches!(word.as_str(), "north" | "south") {
            return true;
        }
        !is_in(NO_FOOD, word)
            && word
                .chars()
                .all(|letter| letter.is_alphabetic() || letter == '-')
    };
    for (place, word) in sentence.words.iter().enumerate() {
        let before = sentence.words.get(..place).unwrap_or_default();
        let after = sentence.words.get(place + 1..).unwrap_or_default();
        let run: Vec<&str> = match word.as_str() {
            "food" | "cuisine" | "restaurant" | "restaurants" | "dishes" => {
                let run = before
                    .iter()
                    .rev()
                    .take(3)
                    .take_while(|word| is_plain(word));
                let mut run: Vec<&str> = run.map(String::as_str).collect();
                run.reverse();
                run
            }
            "serving" | "serves" => {
                let run = after.iter().take(3).take_while(|word| is_plain(word));
                run.map(String::as_str).collect()
            }
            _ => continue,
        };
        if !run.is_empty() {
            return Some(run.join(" "));
        }
    }
    None
}

fn ride(sentence: &Sentence, domain: Domain, found: &mut Vec<Pair>) {
    for (place, word) in sentence.words.iter().enumerate() {
        let next = place + 1;
        let slot = match word.as_str() {
            "from" => Some("departure"),
            "departing" | "leaving" if sentence.word(next) != "from" => Some("departure"),
            "to" | "into" if !is_in(VERBS, sentence.word(next)) => Some("destination"),
            "in" if sentence.before(place, 1).starts_with("arriv") => Some("destination"),
            "between" => {
                let run = sentence.words.get(next..).unwrap_or_default();
                if let Some(and) = run.iter().position(|word| word == "and") {
                    found.push(("departure", run[..and].join(" ")));
                    found.push(("destination", place_at(sentence, next + and + 1, domain)));
                }
                None
            }
            _ => None,
        };
        found.extend(slot.map(|slot| (slot, place_at(sentence, next, domain))));
        if DAYS.contains(&word.as_str()) && domain == Domain::Train {
            found.push(("day", word.clone()));
        }
        if let Some(id) = train_id(word).filter(|_| domain == Domain::Train) {
            found.push(("trainID", id));
        }
        if let Some(time) = time(sentence, place) {
            found.push((hours(sentence, place), time));
        }
    }
    if domain == Domain::Train {
        people(sentence, found);
    }
}

/// The id of a train that a word is.
fn train_id(word: &str) -> Option<String> {
    let digits = word.strip_prefix("tr")?;
    let is_id =
        (3..=6).contains(&digits.len()) && digits.chars().all(|digit| digit.is_ascii_digit());
    is_id.then(|| format!("TR{digits}"))
}

/// Whether a time is one of leaving or of arriving: by the last verb before it, else by its preposition.
fn hours(sentence: &Sentence, place: usize) -> &'static str {
    let before = sentence.words.get(..place).unwrap_or_default();
    for word in before.iter().rev() {
        if word.starts_with("arriv") || word == "there" {
            return "arriveBy";
        }
        if ["leav", "depart"].iter().any(|stem| word.starts_with(stem)) {
            return "leaveAt";
        }
    }
    match sentence.before(place, 1) {
        "by" | "before" => "arriveBy",
        _ => "leaveAt",
    }
}

/// The name of a place that begins here; empty if none does.
fn place_at(sentence: &Sentence, start: usize, domain: Domain) -> String {
    let most = if domain == Domain::Train { 4 } else { 9 };
    let mut run: Vec<&str> = Vec::new();
    for place in start..start + most {
        let word = sentence.word(place);
        let is_joint = word == "and"
            && (domain == Domain::Train
                || is_in(PLACE_ENDS, sentence.word(place + 1))
                || is_in(VERBS, sentence.word(place + 1)));
        // `gallery at twelve` and `man on the moon` are names; a time or a day is none.
        let is_name = matches!(word, "at" | "on" | "in")
            && domain == Domain::Taxi
            && !run.is_empty()
            && time(sentence, place + 1).is_none()
            && !DAYS.contains(&sentence.word(place + 1));
        let ends = word.is_empty()
            || is_in(PLACE_ENDS, word) && !is_name
            || time(sentence, place).is_some();
        if ends
            || is_joint
            || (run.is_empty() && domain == Domain::Train && is_in("the a my any", word))
        {
            break;
        }
        run.push(word);
    }
    run.join(" ")
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
