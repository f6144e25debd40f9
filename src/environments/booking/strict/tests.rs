use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::account::Call;
use crate::town::town;

fn desk(taken: f64, seed: u64) -> StrictDesk {
    StrictDesk {
        city: town(),
        vacancy: Vacancy { taken },
        seed: Seed(seed),
        dice: Dice::new("rolecall test", "strict", &[seed]),
        booked: Vec::new(),
    }
}

fn call(desk: &mut StrictDesk, name: &str, input: &Value) -> (Value, Call) {
    let input = input.to_string();
    let (text, call) = desk.answer(Request { name, input: &input });
    assert!(!text.contains('\u{1b}'));
    (serde_json::from_str(&text).unwrap(), call)
}

fn message(answer: &Value) -> &str {
    answer["message"].as_str().unwrap_or_default()
}

fn booking(answer: &Call) -> &Booking {
    match &answer.outcome {
        Outcome::Booked(booking) => booking,
        other => panic!("{other:?}"),
    }
}

#[test]
fn queries_find_what_is_wanted_and_say_what_to_do_otherwise() {
    let desk = &mut desk(0.0, 1);
    let input = json!({"area": "Centre", "food": "indian", "name": "any"});
    let (found, answer) = call(desk, "query_restaurants", &input);
    assert_eq!(found["result"][0]["name"], "curry garden");
    assert_eq!(message(&found), "");
    assert_eq!(answer.outcome, Outcome::Found { count: 1, more: false });
    assert_eq!(Value::Object(answer.input), json!({"area": "centre", "food": "indian", "name": "any"}));
    let (found, answer) = call(desk, "query_restaurants", &json!({"area": "south"}));
    assert_eq!(found["result"].as_array().unwrap().len(), 10);
    assert_eq!(answer.outcome, Outcome::Found { count: 10, more: true });
    assert_eq!(
        message(&found),
        "There are 12, of which these are the first 10. These keys would narrow it: pricerange, food, name."
    );
    let (found, answer) =
        call(desk, "query_restaurants", &json!({"area": "south", "food": "indian", "pricerange": "cheap"}));
    assert_eq!(answer.outcome, Outcome::Found { count: 0, more: false });
    assert_eq!(message(&found), "There is no such restaurant. There are 12 restaurants without `food`.");
    let (found, _) = call(desk, "query_restaurants", &json!({"food": "klingon"}));
    assert_eq!(
        message(&found),
        "There is no such restaurant. No restaurant has a `food` like `klingon`; there are american, indian, \
         international."
    );
    let trains = json!({"departure": "cambridge", "arriveBy": "10 am", "trainID": "tr0001"});
    let (found, answer) = call(desk, "query_trains", &trains);
    assert_eq!(found["result"][0]["destination"], "ely");
    assert_eq!(
        Value::Object(answer.input),
        json!({"departure": "cambridge", "arriveBy": "10:00", "trainID": "TR0001"})
    );
}

#[test]
fn venues_are_booked_and_kept() {
    let desk = &mut desk(0.0, 1);
    let input = json!({"name": "the Varsity", "people": 2, "day": "monday", "time": "5pm"});
    let (told, answer) = call(desk, "book_restaurant", &input);
    let first = booking(&answer).clone();
    assert_eq!(told["result"]["reference"], first.reference);
    assert_eq!(first.reference.len(), 8);
    assert_eq!(
        Value::Object(first.row),
        json!({"refer_number": first.reference, "name": "varsity", "people": "2", "day": "monday", "time": "17:00"})
    );
    assert_eq!(message(&told), "Booked: a table at the varsity restaurant for 2 people on monday at 17:00.");
    assert_eq!(answer.input["name"], "the varsity restaurant");
    let (told, answer) = call(desk, "book_restaurant", &input);
    assert_ne!(booking(&answer).reference, first.reference);
    assert!(message(&told).contains(&format!("booked as {} already", first.reference)));
    let mut input = json!({"name": "acorn", "people": "1", "day": "friday", "stay": "１"});
    let (told, answer) = call(desk, "book_hotel", &input);
    assert_eq!(booking(&answer).row["name"], "acorn guest house");
    assert_eq!(booking(&answer).row["stay"], "1");
    assert!(message(&told).contains("for 1 person on friday for 1 night. No `name` is called so exactly"), "{told}");
    for (name, said) in
        [("hilton", "No hotel is called `hilton`; query_hotels finds names"), ("a", "too short"), ("", "is empty")]
    {
        input["name"] = name.into();
        let (told, answer) = call(desk, "book_hotel", &input);
        assert!(message(&told).contains(said), "{told}");
        assert_eq!(answer.outcome, Outcome::Refused);
    }
    input = json!({"name": "burger corner", "people": 2, "day": "monday", "time": "17:00"});
    let (told, _) = call(desk, "book_restaurant", &input);
    assert!(message(&told).contains("many places"), "{told}");
    assert_eq!(desk.booked.len(), 3);
}

