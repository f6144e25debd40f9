//! Tests of a role's decisions after what is said and seen.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::decide::{Step, next};
use super::mind::Mind;
use rolecall_core::domain::{Action, Message, Observation, Seat, Utterance};
use rolecall_core::roles::Knowledge;

/// The steps of a role that reads these texts; calls are answered in order by texts with their data.
fn steps(asks: bool, said: &[&str], seen: &[(&str, Value)]) -> Vec<Step> {
    let hear = |mind: &mut Mind, message: Message| mind.fold(&message, &Seat::Conductor);
    let mut mind = Mind::default();
    let mut seen = seen.iter();
    let mut steps = Vec::new();
    for (place, said) in said.iter().enumerate() {
        match place {
            0 => hear(&mut mind, Message::Observed(Observation::text(*said))),
            _ => hear(&mut mind, Message::Replied(Utterance::text(*said))),
        }
        for _ in 0..6 {
            let step = next(&mind, asks, true);
            let call = step.action.clone();
            let text = step.text.clone();
            steps.push(step);
            let answer = call.is_some().then(|| seen.next()).flatten();
            let (Some(call), Some((shown, data))) = (call, answer) else {
                hear(&mut mind, Message::Told(Utterance::text(text)));
                break;
            };
            hear(&mut mind, Message::Perform(Action::text(call)));
            let observation =
                Observation { data: Some(Box::new(json!({ "call": data }))), ..Observation::text(*shown) };
            hear(&mut mind, Message::Observed(observation));
        }
    }
    steps
}

fn found() -> Value {
    json!({ "outcome": "found" })
}

const TWO: &str = r#"{"result": [
    {"name": "hakka", "area": "north", "food": "chinese", "pricerange": "cheap", "phone": "01223568988"},
    {"name": "bao", "area": "south", "food": "chinese", "pricerange": "cheap"}]}"#;

#[test]
fn who_asks_narrows_confirms_and_asks_for_what_is_missing() {
    let booked = json!({ "outcome": "booked", "booking": { "refer_number": "AB12CD34" } });
    let said = [
        "I want a chinese restaurant.",
        "Any area is fine.",
        "Please book it for 2 people on friday.",
        "At 18:00.",
        "Yes, that is right.",
    ];
    let steps = steps(true, &said, &[(TWO, found()), ("", booked)]);
    let calls: Vec<&str> = steps.iter().filter_map(|step| step.action.as_deref()).collect();
    assert_eq!(
        calls,
        [
            r#"query_restaurants {"area":"any","pricerange":"any","food":"chinese","name":"any"}"#,
            r#"book_restaurant {"name":"hakka","people":"2","day":"friday","time":"18:00"}"#,
        ]
    );
    let texts: Vec<&str> = steps.iter().map(|step| step.text.as_str()).filter(|text| !text.is_empty()).collect();
    assert_eq!(
        texts,
        [
            "There are 2 such restaurants. Could you please tell me which area it should be in?",
            "I found hakka, a cheap restaurant serving chinese food in the north. Shall I book it for you?",
            "Could you please tell me for what time?",
            "Just to confirm, you would like to book hakka for 2 people on friday at 18:00. Is that right?",
            "I booked hakka for 2 people on friday at 18:00. The reference number is AB12CD34. \
             Is there anything else I can help you with?",
        ]
    );
}

#[test]
fn who_assumes_takes_the_first_and_fills_in_the_rest() {
    let booked = json!({ "outcome": "booked", "booking": { "refer_number": "AB12CD34" } });
    let said = ["I want a chinese restaurant.", "Please book it for 2 people."];
    let steps = steps(false, &said, &[(TWO, found()), ("", booked)]);
    let [query, offer, book, told] = &steps[..] else {
        panic!("{steps:?}");
    };
    assert!(query.action.is_some() && offer.text.starts_with("I found hakka"), "{steps:?}");
    assert_eq!(
        book.action.as_deref(),
        Some(r#"book_restaurant {"name":"hakka","people":"2","day":"monday","time":"12:00"}"#)
    );
    assert!(told.text.ends_with("AB12CD34."), "{told:?}");
}

#[test]
fn what_is_asked_is_told_and_what_is_not_known_is_said() {
    let said = ["I want a chinese restaurant in the north.", "Can you tell me its phone number and postcode?"];
    let steps = steps(false, &said, &[(TWO, found())]);
    let told = &steps.last().unwrap().text;
    assert_eq!(told, "For hakka, the phone number is 01223568988 and the postcode is not known.");
}

#[test]
fn where_nothing_is_found_who_asks_looks_for_something_else() {
    let none = ("{\"result\": []}", json!({ "outcome": "nothing" }));
    let said = ["I want a corsica restaurant in the north."];
    let steps = steps(true, &said, &[none, (TWO, found())]);
    assert_eq!(
        steps.last().unwrap().text,
        "Unfortunately, I found no restaurants serving corsica food in the north. There is one serving chinese food. \
         Would you like that instead?",
        "{steps:?}"
    );
}

proptest! {
    #[test]
    fn nothing_that_is_said_or_seen_brings_it_down(
        said in prop::collection::vec("(a |the |my )?(hotel|train|taxi|restaurant|museum|book|any|from|to|another one|yes|[0-9:]{1,5}|.{0,9}){1,7}", 1..6),
        seen in prop::collection::vec((".{0,40}", prop_oneof![
            Just(json!({ "outcome": "booked", "booking": { "phone": 1 } })), Just(json!({ "outcome": "refused" })), Just(json!(null)),
        ]), 0..6),
        asks: bool,
    ) {
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let seen: Vec<(&str, Value)> = seen.iter().map(|(text, data)| (text.as_str(), data.clone())).collect();
        for step in steps(asks, &said, &seen) {
            prop_assert!(step.action.is_some() || !step.text.is_empty());
        }
    }
}
