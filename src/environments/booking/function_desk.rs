//! AutoTOD's functions (profile `autotod`): queries are SQL, bookings are checked and kept.

use std::sync::Arc;

use super::account::Outcome;
use super::api::Api;
use super::autotod;
use super::city::City;
use super::database::text;
use super::desk::{Desk, Done, Request};
use super::functions::arguments;
use super::goal::Slots;
use rolecall_core::text::{Dice, joined};

/// The desk of one conversation.
pub struct FunctionDesk {
    /// Its city.
    pub city: Arc<City>,
    /// Source of its random parts.
    pub dice: Dice,
}

impl FunctionDesk {
    /// Result of a function with these arguments.
    fn done(&mut self, api: Api, arguments: &Slots) -> Done {
        if !api.books() {
            return match self.city.tables() {
                Ok(tables) => tables.select(api.domain(), text(arguments, "sql")),
                Err(problem) => (problem.to_owned(), Outcome::Refused),
            };
        }
        let arguments = arguments.iter();
        // An empty time of a taxi counts as none, and the tables of bookings write blanks.
        let given = arguments.filter(|(name, value)| !name.ends_with("_time") || **value != "");
        let info = given.map(|(name, value)| (name.replace('_', " "), value.clone()));
        autotod::book(api.domain(), info.collect(), &self.city, &mut self.dice)
    }
}

impl Desk for FunctionDesk {
    fn call(&mut self, request: Request<'_>, api: Option<Api>) -> (Slots, Done) {
        let Some(api) = api else {
            let problem = match request.name {
                "" => "The call names no function.".to_owned(),
                name => format!("There is no function {name}; there are {}.", joined(Api::ALL)),
            };
            return (Slots::new(), (problem, Outcome::Malformed));
        };
        match arguments(api, request.input) {
            Ok(arguments) => {
                let done = self.done(api, &arguments);
                (arguments.into_iter().map(|(name, value)| (slot(name), value)).collect(), done)
            }
            Err(problem) => (Slots::new(), problem),
        }
    }
}

/// Slot that an argument fills in the state of a conversation.
fn slot(argument: String) -> String {
    let slot = match argument.as_str() {
        "train_id" => "trainID",
        "tickets" => "people",
        "leave_time" => "leaveAt",
        "arrive_time" => "arriveBy",
        _ => return argument,
    };
    slot.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::account::Call;
    use crate::town::town;

    fn desk() -> FunctionDesk {
        FunctionDesk { city: town(), dice: Dice::new("rolecall test", "autotod", &[1]) }
    }

    fn call(desk: &mut FunctionDesk, name: &str, input: &Value) -> (String, Call) {
        let input = input.to_string();
        desk.answer(Request { name, input: &input })
    }

    #[test]
    fn functions_book_and_keep() {
        let desk = &mut desk();
        let input = json!({"name": "Varsity", "people": 2, "day": "monday", "time": "after 5:00"});
        let (text, answer) = call(desk, "book_restaurant", &input);
        let Outcome::Booked(booking) = &answer.outcome else {
            panic!("{answer:?}");
        };
        assert_eq!(
            Value::Object(booking.row.clone()),
            json!({"name": "varsity", "people": "2", "day": "monday", "time": "05:00", "refer_number": booking.reference})
        );
        assert!(text.contains(&booking.reference));
        let (_, answer) = call(desk, "buy_train_tickets", &json!({"train_id": "TR0001", "tickets": 3}));
        assert_eq!(Value::Object(answer.input), json!({"trainID": "TR0001", "people": "3"}));
        let taxi = json!({"departure": "Gonville Hotel", "destination": "5 castle hill", "leave_time": "", "arrive_time": "9:00"});
        let (_, answer) = call(desk, "book_taxi", &taxi);
        let Outcome::Booked(booking) = &answer.outcome else {
            panic!("{answer:?}");
        };
        assert_eq!(booking.reference.len(), 10);
        assert_eq!(booking.row["departure"], "Gonville Hotel");
        let taxi = json!({"departure": "Gonville", "destination": "moon", "leave_time": "9:00"});
        assert_eq!(call(desk, "book_taxi", &taxi).1.outcome, Outcome::Refused);
    }

    #[test]
    fn calls_that_are_none_are_told() {
        let desk = &mut desk();
        for (name, input, outcome, said) in [
            ("", json!({}), Outcome::Malformed, "names no function"),
            ("do_magic", json!({}), Outcome::Malformed, "no function do_magic; there are query_restaurants"),
            ("query_hotels", json!([]), Outcome::Malformed, "no JSON object"),
            ("query_hotels", json!({"area": "x"}), Outcome::Refused, "no parameters \"area\""),
            ("query_hotels", json!({"sql": null}), Outcome::Refused, "Please query the hotel table"),
            ("book_hotel", json!({"name": "acorn"}), Outcome::Refused, "\"people\", \"day\", \"stay\""),
        ] {
            let (text, answer) = call(desk, name, &input);
            assert_eq!(answer.outcome, outcome, "{answer:?}");
            assert!(text.contains(said), "{text}");
        }
    }
}
