//! The words of an agent.

use super::mind::Mind;
use super::topic::{Slots, Topic};
use crate::api::Domain;
use crate::language::{capital, entry, fragment, request};
use rolecall_core::text::joined_and;

/// Asked when no wish is known.
pub(super) const WHAT: &str =
    "What are you looking for: a restaurant, a place to stay, an attraction, a train or a taxi?";
/// Asked when everything is done.
pub(super) const MORE: &str = "Is there anything else I can help you with?";
/// Offered with what was found.
pub(super) const BOOK: &str = "Shall I book it for you?";

/// The questions for slots, some with words for one domain, as parts of one question.
const QUESTIONS: &str = include_str!("talk/questions.txt");

/// Asks for slots.
pub(super) fn asks_for(domain: Domain, slots: &[&str]) -> String {
    let question = |slot: &&str| entry(QUESTIONS, slot, domain.as_str()).unwrap_or(" what else matters");
    let mut parts: Vec<String> = slots.iter().map(|slot| question(slot).trim().to_owned()).collect();
    if slots.ends_with(&["leaveAt", "arriveBy"]) {
        let times = parts.split_off(parts.len() - 2);
        parts.push(times.join(" or "));
    }
    format!("Could you please tell me {}?", joined_and(&parts))
}

/// Says that there are many, and asks for slots that differ among them.
pub(super) fn narrows(topic: &Topic, slots: &[&str]) -> String {
    let noun = plural(topic.domain);
    let than = if topic.search.more { "more than " } else { "" };
    let count = topic.search.found.len();
    format!("There are {than}{count} such {noun}. {}", asks_for(topic.domain, slots))
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

/// Wishes in words: ` in the north serving korean food`. Names are left out.
fn wishes<'s>(slots: impl Iterator<Item = (&'static str, &'s str)>) -> String {
    slots.filter(|(slot, _)| *slot != "name").filter_map(|(slot, value)| fragment(slot, value)).collect()
}

/// Says that nothing was found, and what exists instead.
pub(super) fn nothing(topic: &Topic, info: &Slots, asks: bool) -> String {
    let name = info.get("name").and_then(|name| fragment("name", name));
    let none = format!(
        "Unfortunately, I found no {}{}{}.",
        plural(topic.domain),
        wishes(info.iter()),
        name.unwrap_or_default()
    );
    let instead = topic.search.widened.iter().find_map(|(slot, found)| {
        let value = found.first()?.get(slot)?;
        Some(match *slot {
            "name" => format!("How about {value} instead?"),
            "area" | "pricerange" | "food" | "stars" => {
                let one = fragment(slot, value)?;
                format!("There is one{one}. Would you like that instead?")
            }
            slot => format!("There is one whose {slot} is {value}. Would you like that instead?"),
        })
    });
    match (asks, instead) {
        (false, _) => none,
        (true, Some(instead)) => format!("{none} {instead}"),
        (true, None) => format!("{none} Would you like to change something?"),
    }
}

