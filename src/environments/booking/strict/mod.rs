//! Calls whose values are checked and whose bookings are kept (profile `strict`).

mod bookings;
mod places;
mod queries;
mod values;

use std::sync::Arc;

use super::account::{Booking, Outcome};
use super::api::{Api, Domain};
use super::city::City;
use super::desk::{Answer, Desk, Request, Vacancy};
use super::goal::Slots;
use crate::domain::Seed;
use crate::text::{Dice, joined, python};

use values::{Values, fields, quoted};

/// The desk of one conversation.
pub struct StrictDesk {
    city: Arc<City>,
    vacancy: Vacancy,
    seed: Seed,
    dice: Dice,
    /// What was booked so far.
    booked: Vec<(Domain, Booking)>,
}

/// What comes of a call: the text of the answer, and what it came to.
type Done = (String, Outcome);

impl StrictDesk {
    /// A desk at which nothing was booked yet.
    pub fn new(city: Arc<City>, vacancy: Vacancy, seed: Seed) -> Self {
        Self {
            city,
            vacancy,
            seed,
            dice: Dice::new("rolecall booking 1", "strict", &[seed.0]),
            booked: Vec::new(),
        }
    }

    fn done(&mut self, api: Api, values: &mut Values) -> Done {
        if !values.problems.is_empty() {
            return refused(&values.problems.join(" "));
        }
        let booked = match api {
            Api::BookRestaurant | Api::BookHotel => self.book(api, values),
            Api::BuyTrainTickets => self.buy(values),
            Api::BookTaxi => self.taxi(values),
            _ => return queries::query(&self.city.database, api, values),
        };
        booked.unwrap_or_else(|problem| refused(&problem))
    }
}

impl Desk for StrictDesk {
    fn answer(&mut self, request: Request<'_>) -> Answer {
        let api = Api::named(request.name);
        let read = match api {
            Some(api) => fields(api, request.input).map(|fields| (api, Values::read(api, &fields))),
            None => Err(unknown(request.name)),
        };
        let (input, (text, outcome)) = match read {
            Ok((api, mut values)) => {
                let done = self.done(api, &mut values);
                (values.slots, done)
            }
            Err(problem) => (Slots::new(), (failure(&problem), Outcome::Malformed)),
        };
        Answer {
            text,
            api,
            input,
            outcome,
        }
    }
}

/// What is told of a name that no call has.
fn unknown(name: &str) -> String {
    format!(
        "There is no call {}. The calls are {}. Each is written with a JSON object, as in: query_hotels {{\"area\": \
         \"centre\"}}.",
        quoted(name),
        joined(Api::ALL)
    )
}

fn refused(problem: &str) -> Done {
    (failure(problem), Outcome::Refused)
}

/// The answer that says why nothing was done.
fn failure(problem: &str) -> String {
    answer("null", &format!("Refused. {problem}"))
}

/// An answer: its result in JSON, and a message if there is one.
fn answer(result: &str, message: &str) -> String {
    let mut text = format!("{{\"result\": {result}");
    if !message.is_empty() {
        text.push_str(", \"message\": ");
        python::push_json(&mut text, message);
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests;
