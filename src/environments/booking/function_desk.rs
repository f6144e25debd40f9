//! AutoTOD's functions (profile `autotod`): queries are SQL, bookings are checked and kept.

use std::sync::Arc;

use serde_json::Value;

use super::account::{Booking, Outcome};
use super::api::{Api, Domain};
use super::autotod;
use super::city::City;
use super::desk::{Answer, Desk, Request};
use super::functions::{Invalid, arguments};
use super::goal::Slots;
use crate::domain::Seed;
use crate::text::{Dice, joined};

/// The desk of one conversation.
pub struct FunctionDesk {
    city: Arc<City>,
    dice: Dice,
}

impl FunctionDesk {
    /// A desk at which nothing was booked yet.
    pub fn new(city: Arc<City>, seed: Seed) -> Self {
        let dice = Dice::new("rolecall booking 1", "autotod", &[seed.0]);
        Self { city, dice }
    }

    /// The text and what came of a function with these arguments.
    fn call(&mut self, api: Api, arguments: &Slots) -> (String, Outcome) {
        if !api.books() {
            let sql = arguments.get("sql").and_then(Value::as_str);
            return match self.city.tables() {
                Ok(tables) => tables.select(api.domain(), sql.unwrap_or_default()),
                Err(problem) => (problem.to_owned(), Outcome::Refused),
            };
        }
        let arguments = arguments.iter();
        // An empty time of a taxi counts as none, and the tables of bookings write blanks.
        let given = arguments.filter(|(name, value)| !name.ends_with("_time") || **value != "");
        let info = given.map(|(name, value)| (name.replace('_', " "), value.clone()));
        let info: Slots = info.collect();
        let (city, dice) = (&self.city, &mut self.dice);
        let (text, row) = match api.domain() {
            Domain::Taxi => autotod::book_taxi(&info, &city.venues, &city.database, dice),
            domain => autotod::book(domain, &info, &city.venues, dice),
        };
        let Some(row) = row else {
            return (text, Outcome::Refused);
        };
        let reference = ["refer_number", "phone"]
            .iter()
            .find_map(|key| row.get(*key));
        let reference = reference.and_then(Value::as_str).unwrap_or_default();
        let booking = Booking {
            reference: reference.to_owned(),
            row: row.clone(),
        };
        (text, Outcome::Booked(booking))
    }
}

impl Desk for FunctionDesk {
    fn answer(&mut self, request: Request<'_>) -> Answer {
        let api = Api::named(request.name);
        let read = match api {
            Some(api) => arguments(api, request.input).map(|arguments| (api, arguments)),
            None => Err(Invalid::Unread(match request.name {
                "" => "The call names no function.".to_owned(),
                name => format!(
                    "There is no function {name}; there are {}.",
                    joined(Api::ALL)
                ),
            })),
        };
        let (input, (text, outcome)) = match read {
            Ok((api, arguments)) => {
                let done = self.call(api, &arguments);
                (wishes(arguments), done)
            }
            Err(Invalid::Unread(problem)) => (Slots::new(), (problem, Outcome::Malformed)),
            Err(Invalid::Wrong(problem)) => (Slots::new(), (problem, Outcome::Refused)),
        };
        Answer {
            text,
            api,
            input,
            outcome,
        }
    }
}

/// The arguments by the names that the state of a conversation has for them.
fn wishes(arguments: Slots) -> Slots {
    let named = arguments.into_iter().map(|(name, value)| {
        let name = match name.as_str() {
            "train_id" => "trainID",
            "tickets" => "people",
            "leave_time" => "leaveAt",
            "arrive_time" => "arriveBy",
            _ => return (name, value),
        };
        (name.to_owned(), value)
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::environments::booking::town::town;

    fn call(desk: &mut FunctionDesk, name: &str, input: &Value) -> Answer {
        let input = input.to_string();
        desk.answer(Request {
            name,
            input: &input,
        })
    }

    #[test]
    fn functions_book_and_keep() {
        let desk = &mut FunctionDesk::new(town(), Seed(1));
        let input = json!({"name": "Varsity", "people": 2, "day": "monday", "time": "after 5:00"});
        let answer = call(desk, "book_restaurant", &input);
        let Outcome::Booked(booking) = &answer.outcome else {
            panic!("{answer:?}");
        };
        assert_eq!(
            Value::Object(booking.row.clone()),
            json!({"name": "varsity", "people": "2", "day": "monday", "time": "05:00", "refer_number": booking.reference})
        );
        assert!(answer.text.contains(&booking.reference));
        let answer = call(
            desk,
            "buy_train_tickets",
            &json!({"train_id": "TR0001", "tickets": 3}),
        );
        assert_eq!(
            Value::Object(answer.input),
            json!({"trainID": "TR0001", "people": "3"})
        );
        let taxi = json!({"departure": "Gonville Hotel", "destination": "5 castle hill", "leave_time": "", "arrive_time": "9:00"});
        let answer = call(desk, "book_taxi", &taxi);
        let Outcome::Booked(booking) = &answer.outcome else {
            panic!("{answer:?}");
        };
        assert_eq!(booking.reference.len(), 10);
        assert_eq!(booking.row["departure"], "Gonville Hotel");
        let taxi = json!({"departure": "Gonville", "destination": "moon", "leave_time": "9:00"});
        assert_eq!(call(desk, "book_taxi", &taxi).outcome, Outcome::Refused);
    }

    #[test]
    fn calls_that_are_none_are_told() {
        let desk = &mut FunctionDesk::new(town(), Seed(1));
        for (name, input, outcome, said) in [
            ("", json!({}), Outcome::Malformed, "names no function"),
            (
                "do_magic",
                json!({}),
                Outcome::Malformed,
                "no function do_magic; there are query_restaurants",
            ),
            (
                "query_hotels",
                json!([]),
                Outcome::Malformed,
                "no JSON object",
            ),
            (
                "query_hotels",
                json!({"area": "x"}),
                Outcome::Refused,
                "no parameters \"area\"",
            ),
            (
                "query_hotels",
                json!({"sql": null}),
                Outcome::Refused,
                "Please query the hotel table",
            ),
            (
                "book_hotel",
                json!({"name": "acorn"}),
                Outcome::Refused,
                "\"people\", \"day\", \"stay\"",
            ),
        ] {
            let answer = call(desk, name, &input);
            assert_eq!(answer.outcome, outcome, "{answer:?}");
            assert!(answer.text.contains(said), "{answer:?}");
        }
    }
}
