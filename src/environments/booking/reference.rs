//! The calls as the original program answers them, byte for byte (profile `reference`; spec section 1).

use std::sync::Arc;

use serde_json::Value;

use super::account::Outcome;
use super::api::{ANY, Api, Domain};
use super::city::City;
use super::database::{Database, Table, text};
use super::desk::{Desk, Done, Request, booking, slots};
use super::goal::Slots;
use super::input::pairs;
use super::score::clean_name;
use rolecall_core::text::Dice;

/// The most records of an answer.
const MOST: usize = 10;

/// Letters of booking references.
pub const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Why the original program stops with an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Raised {
    /// A value of the input is no text.
    #[error("the value of `{0}` is no text; every value has to be one")]
    NotText(String),
    /// A value, of the input or of a record, cannot be compared.
    #[error("a time or name cannot be read; times are hh:mm")]
    NotComparable,
    /// The input is no JSON object.
    #[error("the input is no JSON object")]
    Unreadable,
}

/// The answer of a call: JSON text as the original program writes it. Random parts come from the dice.
///
/// # Errors
/// Where the original program stops with an error.
pub fn call(database: &Database, api: Option<Api>, input: &str, dice: &mut Dice) -> Result<String, Raised> {
    let Some(api) = api else {
        return Ok(failure("Unknown API name!"));
    };
    let Some(input) = pairs(input) else {
        let problem = "Cannot parse the API inputs. Check your API input format!";
        return match api {
            Api::BookTaxi => Err(Raised::Unreadable),
            _ => Ok(failure(problem)),
        };
    };
    let mut wanted: Vec<(&str, &str)> = Vec::with_capacity(input.len());
    for (key, value) in &input {
        let value = value.as_deref().ok_or_else(|| Raised::NotText(key.to_string()))?;
        // No other letter becomes one of these in lower case.
        if !value.eq_ignore_ascii_case(ANY) {
            wanted.push((key, value));
        }
    }
    match (api, database.table(api.domain())) {
        (Api::BookTaxi, _) => {
            let (kind, phone) = taxi_of(database, dice);
            Ok(success(&format!(r#"{{"type": "{kind}", "phone": "{phone}"}}"#)))
        }
        (Api::BuyTrainTickets, _) => Ok(booked(dice)),
        (_, Some(table)) if api.books() => book(table, api, &wanted, dice),
        (_, Some(table)) => query(table, &wanted),
        (_, None) => Ok(failure("Unknown API name!")),
    }
}

fn failure(problem: &str) -> String {
    format!(r#"{{"result": null, "message": "Failure! {problem}"}}"#)
}

fn success(result: &str) -> String {
    format!(r#"{{"result": {result}, "message": "Success! Reference number is returned!"}}"#)
}

fn booked(dice: &mut Dice) -> String {
    let reference = drawn(8, LETTERS, dice);
    success(&format!(r#"{{"reference": "{reference}"}}"#))
}

fn query(table: &Table, wanted: &[(&str, &str)]) -> Result<String, Raised> {
    let (passing, failing) = table.scan(wanted.iter().copied());
    let rows: Vec<usize> = passing.iter().take(MOST + 1).collect();
    // It scans the records until one more than are shown.
    let last = rows.get(MOST);
    if failing.is_some_and(|failing| last.is_none_or(|last| failing < *last)) {
        return Err(Raised::NotComparable);
    }
    let message = match last {
        None => "",
        Some(_) => r#", "message": "Too many retrieved results! Please query more accurately!""#,
    };
    let texts: Vec<&str> = rows.iter().take(MOST).map(|row| table.text(*row)).collect();
    Ok([r#"{"result": ["#, &texts.join(", "), "]", message, "}"].concat())
}

fn book(table: &Table, api: Api, wanted: &[(&str, &str)], dice: &mut Dice) -> Result<String, Raised> {
    let value = |key: &str| wanted.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    let mut others = api.keys().iter().filter(|key| **key != "name");
    if !others.all(|key| value(key).is_some()) {
        return Ok(failure("API keys are incomplete!"));
    }
    if let Some((name, names)) = value("name").zip(table.column("name")) {
        if !names.is_complete() {
            return Err(Raised::NotComparable);
        }
        if !names.alike(name).is_empty() {
            return Ok(booked(dice));
        }
    }
    Ok(failure("No matched entity in database!"))
}

/// So many of these letters.
pub fn drawn(count: usize, letters: &[u8], dice: &mut Dice) -> String {
    (0..count).filter_map(|_| dice.pick(letters)).map(char::from).collect()
}

/// A taxi: its colour and make, and a number of ten digits.
pub fn taxi_of(database: &Database, dice: &mut Dice) -> (String, String) {
    let words = [&database.taxi_colors, &database.taxi_types];
    let words = words.map(|words| words.get(dice.below(words.len())).map_or("", String::as_str));
    (words.join(" "), drawn(10, b"0123456789", dice))
}

/// Answers the calls of one conversation. Bookings, which the original program does not keep, are read off the
/// answers, so that they can be scored.
pub struct ReferenceDesk {
    /// Its city.
    pub city: Arc<City>,
    /// Source of its random parts.
    pub dice: Dice,
}

impl ReferenceDesk {
    /// Outcome that the text of an answer reports.
    fn outcome(&self, api: Option<Api>, input: &Slots, answer: &str) -> Outcome {
        let (Some(api), Ok(answer)) = (api, serde_json::from_str::<Value>(answer)) else {
            return Outcome::Malformed;
        };
        match &answer["result"] {
            Value::Array(found) => Outcome::Found { count: found.len(), more: answer.get("message").is_some() },
            Value::Object(drawn) => Outcome::Booked(match api {
                Api::BookTaxi => {
                    let mut row = input.clone();
                    row.extend(drawn.clone());
                    booking("phone", row)
                }
                _ => booking("refer_number", self.row(api, input, drawn)),
            }),
            _ => Outcome::Refused,
        }
    }

    /// A booking as AutoTOD's tables hold it.
    fn row(&self, api: Api, input: &Slots, drawn: &Slots) -> Slots {
        let mut row = slots([("refer_number", text(drawn, "reference"))]);
        if api == Api::BuyTrainTickets {
            let (id, tickets) = (text(input, "trainID"), text(input, "people"));
            row.extend(slots([("trainID", id), ("tickets", tickets)]));
            return row;
        }
        let name = self.venue(api.domain(), text(input, "name"));
        row.insert("name".to_owned(), name.into());
        for slot in ["people", "day", "time", "stay"] {
            if let Some(value) = input.get(slot).and_then(Value::as_str) {
                row.insert(slot.to_owned(), value.to_lowercase().into());
            }
        }
        row
    }

    /// The venue of a name as the scorer knows it: an exact match, else the first similar one.
    fn venue(&self, domain: Domain, name: &str) -> String {
        if let Some(venue) = self.city.venues.venue(domain, name) {
            return venue.name();
        }
        let table = self.city.database.table(domain);
        let first = table.map(|table| table.alike("name", name)).and_then(|names| names.first().copied());
        clean_name(first.unwrap_or(name))
    }
}

impl Desk for ReferenceDesk {
    fn call(&mut self, request: Request<'_>, api: Option<Api>) -> (Slots, Done) {
        // The loop around the calls reads the input as well, and stops if it cannot.
        let read = pairs(request.input).ok_or(Raised::Unreadable);
        let input = slots(read.iter().flatten().filter_map(|(key, value)| Some((&**key, value.as_deref()?))));
        let database = &self.city.database;
        let answer = read.and_then(|_| call(database, api, request.input, &mut self.dice));
        let done = match answer {
            Ok(answer) => {
                let outcome = self.outcome(api, &input, &answer);
                (answer, outcome)
            }
            Err(raised) => (raised.to_string(), Outcome::Aborted),
        };
        (input, done)
    }
}