/// Offers what was found.
pub(super) fn offer(topic: &Topic) -> String {
    let Some(found) = topic.choice() else {
        return String::new();
    };
    let get = |slot: &str| found.get(slot).unwrap_or_default();
    let details = |slots: &[&'static str]| wishes(slots.iter().filter_map(|slot| Some((*slot, found.get(slot)?))));
    let (name, price) = (found.name(), article(get("pricerange")));
    match topic.domain {
        Domain::Restaurant => {
            let food = found.get("food").map(|food| format!("{food} "));
            let (food, area) = (food.unwrap_or_default(), details(&["area"]));
            format!("I found {name}, {price} restaurant serving {food}food{area}.")
        }
        Domain::Hotel => {
            let kind = found.get("type").unwrap_or("place to stay");
            let details = details(&["area", "stars", "internet", "parking"]);
            format!("I found {name}, {price} {kind}{details}.")
        }
        Domain::Attraction => {
            let (kind, area) = (article(get("type")), details(&["area"]));
            format!("I found {name}, {}{area}.", kind.trim_end())
        }
        Domain::Train => {
            let way = details(&["departure", "destination", "day"]);
            let (leaves, arrives) = (get("leaveAt"), get("arriveBy"));
            format!("I found train {name}{way}, leaving at {leaves} and arriving at {arrives}.")
        }
        Domain::Taxi => String::new(),
    }
}

/// A word with its article.
fn article(word: &str) -> String {
    format!("{} {word}", if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

/// Tells the requested slots.
pub(super) fn tells(topic: &Topic, slots: &[&str]) -> String {
    let (booked, choice) = (topic.booked.as_ref(), topic.choice());
    let source = |slot: &str| match slot {
        "reference" => booked?.get("refer_number"),
        "car type" => booked?.get("type"),
        "phone" if topic.domain == Domain::Taxi => booked?.get("phone"),
        slot => choice?.get(slot),
    };
    let told = slots.iter().map(|slot| {
        let value = source(slot).unwrap_or("not known");
        format!("the {} is {value}", request(slot).unwrap_or(slot))
    });
    let told = joined_and(&told.collect::<Vec<_>>());
    match topic.chosen() {
        "" => format!("{}.", capital(&told)),
        name => format!("For {name}, {told}."),
    }
}

/// Asks for confirmation of a booking.
pub(super) fn confirms(topic: &Topic) -> String {
    let (what, details) = match (topic.domain, topic.choice()) {
        (Domain::Taxi, _) => ("a taxi".to_owned(), wishes(topic.slots.iter())),
        (_, None) => return String::new(),
        (domain, Some(found)) => {
            let tickets = if domain == Domain::Train { "tickets for the train " } else { "" };
            (format!("{tickets}{}", found.name()), wishes(topic.slots.kept(topic.due())))
        }
    };
    format!("Just to confirm, you would like to book {what}{details}. Is that right?")
}

/// Tells what was booked.
pub(super) fn booked(topic: &Topic, slots: &Slots) -> String {
    let Some(row) = &topic.booked else {
        return String::new();
    };
    let get = |slot: &str| row.get(slot).unwrap_or_default();
    if topic.domain == Domain::Taxi {
        let (car, way, phone) = (get("type"), wishes(slots.iter()), get("phone"));
        return format!("I booked a {car} taxi{way}. The contact number is {phone}.");
    }
    let train = if topic.domain == Domain::Train { "train " } else { "" };
    let (name, reference) = (topic.chosen(), get("refer_number"));
    let details = wishes(slots.kept(topic.due()));
    format!("I booked {train}{name}{details}. The reference number is {reference}.")
}

/// Tells of a refusal, and its reason.
pub(super) fn refused(topic: &Topic, asks: bool) -> String {
    let Some(refusal) = &topic.refused else {
        return String::new();
    };
    let (domain, why) = (topic.domain, refusal.why.trim());
    if !refusal.books {
        return format!("Unfortunately, I could not look for the {domain}: {why}");
    }
    let name = match topic.choice() {
        Some(found) if domain != Domain::Taxi => found.name().to_owned(),
        _ => format!("the {domain}"),
    };
    let more = if asks { " Would you like to try something different?" } else { "" };
    format!("Unfortunately, {name} could not be booked: {why}{more}")
}

/// Summary of the known wishes, in a few sentences.
pub(super) fn summary(mind: &Mind) -> String {
    let known: Vec<String> = mind
        .topics
        .values()
        .filter(|topic| topic.slots.iter().next().is_some())
        .map(|topic| {
            let name = topic.choice().map(|found| format!(", found: {}", found.name()));
            let name = name.unwrap_or_default();
            format!("{}:{}{name}", topic.domain, wishes(topic.slots.iter()))
        })
        .collect();
    if known.is_empty() { "Nothing is known yet.".to_owned() } else { format!("Wanted: {}.", known.join("; ")) }
}
