//! Calls whose values are checked and whose bookings are kept (profile `strict`).

mod bookings;
mod places;
mod queries;
mod values;

use std::sync::Arc;

use super::account::{Booking, Outcome};
use super::api::{Api, Domain};
use super::city::City;
use super::desk::{Desk, Done, Request, Vacancy};
use super::goal::Slots;
use rolecall_core::domain::Seed;
use rolecall_core::text::{Dice, joined, python};

use values::{Values, quoted};

/// The desk of one conversation.
pub struct StrictDesk {
    /// Its city.
    pub city: Arc<City>,
    /// Rule that says which places are taken,
    pub vacancy: Vacancy,
    /// by this seed.
    pub seed: Seed,
    /// Source of its random parts.
    pub dice: Dice,
    /// The tables, rooms and tickets that were booked so far.
    pub booked: Vec<(Domain, Booking)>,
}

impl StrictDesk {
    /// Result of a call with these values, or the reason why nothing is done.
    fn done(&mut self, api: Api, values: &mut Values) -> Result<Done, String> {
        if !values.problems.is_empty() {
            return Err(values.problems.join(" "));
        }
        match api {
            Api::BookRestaurant | Api::BookHotel => self.book(api, values),
            Api::BuyTrainTickets => self.buy(values),
            Api::BookTaxi => self.taxi(values),
            _ => queries::query(&self.city.database, api, values),
        }
    }
}

impl Desk for StrictDesk {
    fn call(&mut self, request: Request<'_>, api: Option<Api>) -> (Slots, Done) {
        let read = match api {
            Some(api) => Values::read(api, request.input).map(|values| (api, values)),
            None => Err(unknown(request.name)),
        };
        match read {
            Ok((api, mut values)) => {
                let done = self.done(api, &mut values);
                let refused = |problem: String| (failure(&problem), Outcome::Refused);
                (values.slots, done.unwrap_or_else(refused))
            }
            Err(problem) => (Slots::new(), (failure(&problem), Outcome::Malformed)),
        }
    }
}

/// Answer to a name that no call has.
fn unknown(name: &str) -> String {
    format!(
        "There is no call {}. The calls are {}. Each is written with a JSON object, as in: query_hotels {{\"area\": \
         \"centre\"}}.",
        quoted(name),
        joined(Api::ALL)
    )
}

/// The answer with the reason why nothing was done.
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
