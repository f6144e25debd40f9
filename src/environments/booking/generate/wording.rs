//! Goals as sentences, and what a user says first.

use serde_json::Value;

use super::tables::TABLES;
use crate::environments::booking::api::Domain::{self, Attraction, Hotel, Restaurant, Taxi, Train};
use crate::environments::booking::goal::{DomainGoal, Goal, Slots};
use crate::text::Dice;

/// A text that is marked, as everything that counts is in the official sentences.
fn marked(text: &str) -> String {
    format!("<span class='emphasis'>{text}</span>")
}

fn text<'s>(slots: &'s Slots, slot: &str) -> &'s str {
    slots.get(slot).and_then(Value::as_str).unwrap_or_default()
}

/// What is asked for first: in vain, if something is.
fn asked(wanted: &DomainGoal) -> &Slots {
    wanted
        .fail_info
        .as_ref()
        .filter(|wishes| !wishes.is_empty())
        .unwrap_or(&wanted.info)
}

/// Items with commas and `and`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn counted(count: &str, one: &str) -> String {
    match (count, one) {
        ("1", _) => format!("1 {one}"),
        (_, "person") => format!("{count} people"),
        _ => format!("{count} {one}s"),
    }
}

/// The sentences of a goal, without final stops.
pub(super) fn message(goal: &Goal, dice: &mut Dice) -> Vec<String> {
    let mut said = vec![TABLES.pick("openings", dice).to_owned()];
    for (place, (domain, wanted)) in goal.domains.iter().enumerate() {
        let before = &goal.domains[..place];
        match domain {
            Taxi if !before.is_empty() => said.extend(commute(wanted, before)),
            _ => said.extend(wishes(*domain, wanted, before, dice)),
        }
        if let Some(book) = wanted.booking() {
            said.extend(booking(
                *domain,
                book,
                wanted.fail_book.as_ref(),
                before,
                dice,
            ));
        }
        let questions = wanted
            .requests()
            .iter()
            .map(|slot| marked(called(*domain, slot)));
        let questions: Vec<String> = questions.collect();
        if !questions.is_empty() {
            said.push(format!("Find out the {}", listed(&questions)));
        }
    }
    said
}

/// What it has to be, two things a sentence, and what it may be instead.
fn wishes(
    domain: Domain,
    wanted: &DomainGoal,
    before: &[(Domain, DomainGoal)],
    dice: &mut Dice,
) -> Vec<String> {
    let also = if before.is_empty() { "" } else { "also " };
    let first = asked(wanted);
    let name = text(first, "name");
    if !name.is_empty() {
        return vec![format!(
            "You {also}want to find the {domain} that is called {}",
            marked(name)
        )];
    }
    let goal = match domain {
        Hotel => "place to stay",
        Restaurant => "place to eat",
        Attraction => "sight to see",
        Train => "train",
        Taxi => "taxi",
    };
    let mut parts: Vec<String> = Vec::new();
    for (slot, value) in first {
        let value = value.as_str().unwrap_or_default();
        let near = before
            .iter()
            .find(|(_, wanted)| text(&wanted.info, slot) == value);
        parts.push(match near {
            Some((other, _)) if slot == "area" && dice.percent(60) => {
                format!("be {}", marked(&format!("in the same area as the {other}")))
            }
            _ => clause(slot, value),
        });
    }
    dice.shuffle(&mut parts);
    let parts: Vec<String> = parts.chunks(2).map(|pair| pair.join(" and ")).collect();
    let mut said: Vec<String> = parts
        .iter()
        .map(|pair| format!("The {domain} should {pair}"))
        .collect();
    if let Some(begin) = said.first_mut() {
        *begin = format!("You {also}want to find a {}. {begin}", marked(goal));
    }
    let other = wanted
        .info
        .iter()
        .find(|(slot, value)| first.get(*slot) != Some(value));
    if let Some((slot, value)) = other {
        let clause = clause(slot, value.as_str().unwrap_or_default());
        said.push(format!(
            "If there is no such {domain}, it may {clause} instead"
        ));
    }
    said
}

/// What something should do or be.
fn clause(slot: &str, value: &str) -> String {
    let (before, it, after) = match (slot, value) {
        ("area", _) => ("be in the", value.to_owned(), ""),
        ("pricerange", _) => ("be", value.to_owned(), " in price"),
        ("food", _) => ("serve", value.to_owned(), " food"),
        ("type", _) => ("be of the type", value.to_owned(), ""),
        ("stars", _) => ("have", counted(value, "star"), ""),
        ("internet" | "parking", "yes") => ("offer", slot.to_owned(), ""),
        ("internet" | "parking", _) => ("be", format!("without {slot}"), ""),
        ("departure", _) => ("start from", value.to_owned(), ""),
        ("destination", _) => ("go to", value.to_owned(), ""),
        ("day", _) => ("run on", value.to_owned(), ""),
        ("leaveAt", _) => ("leave", format!("at {value} or later"), ""),
        ("arriveBy", _) => ("arrive", format!("by {value}"), ""),
        _ => ("have the", format!("{slot} {value}"), ""),
    };
    format!("{before} {}{after}", marked(&it))
}

