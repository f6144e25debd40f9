//! AutoTOD's bookings: checked in its order, with its messages, and stored (spec section 6.2).

use serde_json::Value;

use super::api::Domain;
use super::database::Database;
use super::goal::Slots;
use super::reference::{reference, taxi_of};
use super::score::{Venues, clean_name, clean_time, is_clock};
use crate::text::{Dice, is_digits, python_int};

/// The words for values that an agent has left as they stand in its instructions.
const PLACEHOLDER: &str = "[value]";

const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// The slots of a booking with the words in which they are asked for.
fn slots(domain: Domain) -> &'static [(&'static str, &'static str)] {
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
        _ => &[
            ("train id", "the trian id"),
            ("tickets", "the number of tickects"),
        ],
    }
}

/// Books a table, a room or tickets: the message, and what was booked if it succeeded.
pub fn book(
    domain: Domain,
    info: &Slots,
    venues: &Venues,
    dice: &mut Dice,
) -> (String, Option<Slots>) {
    let text = |value: &Value| value.as_str().map(str::to_lowercase);
    let lower = info
        .iter()
        .filter_map(|(slot, value)| Some((slot.clone(), text(value)?.into())));
    let mut info: Slots = lower.collect();
    if let Err(problem) = check(domain, &mut info, venues) {
        return (format!("Booking failed. {problem}"), None);
    }
    let number = reference(dice, b"abcdefghijklmnopqrstuvwxyz0123456789");
    let message = format!("Booking succeed. The reference number is {number}.");
    if let Some(id) = info.shift_remove("train id") {
        info.insert("trainID".to_owned(), id);
    }
    info.insert("refer_number".to_owned(), number.into());
    (message, Some(info))
}

fn check(domain: Domain, info: &mut Slots, venues: &Venues) -> Result<(), String> {
    let slots = slots(domain);
    let missing: Vec<&str> = slots
        .iter()
        .filter(|(slot, _)| !info.contains_key(*slot))
        .map(|(_, words)| *words)
        .collect();
    if !missing.is_empty() {
        return Err(format!(
            "Please provide {} for reservation.",
            missing.join(", ")
        ));
    }
    let text = |slot: &str| info.get(slot).and_then(Value::as_str).unwrap_or_default();
    if domain == Domain::Train {
        return check_tickets(text("train id"), text("tickets"), venues);
    }
    let name = text("name");
    if *name == format!("[{domain} name]") {
        return Err(format!("Please provide the {domain} name to book."));
    }
    let last = if domain == Domain::Hotel {
        "stay"
    } else {
        "time"
    };
    let open: Vec<&str> = ["people", "day", last]
        .into_iter()
        .filter(|slot| text(slot) == PLACEHOLDER)
        .collect();
    if !open.is_empty() {
        return Err(format!(
            "Please provide the values for {}.",
            open.join(", ")
        ));
    }
    if !is_positive(text("people")) {
        return Err("The value of people should be a positive integer.".to_owned());
    }
    if !DAYS.contains(&text("day")) {
        return Err("The value of day should be a day in a week.".to_owned());
    }
    let time = clean_time(text("time"));
    match domain {
        Domain::Hotel if !is_digits(text("stay")) => {
            return Err("The value of stay should be a positive integer.".to_owned());
        }
        Domain::Restaurant if !is_clock(&time, 2) => {
            return Err("please provide a valid time, like \"08:30\".".to_owned());
        }
        _ => {}
    }
    // The name has to be written as it is stored, that is, cleaned.
    if clean_name(name) != name || venues.venue(domain, name).is_none() {
        return Err(format!(
            "\"{name}\" is not found in the {domain} database. Please provide a valid {domain} name."
        ));
    }
    if domain == Domain::Restaurant {
        info.insert("time".to_owned(), time.into());
    }
    Ok(())
}

fn check_tickets(id: &str, tickets: &str, venues: &Venues) -> Result<(), String> {
    let problem = match (id, tickets) {
        ("[train id]", _) => "Please provide the train id to book.".to_owned(),
        (_, PLACEHOLDER) => "Please the number of tickets to book.".to_owned(),
        (_, tickets) if !is_positive(tickets) => {
            "The value of tickets should be a positive integer.".to_owned()
        }
        (id, _) if venues.train(id).is_none() => {
            format!("\"{id}\" is not found in the train databse. Please provide a valid train id.")
        }
        _ => return Ok(()),
    };
    Err(problem)
}

fn is_positive(text: &str) -> bool {
    is_digits(text) && python_int(text).is_some_and(|number| number > 0)
}

/// The slots of a booking that is written as text: `name: pizza hut, people: 2`.
pub fn info(text: &str) -> Slots {
    let text = text.to_lowercase();
    let mut info = Slots::new();
    for pair in text.split(',') {
        if let Some((slot, value)) = pair.split_once(": ") {
            info.insert(slot.trim().to_owned(), value.trim().into());
        }
    }
    info
}

/// Books a taxi: the message, and if it succeeded what was asked for, with `type` and `phone`. AutoTOD keeps none.
pub fn book_taxi(
    info: &Slots,
    venues: &Venues,
    database: &Database,
    dice: &mut Dice,
) -> (String, Option<Slots>) {
    if let Err(problem) = check_taxi(info, venues) {
        return (format!("Booking failed. {problem}"), None);
    }
    let (kind, phone) = taxi_of(database, dice);
    let message = format!("Booking succeed. There is a {kind} taxi. Contact number is {phone}.");
    let mut taxi = info.clone();
    taxi.insert("type".to_owned(), kind.into());
    taxi.insert("phone".to_owned(), phone.into());
    (message, Some(taxi))
}

fn check_taxi(info: &Slots, venues: &Venues) -> Result<(), String> {
    let text = |slot: &str| {
        let value = info.get(slot).and_then(Value::as_str);
        value.filter(|value| *value != PLACEHOLDER)
    };
    let places = ["departure", "destination"];
    let failing = |fails: &dyn Fn(&str) -> bool| {
        let failing = places.into_iter().filter(|slot| fails(slot));
        failing.collect::<Vec<_>>().join(" and ")
    };
    let missing = failing(&|slot| text(slot).is_none());
    if !missing.is_empty() {
        return Err(format!("The {missing} is missing."));
    }
    let found = |slot: &str| text(slot).and_then(|place| venues.place(place));
    let unknown = failing(&|slot| found(slot).is_none());
    if !unknown.is_empty() {
        return Err(format!("Please provide valid place for the {unknown}."));
    }
    if found("departure").map(|row| row.name()) == found("destination").map(|row| row.name()) {
        return Err("The departure and destination can not be the same place.".to_owned());
    }
    // Both words for a time are taken; of two, the later one counts.
    let time = |short: &str, long: &str| {
        let mut slots = info
            .iter()
            .filter(|(slot, _)| *slot == short || *slot == long);
        slots.next_back().and_then(|(slot, _)| text(slot))
    };
    let times = [
        ("leave", time("leave", "leave time")),
        ("arrive", time("arrive", "arrive time")),
    ];
    if times.iter().all(|(_, time)| time.is_none()) {
        return Err("The leave time or arrive time is missing.".to_owned());
    }
    let bad: Vec<&str> = times
        .iter()
        .filter(|(_, time)| time.is_some_and(|time| !is_clock(&clean_time(time), 2)))
        .map(|(word, _)| *word)
        .collect();
    match bad.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "Please provide valid time format for the {}, like \"07:30\".",
            bad.join(" and ")
        )),
    }
}
