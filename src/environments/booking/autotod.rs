//! AutoTOD's bookings: checked in its order, with its messages, and stored (spec section 6.2).

use serde_json::Value;

use super::account::Outcome;
use super::api::{DAYS, Domain};
use super::city::City;
use super::database::text;
use super::desk::{Done, booking, slots};
use super::goal::Slots;
use super::reference::{drawn, taxi_of};
use super::score::{Venues, clean_name, clean_time, is_clock};
use rolecall_core::text::{Dice, is_digits, joined, python_int};

/// Placeholders that an agent has copied from its instructions.
const PLACEHOLDER: &str = "[value]";

/// The slots of a booking with the words that ask for them.
fn wanted(domain: Domain) -> &'static [(&'static str, &'static str)] {
    match domain {
        Domain::Restaurant => &[
            ("name", "the restaurant name"),
            ("people", "the number of people"),
            ("day", "the booking day"),
            ("time", "the booking time"),
        ],
        Domain::Hotel => &[
            ("name", "the hotel name"),
            ("people", "the number of people"),
            ("day", "the booking day"),
            ("stay", "the days to stay"),
        ],
        _ => &[("train id", "the trian id"), ("tickets", "the number of tickects")],
    }
}

/// Books a table, a room, tickets or a taxi. AutoTOD keeps nothing of a taxi; here its booking is the request, with
/// `type` and `phone`.
pub fn book(domain: Domain, info: Slots, city: &City, dice: &mut Dice) -> Done {
    let booked = match domain {
        Domain::Taxi => taxi(info, city, dice),
        _ => reservation(domain, info, &city.venues, dice),
    };
    match booked {
        Ok((message, outcome)) => (format!("Booking succeed. {message}"), outcome),
        Err(problem) => (format!("Booking failed. {problem}"), Outcome::Refused),
    }
}

fn reservation(domain: Domain, mut info: Slots, venues: &Venues, dice: &mut Dice) -> Result<Done, String> {
    info.retain(|_, value| value.is_string());
    for (_, value) in &mut info {
        *value = value.as_str().unwrap_or_default().to_lowercase().into();
    }
    let missing = wanted(domain).iter().filter(|(slot, _)| !info.contains_key(*slot));
    let missing = joined(missing.map(|(_, words)| words));
    if !missing.is_empty() {
        return Err(format!("Please provide {missing} for reservation."));
    }
    match domain {
        Domain::Train => check_tickets(text(&info, "train id"), text(&info, "tickets"), venues)?,
        _ => check_venue(domain, &mut info, venues)?,
    }
    let number = drawn(8, b"abcdefghijklmnopqrstuvwxyz0123456789", dice);
    let message = format!("The reference number is {number}.");
    if let Some(id) = info.shift_remove("train id") {
        info.insert("trainID".to_owned(), id);
    }
    info.insert("refer_number".to_owned(), number.into());
    Ok((message, Outcome::Booked(booking("refer_number", info))))
}

fn check_venue(domain: Domain, info: &mut Slots, venues: &Venues) -> Result<(), String> {
    let name = text(info, "name");
    if *name == format!("[{domain} name]") {
        return Err(format!("Please provide the {domain} name to book."));
    }
    let slots = wanted(domain).iter().map(|(slot, _)| *slot);
    let open = joined(slots.filter(|slot| *slot != "name" && text(info, slot) == PLACEHOLDER));
    if !open.is_empty() {
        return Err(format!("Please provide the values for {open}."));
    }
    let time = clean_time(text(info, "time"));
    let problem = match domain {
        _ if !is_positive(text(info, "people")) => "The value of people should be a positive integer.",
        _ if !DAYS.contains(&text(info, "day")) => "The value of day should be a day in a week.",
        Domain::Hotel if is_digits(text(info, "stay")) => "",
        Domain::Hotel => "The value of stay should be a positive integer.",
        _ if is_clock(&time, 2) => "",
        _ => "please provide a valid time, like \"08:30\".",
    };
    if !problem.is_empty() {
        return Err(problem.to_owned());
    }
    // The name has to be written as it is stored, which is cleaned.
    if clean_name(name) != name || venues.venue(domain, name).is_none() {
        return Err(format!("\"{name}\" is not found in the {domain} database. Please provide a valid {domain} name."));
    }
    if domain == Domain::Restaurant {
        info.insert("time".to_owned(), time.into());
    }
    Ok(())
}

fn check_tickets(id: &str, tickets: &str, venues: &Venues) -> Result<(), String> {
    let unknown = format!("\"{id}\" is not found in the train databse. Please provide a valid train id.");
    let problem = match (id, tickets) {
        ("[train id]", _) => "Please provide the train id to book.",
        (_, PLACEHOLDER) => "Please the number of tickets to book.",
        _ if !is_positive(tickets) => "The value of tickets should be a positive integer.",
        _ if venues.train(id).is_none() => &unknown,
        _ => return Ok(()),
    };
    Err(problem.to_owned())
}

fn is_positive(text: &str) -> bool {
    is_digits(text) && python_int(text).is_some_and(|number| number > 0)
}

fn taxi(mut info: Slots, city: &City, dice: &mut Dice) -> Result<Done, String> {
    check_taxi(&info, &city.venues)?;
    let (kind, phone) = taxi_of(&city.database, dice);
    let message = format!("There is a {kind} taxi. Contact number is {phone}.");
    info.extend(slots([("type", &*kind), ("phone", &*phone)]));
    Ok((message, Outcome::Booked(booking("phone", info))))
}

fn check_taxi(info: &Slots, venues: &Venues) -> Result<(), String> {
    let text = |slot: &str| {
        let value = info.get(slot).and_then(Value::as_str);
        value.filter(|value| *value != PLACEHOLDER)
    };
    let found = |slot: &str| venues.place(text(slot)?);
    let ends = ["departure", "destination"];
    let missing = those(&ends, |end| text(end).is_none());
    if !missing.is_empty() {
        return Err(format!("The {missing} is missing."));
    }
    let unknown = those(&ends, |end| found(end).is_none());
    if !unknown.is_empty() {
        return Err(format!("Please provide valid place for the {unknown}."));
    }
    let [from, to] = ends.map(|end| found(end).map(|row| row.name()));
    if from == to {
        return Err("The departure and destination can not be the same place.".to_owned());
    }
    // Both words for a time are taken; of two, the later one counts.
    let time = |word: &str| {
        let slot = info.keys().rev().find(|slot| slot.strip_suffix(" time").unwrap_or(slot) == word);
        slot.and_then(|slot| text(slot))
    };
    let times = ["leave", "arrive"];
    if times.iter().all(|word| time(word).is_none()) {
        return Err("The leave time or arrive time is missing.".to_owned());
    }
    let bad = those(&times, |word| time(word).is_some_and(|time| !is_clock(&clean_time(time), 2)));
    if bad.is_empty() {
        return Ok(());
    }
    let example = "like \"07:30\".";
    Err(format!("Please provide valid time format for the {bad}, {example}"))
}

/// Words that fail, as a list.
fn those(words: &[&str], fails: impl Fn(&str) -> bool) -> String {
    words.iter().copied().filter(|word| fails(word)).collect::<Vec<_>>().join(" and ")
}
