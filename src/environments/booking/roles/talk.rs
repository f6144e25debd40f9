//! The words of an agent.

use super::mind::Mind;
use super::results::Found;
use super::topic::{Slots, Topic};
use crate::environments::booking::api::Domain;
use crate::environments::booking::language::{capital, listed, request};

/// Asked when nothing is known of what is wanted.
pub(super) const WHAT: &str =
    "What are you looking for: a restaurant, a place to stay, an attraction, a train or a taxi?";
/// Asked when everything is done.
pub(super) const MORE: &str = "Is there anything else I can help you with?";
/// Offered with what was found.
pub(super) const BOOK: &str = "Shall I book it for you?";

/// The questions for slots, as parts of one question.
fn question(slot: &str, domain: Domain) -> &'static str {
    match (slot, domain) {
        ("area", _) => "which area it should be in",
        ("pricerange", _) => "what price range you prefer",
        ("food", _) => "what kind of food you would like",
        ("type", Domain::Hotel) => "whether it should be a guesthouse or a hotel",
        ("type", _) => "what type of attraction you would like",
        ("name", _) => "its name",
        ("stars", _) => "how many stars it should have",
        ("internet", _) => "whether you need internet",
        ("parking", _) => "whether you need parking",
        ("people", Domain::Train) => "how many tickets you need",
        ("people", _) => "for how many people it is",
        ("day", Domain::Train) => "which day you travel",
        ("day", _) => "for which day",
        ("time", _) => "for what time",
        ("stay", _) => "for how many nights",
        ("departure", _) => "where you depart from",
        ("destination", _) => "what your destination is",
        ("leaveAt", _) => "when you want to leave",
        ("arriveBy", _) => "when you want to arrive",
        _ => "what else matters",
    }
}

fn questions(domain: Domain, slots: &[&str]) -> String {
    let questions: Vec<String> = slots
        .iter()
        .map(|slot| question(slot, domain).to_owned())
        .collect();
    match slots {
        [.., "leaveAt", "arriveBy"] => {
            let (others, times) = questions.split_at(questions.len() - 2);
            let times = [times.join(" or ")];
            listed(&[others, &times].concat())
        }
        _ => listed(&questions),
    }
}

/// Asks for slots.
pub(super) fn asks_for(domain: Domain, slots: &[&str]) -> String {
    format!("Could you please tell me {}?", questions(domain, slots))
}

/// Says that there are many, and asks what sets them apart.
pub(super) fn narrows(topic: &Topic, slots: &[&str]) -> String {
    let count = match (topic.more, topic.found.len()) {
        (true, count) => format!("more than {count}"),
        (false, count) => count.to_string(),
    };
    let noun = plural(topic.domain);
    format!(
        "There are {count} such {noun}. Could you please tell me {}?",
        questions(topic.domain, slots)
    )
}

fn plural(domain: Domain) -> &'static str {
    match domain {
        Domain::Hotel => "places to stay",
        Domain::Restaurant => "restaurants",
        Domain::Attraction => "attractions",
        Domain::Train => "trains",
        Domain::Taxi => "taxis",
    }
}

/// What is asked for, in words: ` in the north with korean food`.
fn wishes(slots: &Slots) -> String {
    let mut words = String::new();
    for (slot, value) in slots.iter() {
        words.push_str(&match slot {
            "area" => format!(" in the {value}"),
            "pricerange" => format!(" in the {value} price range"),
            "food" => format!(" serving {value} food"),
            "stars" => format!(" with {value} stars"),
            "internet" | "parking" if value == "no" => format!(", without {slot}"),
            "internet" | "parking" => format!(", with {slot}"),
            "type" => format!(" of the type {value}"),
            "departure" => format!(" from {value}"),
            "destination" => format!(" to {value}"),
            "day" => format!(" on {value}"),
            "leaveAt" => format!(" leaving after {value}"),
            "arriveBy" => format!(" arriving by {value}"),
            "people" if value == "1" => " for 1 person".to_owned(),
            "people" => format!(" for {value} people"),
            "time" => format!(" at {value}"),
            "stay" if value == "1" => " for 1 night".to_owned(),
            "stay" => format!(" for {value} nights"),
            _ => continue,
        });
    }
    words
}

/// Says that nothing was found, and what there is instead.
pub(super) fn nothing(topic: &Topic, info: &Slots, asks: bool) -> String {
    let name = info
        .get("name")
        .map_or(String::new(), |name| format!(" called {name}"));
    let noun = plural(topic.domain);
    let none = format!("Unfortunately, I found no {noun}{}{name}.", wishes(info));
    if !asks {
        return none;
    }
    let instead = topic.widened.iter().find_map(|(slot, found)| {
        let value = found.first()?.get(slot)?;
        Some(match *slot {
            "name" => format!(" How about {value} instead?"),
            "food" => format!(" There is one serving {value} food. Would you like that instead?"),
            "stars" => format!(" There is one with {value} stars. Would you like that instead?"),
            "area" => format!(" There is one in the {value}. Would you like that instead?"),
            "pricerange" => {
                format!(" There is one in the {value} price range. Would you like that instead?")
            }
            slot => format!(" There is one whose {slot} is {value}. Would you like that instead?"),
        })
    });
    none + instead
        .as_deref()
        .unwrap_or(" Would you like to change something?")
}

