//! The calls as the original program answers them, byte for byte (profile `reference`; spec section 1).

use std::sync::Arc;

use serde_json::Value;

use super::account::{Booking, Outcome};
use super::api::{ANY, Api, Domain};
use super::city::City;
use super::database::{Database, Table};
use super::desk::{Answer, Desk, Request};
use super::goal::Slots;
use super::input::Input;
use super::score::clean_name;
use crate::domain::Seed;
use crate::text::Dice;

/// The most records of an answer.
const MOST: usize = 10;

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
    /// A taxi is to be booked by an input that is no JSON object.
    #[error("the input is no JSON object, and no taxi can be booked by it")]
    NoTaxi,
}

/// The answer of a call: JSON text as the original program writes it. Random parts come from the dice.
///
/// # Errors
/// Where the original program stops with an error.
pub fn call(
    database: &Database,
    api: Option<Api>,
    input: &str,
    dice: &mut Dice,
) -> Result<String, Raised> {
    let Some(api) = api else {
        return Ok(failure("Unknown API name!"));
    };
    let mut mended = String::new();
    let Some(input) = Input::read(input, &mut mended) else {
        return match api {
            Api::BookTaxi => Err(Raised::NoTaxi),
            _ => Ok(failure(
                "Cannot parse the API inputs. Check your API input format!",
            )),
        };
    };
    let mut pairs: Vec<(&str, &str)> = Vec::with_capacity(input.pairs.len());
    for (key, value) in &input.pairs {
        let value = value
            .as_deref()
            .ok_or_else(|| Raised::NotText(key.to_string()))?;
        // No letter but these becomes one of them when it is made small.
        if !value.eq_ignore_ascii_case(ANY) {
            pairs.push((key, value));
        }
    }
    match (api, database.table(api.domain())) {
        (Api::BookTaxi, _) => Ok(taxi(database, dice)),
        (Api::BuyTrainTickets, _) => Ok(booked(dice)),
        (_, Some(table)) if api.books() => book(table, api.domain(), &pairs, dice),
        (_, Some(table)) => query(table, &pairs),
        (_, None) => Ok(failure("Unknown API name!")),
    }
}