/// What a slot is called in a question.
fn called(domain: Domain, slot: &str) -> &str {
    match (domain, slot) {
        (Taxi, "phone") => "contact number",
        (_, "phone") => "phone number",
        (_, "food") => "kind of food",
        (_, "pricerange") => "price range",
        (_, "stars") => "number of stars",
        (_, "type") => "type of place",
        (_, "duration") => "travel time",
        (_, "trainID") => "train ID",
        (_, "leaveAt") => "departure time",
        (_, "arriveBy") => "arrival time",
        _ => slot,
    }
}

/// What is to be booked, at first and if that cannot be had.
fn booking(
    domain: Domain,
    book: &Slots,
    first: Option<&Slots>,
    before: &[(Domain, DomainGoal)],
    dice: &mut Dice,
) -> Vec<String> {
    let value = |slot: &str| match first.map_or("", |first| text(first, slot)) {
        "" => text(book, slot),
        first => first,
    };
    let people = counted(value("people"), "person");
    let mut others = before.iter().filter_map(|(_, wanted)| wanted.booking());
    let is_same = others.any(|other| text(other, "people") == value("people"));
    let people = match is_same && dice.percent(60) {
        true => marked("the same group"),
        false => marked(&people),
    };
    let day = marked(value("day"));
    let mut said = vec![match domain {
        Train => format!("Then buy train tickets for {people}"),
        Hotel => {
            let nights = marked(&counted(value("stay"), "night"));
            format!("Then book a room for {people} and {nights}, starting on {day}")
        }
        _ => format!(
            "Then book a table for {people} on {day} at {}",
            marked(value("time"))
        ),
    }];
    let other = first.and_then(|first| first.keys().next());
    if let Some(slot) = other {
        let other = match slot.as_str() {
            "stay" => counted(text(book, slot), "night"),
            slot => text(book, slot).to_owned(),
        };
        said.push(format!("If that cannot be booked, try {}", marked(&other)));
    }
    said.push(format!("Ask for the {}", marked("reference number")));
    said
}

/// A taxi between the two places of before.
fn commute(wanted: &DomainGoal, before: &[(Domain, DomainGoal)]) -> Vec<String> {
    let has_table = |(domain, wanted): &&(Domain, DomainGoal)| {
        *domain == Restaurant && wanted.booking().is_some()
    };
    let to = before
        .iter()
        .find(has_table)
        .or(before.last())
        .map_or(Taxi, |(domain, _)| *domain);
    let from = before
        .iter()
        .find(|(domain, _)| *domain != to)
        .map_or(Taxi, |(domain, _)| *domain);
    let ride = format!(
        "You also want a {} from the {from} to the {to}",
        marked("taxi")
    );
    let has_table = before.iter().any(|part| has_table(&part));
    let mut said = vec![ride];
    for (slot, value) in &wanted.info {
        let clause = clause(slot, value.as_str().unwrap_or_default());
        let booked = if has_table {
            ", the time of the booking"
        } else {
            ""
        };
        said.push(format!("The taxi should {clause}{booked}"));
    }
    said
}

/// What the user says first: something of what is asked for first, or nothing of it.
pub(super) fn first(goal: &Goal, dice: &mut Dice) -> String {
    let Some((domain, wanted)) = goal.domains.first().filter(|_| !dice.percent(6)) else {
        return TABLES.pick("vague", dice).to_owned();
    };
    let wishes = asked(wanted);
    let name = text(wishes, "name");
    if !name.is_empty() {
        return TABLES.pick("names", dice).replace("{name}", name);
    }
    let mut slots: Vec<&String> = wishes.keys().collect();
    dice.shuffle(&mut slots);
    slots.truncate(dice.between(1, 3));
    let value = |slot: &str| {
        let is_said = slots.iter().any(|said| *said == slot);
        if is_said { text(wishes, slot) } else { "" }
    };
    let kind = match (domain, value("type")) {
        (Hotel, "") => "place to stay".to_owned(),
        (Attraction, "") => "sight to see".to_owned(),
        (Attraction, kind @ ("architecture" | "boat" | "entertainment" | "multiple sports")) => {
            format!("sight of the type {kind}")
        }
        (Hotel | Attraction, kind) => kind.to_owned(),
        _ => domain.to_string(),
    };
    let mut it = match value("pricerange") {
        "" | "moderate" => format!("a {kind}"),
        "expensive" => format!("an expensive {kind}"),
        price => format!("a {price} {kind}"),
    };
    for (slot, _) in wishes {
        let tail = match (slot.as_str(), value(slot)) {
            (_, "") | ("type", _) => continue,
            ("pricerange", "moderate") => "in the moderate price range".to_owned(),
            ("pricerange", _) => continue,
            ("area", area) => format!("in the {area}"),
            ("food", food) => format!("with {food} food"),
            ("stars", stars) => format!("with {}", counted(stars, "star")),
            (slot, "yes") => format!("with {slot}"),
            (slot, "no") => format!("without {slot}"),
            ("departure", place) => format!("from {place}"),
            ("destination", place) => format!("to {place}"),
            ("day", day) => format!("on {day}"),
            ("leaveAt", time) => format!("that leaves after {time}"),
            (_, time) => format!("that arrives by {time}"),
        };
        it = format!("{it} {tail}");
    }
    TABLES.pick("starts", dice).replace("{it}", &it)
}