/// Offers what was found.
pub(super) fn offer(topic: &Topic) -> String {
    let Some(found) = topic.choice() else {
        return String::new();
    };
    let get = |slot: &str| found.get(slot).unwrap_or_default();
    let word = |slot: &str| match get(slot) {
        "" => String::new(),
        value => format!("{value} "),
    };
    let place = match get("area") {
        "" => String::new(),
        area => format!(" in the {area}"),
    };
    let name = found.name();
    match topic.domain {
        Domain::Restaurant => {
            let food = word("food");
            format!(
                "I found {name}, {} restaurant serving {food}food{place}.",
                article(get("pricerange"))
            )
        }
        Domain::Hotel => {
            let kind = match get("type") {
                "" => "place to stay",
                kind => kind,
            };
            let has = |slot: &str| match get(slot) {
                "yes" => format!(", with {slot}"),
                "no" => format!(", without {slot}"),
                _ => String::new(),
            };
            let stars = match get("stars") {
                "" => String::new(),
                stars => format!(" with {stars} stars"),
            };
            let price = article(get("pricerange"));
            format!(
                "I found {name}, {price} {kind}{place}{stars}{}{}.",
                has("internet"),
                has("parking")
            )
        }
        Domain::Attraction => format!(
            "I found {name}, {}{place}.",
            article(get("type")).trim_end()
        ),
        Domain::Train => format!(
            "I found train {name} from {} to {} on {}, leaving at {} and arriving at {}.",
            get("departure"),
            get("destination"),
            get("day"),
            get("leaveAt"),
            get("arriveBy")
        ),
        Domain::Taxi => String::new(),
    }
}

/// A word with its article.
fn article(word: &str) -> String {
    match word.chars().next() {
        Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {word}"),
        _ => format!("a {word}"),
    }
}

/// Tells what the user wants to know.
pub(super) fn tells(topic: &Topic, slots: &[&str]) -> String {
    let booked = topic.booked.as_ref();
    let choice = topic.choice();
    let source = |slot: &str| -> Option<String> {
        let value = match slot {
            "reference" => booked?.get("refer_number"),
            "car type" => booked?.get("type"),
            "phone" if topic.domain == Domain::Taxi => booked?.get("phone"),
            slot => choice?.get(slot),
        };
        value.map(str::to_owned)
    };
    let told = slots.iter().map(|slot| {
        let name = request(slot).unwrap_or(slot);
        match source(slot) {
            Some(value) => format!("the {name} is {value}"),
            None => format!("the {name} is not known"),
        }
    });
    let told: Vec<String> = told.collect();
    match choice.map(Found::name) {
        Some(name) if !name.is_empty() => format!("For {name}, {}.", listed(&told)),
        _ => format!("{}.", capital(&listed(&told))),
    }
}

/// Asks whether a booking is right as it is.
pub(super) fn confirms(topic: &Topic) -> String {
    let what = match (topic.domain, topic.choice()) {
        (Domain::Taxi, _) => "a taxi".to_owned(),
        (Domain::Train, Some(found)) => format!("tickets for the train {}", found.name()),
        (_, Some(found)) => found.name().to_owned(),
        (_, None) => return String::new(),
    };
    let slots = match topic.domain {
        Domain::Taxi => topic.slots.clone(),
        _ => topic.slots.kept(topic.due()),
    };
    format!(
        "Just to confirm, you would like to book {what}{}. Is that right?",
        wishes(&slots)
    )
}

/// Says what was booked.
pub(super) fn booked(topic: &Topic, slots: &Slots) -> String {
    let Some(row) = &topic.booked else {
        return String::new();
    };
    let get = |slot: &str| row.get(slot).unwrap_or_default();
    if topic.domain == Domain::Taxi {
        let way = wishes(slots);
        return format!(
            "I booked a {} taxi{way}. The contact number is {}.",
            get("type"),
            get("phone")
        );
    }
    let name = topic.choice().map_or("", Found::name);
    let what = match topic.domain {
        Domain::Train => format!("train {name}"),
        _ => name.to_owned(),
    };
    let details = wishes(&slots.kept(topic.due()));
    format!(
        "I booked {what}{details}. The reference number is {}.",
        get("refer_number")
    )
}

/// Says that something was refused, and why.
pub(super) fn refused(topic: &Topic, asks: bool) -> String {
    let why = topic.refused.as_deref().unwrap_or_default().trim();
    let name = match (topic.domain, topic.choice()) {
        (Domain::Taxi, _) | (_, None) => format!("the {}", topic.domain),
        (_, Some(found)) => found.name().to_owned(),
    };
    if !topic.refused_books {
        return format!(
            "Unfortunately, I could not look for the {}: {why}",
            topic.domain
        );
    }
    let more = if asks {
        " Would you like to try something different?"
    } else {
        ""
    };
    format!("Unfortunately, {name} could not be booked: {why}{more}")
}

/// What is known, in a few sentences.
pub(super) fn summary(mind: &Mind) -> String {
    let topics = mind
        .topics
        .iter()
        .filter(|topic| topic.slots.iter().next().is_some());
    let known = topics.map(|topic| {
        let name = topic
            .choice()
            .map_or(String::new(), |found| format!(", found: {}", found.name()));
        format!("{}:{}{name}", topic.domain, wishes(&topic.slots))
    });
    let known: Vec<String> = known.collect();
    match known.is_empty() {
        true => "Nothing is known yet.".to_owned(),
        false => format!("Wanted: {}.", known.join("; ")),
    }
}