fn failure(problem: &str) -> String {
    format!(r#"{{"result": null, "message": "Failure! {problem}"}}"#)
}

fn query(table: &Table, pairs: &[(&str, &str)]) -> Result<String, Raised> {
    let (passing, failing) = table.scan(pairs.iter().copied());
    let mut found = passing.iter();
    let shown = passing
        .iter()
        .take(MOST)
        .map(|row| table.text(row).len() + 2);
    let mut out = String::with_capacity(shown.sum::<usize>() + 100);
    out.push_str(r#"{"result": ["#);
    for place in 0..=MOST {
        let Some(row) = found.next() else {
            break;
        };
        if failing.is_some_and(|failing| failing < row) {
            return Err(Raised::NotComparable);
        }
        if place == MOST {
            out.push_str(
                r#"], "message": "Too many retrieved results! Please query more accurately!"}"#,
            );
            return Ok(out);
        }
        out.push_str(if place > 0 { ", " } else { "" });
        out.push_str(table.text(row));
    }
    if failing.is_some() {
        return Err(Raised::NotComparable);
    }
    out.push_str("]}");
    Ok(out)
}

fn book(
    table: &Table,
    domain: Domain,
    pairs: &[(&str, &str)],
    dice: &mut Dice,
) -> Result<String, Raised> {
    let value = |key: &str| {
        pairs
            .iter()
            .find(|(own, _)| *own == key)
            .map(|(_, value)| *value)
    };
    let others = match domain {
        Domain::Hotel => ["people", "day", "stay"],
        _ => ["people", "day", "time"],
    };
    let complete = others.iter().all(|key| value(key).is_some());
    if let (true, Some(name), Some(names)) = (complete, value("name"), table.column("name")) {
        if !names.is_complete() {
            return Err(Raised::NotComparable);
        }
        if !names.alike(name).is_empty() {
            return Ok(booked(dice));
        }
    }
    Ok(failure(match complete {
        true => "No matched entity in database!",
        false => "API keys are incomplete!",
    }))
}

fn booked(dice: &mut Dice) -> String {
    let reference = reference(dice, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    format!(
        r#"{{"result": {{"reference": "{reference}"}}, "message": "Success! Reference number is returned!"}}"#
    )
}

/// Eight of these letters.
pub fn reference(dice: &mut Dice, letters: &[u8]) -> String {
    let drawn = (0..8).filter_map(|_| dice.pick(letters));
    drawn.map(char::from).collect()
}

fn taxi(database: &Database, dice: &mut Dice) -> String {
    let (kind, phone) = taxi_of(database, dice);
    format!(
        r#"{{"result": {{"type": "{kind}", "phone": "{phone}"}}, "message": "Success! Reference number is returned!"}}"#
    )
}

/// A taxi: its colour and make, and a number of ten digits.
pub fn taxi_of(database: &Database, dice: &mut Dice) -> (String, String) {
    let mut pick = |words: &[String]| {
        words
            .get(dice.below(words.len()))
            .cloned()
            .unwrap_or_default()
    };
    let kind = format!(
        "{} {}",
        pick(&database.taxi_colors),
        pick(&database.taxi_types)
    );
    let digits = (0..10).filter_map(|_| dice.pick(b"0123456789"));
    (kind, digits.map(char::from).collect())
}

/// Answers the calls of one conversation. What the original program does not keep, the bookings, is known by the
/// answers, so that they can be scored.
pub struct ReferenceDesk {
    city: Arc<City>,
    dice: Dice,
}

impl ReferenceDesk {
    /// A desk whose random parts come from this seed.
    pub fn new(city: Arc<City>, seed: Seed) -> Self {
        let dice = Dice::new("rolecall booking 1", "reference", &[seed.0]);
        Self { city, dice }
    }

    /// What the text of an answer says.
    fn outcome(&self, api: Option<Api>, input: &Slots, text: &str) -> Outcome {
        let (Some(api), Ok(answer)) = (api, serde_json::from_str::<Value>(text)) else {
            return Outcome::Malformed;
        };
        match &answer["result"] {
            Value::Array(found) => Outcome::Found {
                count: found.len(),
                more: answer.get("message").is_some(),
            },
            Value::Object(booked) => Outcome::Booked(self.booking(api, input, booked)),
            _ => Outcome::Refused,
        }
    }

    fn booking(&self, api: Api, input: &Slots, booked: &Slots) -> Booking {
        let text = |slot: &str| input.get(slot).and_then(Value::as_str).unwrap_or_default();
        let mut row = Slots::new();
        if api == Api::BookTaxi {
            row.extend(input.clone());
            row.extend(booked.clone());
            let reference = booked.get("phone").and_then(Value::as_str);
            return Booking {
                reference: reference.unwrap_or_default().to_owned(),
                row,
            };
        }
        let reference = booked.get("reference").and_then(Value::as_str);
        let reference = reference.unwrap_or_default().to_owned();
        row.insert("refer_number".to_owned(), reference.clone().into());
        if api == Api::BuyTrainTickets {
            row.insert("trainID".to_owned(), text("trainID").into());
            row.insert("tickets".to_owned(), text("people").into());
            return Booking { reference, row };
        }
        row.insert(
            "name".to_owned(),
            self.venue(api.domain(), text("name")).into(),
        );
        for slot in ["people", "day", "time", "stay"] {
            if let Some(value) = input.get(slot).and_then(Value::as_str) {
                row.insert(slot.to_owned(), value.to_lowercase().into());
            }
        }
        Booking { reference, row }
    }

    /// The venue of a name as the scorer calls it: the one that has it, else the first that is like it.
    fn venue(&self, domain: Domain, name: &str) -> String {
        if let Some(venue) = self.city.venues.venue(domain, name) {
            return venue.name();
        }
        let table = self.city.database.table(domain);
        let alike = table.and_then(|table| {
            let row = table.column("name")?.alike(name).iter().next()?;
            table.records().get(row)?.get("name")?.as_str()
        });
        clean_name(alike.unwrap_or(name))
    }
}

impl Desk for ReferenceDesk {
    fn answer(&mut self, request: Request<'_>) -> Answer {
        let api = Api::named(request.name);
        let mut mended = String::new();
        // The loop around the calls reads the input as well, and stops where it cannot.
        let read = Input::read(request.input, &mut mended).ok_or(Raised::Unreadable);
        let input = read.as_ref().map(Input::slots).unwrap_or_default();
        let found =
            read.and_then(|_| call(&self.city.database, api, request.input, &mut self.dice));
        let (text, outcome) = match found {
            Ok(text) => {
                let outcome = self.outcome(api, &input, &text);
                (text, outcome)
            }
            Err(raised) => (raised.to_string(), Outcome::Aborted),
        };
        Answer {
            text,
            api,
            input,
            outcome,
        }
    }
}