#[test]
fn tickets_and_taxis_are_checked_as_well() {
    let desk = &mut desk(0.0, 1);
    let (told, answer) = call(desk, "buy_train_tickets", &json!({"trainID": "tr0001", "people": 3, "day": "friday"}));
    let row = Value::Object(booking(&answer).row.clone());
    let reference = &told["result"]["reference"];
    assert_eq!(row, json!({"refer_number": reference, "trainID": "TR0001", "tickets": "3"}));
    assert_eq!(message(&told), "Booked: 3 tickets for TR0001, on friday from ely at 11:00 to cambridge at 11:50.");
    let (told, answer) = call(desk, "buy_train_tickets", &json!({"trainID": "TR0002", "people": 1, "day": "sunday"}));
    assert_eq!(answer.outcome, Outcome::Refused);
    assert!(message(&told).contains("It runs on monday from cambridge at 10:00"), "{told}");
    let (told, _) = call(desk, "buy_train_tickets", &json!({"trainID": "TR9", "people": 1}));
    assert!(message(&told).contains("no train `TR9`"), "{told}");
    let mut taxi = json!({"departure": "Gonville", "destination": "Ely train station", "leaveAt": "1730"});
    let (told, answer) = call(desk, "book_taxi", &taxi);
    let made = booking(&answer);
    assert_eq!(told["result"]["phone"], made.reference);
    assert_eq!(message(&told), "Booked: a taxi from Gonville Hotel to ely leaving at 17:30.");
    assert_eq!(made.row["destination"], "ely");
    assert_eq!(made.row["leaveAt"], "17:30");
    taxi["departure"] = "5 Castle Hill".into();
    let (_, answer) = call(desk, "book_taxi", &taxi);
    assert_eq!(booking(&answer).row["departure"], "castle galleries");
    for (departure, said) in [("ely station", "two places"), ("the moon", "no place known")] {
        taxi["departure"] = departure.into();
        let (told, _) = call(desk, "book_taxi", &taxi);
        assert!(message(&told).contains(said), "{told}");
    }
}

#[test]
fn what_is_taken_stays_taken_and_other_times_may_be_free() {
    let ask = |seed: u64, taken: f64, time: usize| {
        let input = json!({"name": "curry garden", "people": 2, "day": "monday", "time": format!("{time:02}:00")});
        let (told, answer) = call(&mut desk(taken, seed), "book_restaurant", &input);
        let refused = answer.outcome == Outcome::Refused;
        assert_eq!(refused, message(&told).contains("no table left on monday"), "{told}");
        refused
    };
    let drawn: Vec<bool> = (0..24).map(|time| ask(7, 0.5, time)).collect();
    assert_eq!(drawn, (0..24).map(|time| ask(7, 0.5, time)).collect::<Vec<_>>());
    let taken = drawn.iter().filter(|taken| **taken).count();
    assert!((4..=20).contains(&taken), "{drawn:?}");
    assert_ne!(drawn, (0..24).map(|time| ask(8, 0.5, time)).collect::<Vec<_>>());
    assert!((0..24).all(|time| ask(7, 1.0, time) && !ask(7, 0.0, time)));
}

#[test]
fn what_cannot_be_understood_is_told() {
    let desk = &mut desk(0.0, 1);
    let (told, answer) = call(desk, "query_taxis", &json!({}));
    assert_eq!((answer.api, &answer.outcome), (None, &Outcome::Malformed));
    for api in Api::ALL {
        assert!(message(&told).contains(api.as_str()), "{told}");
    }
    let (_, answer) = desk.answer(Request { name: "query_hotels", input: "area: north" });
    assert_eq!(answer.outcome, Outcome::Malformed);
    let (told, answer) = call(desk, "query_hotels", &json!({"area": "up", "stars": 6, "x": "\u{1b}[31m"}));
    assert_eq!(answer.outcome, Outcome::Refused);
    assert!(answer.input.is_empty());
    for said in ["centre, north, south, east, west", "0, 1, 2, 3, 4, 5, or any", "its keys are"] {
        assert!(message(&told).contains(said), "{told}");
    }
}

proptest! {
    #[test]
    fn whatever_is_asked_is_answered_in_json(
        name in "query_hotels|book_hotel|book_restaurant|buy_train_tickets|book_taxi|query_trains|.{0,12}",
        key in "name|departure|trainID|area|.{0,5}",
        text in any::<String>(),
        raw in any::<bool>(),
    ) {
        let desk = &mut desk(0.5, 3);
        let input = json!({ &key: &text, "people": 2, "day": "monday", "stay": 2, "destination": &text, "leaveAt": "9:00" });
        let mut input = input;
        if name.starts_with("book_taxi") {
            input = json!({ "departure": "ely", "destination": &text, "leaveAt": "9:00" });
        }
        let input = if raw { text } else { input.to_string() };
        let (text, _) = desk.answer(Request { name: &name, input: &input });
        let value: Value = serde_json::from_str(&text).unwrap();
        prop_assert!(value.get("result").is_some());
    }
}
