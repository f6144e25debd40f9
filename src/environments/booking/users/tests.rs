//! Conversations with the user, a turn at a time.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::agenda::Agenda;
use super::{Traits, Verbosity};
use crate::goal::{Goal, Wanted};
use rolecall_core::domain::{Seed, Utterance};

const MANNER: Traits = Traits { patience: 3, verbosity: Verbosity::Chatty, forgetfulness: 0.0, politeness: 0.0 };

fn wanted(goal: &Value, message: &str) -> Wanted {
    Wanted { goal: Goal::read(goal.as_object().unwrap()).unwrap(), message: vec![message.to_owned()] }
}

/// Replies of the user to each of these, after its first words.
fn talk(wanted: &Wanted, traits: Traits, first: &str, said: &[&str]) -> Vec<Utterance> {
    let mut replies: Vec<Utterance> = Vec::new();
    for count in 1..=said.len() {
        let mut agenda = Agenda::new(wanted, traits, Seed(1));
        agenda.began(first);
        for (place, said) in said[..count].iter().enumerate() {
            agenda.hear(said);
            if let Some(reply) = replies.get(place) {
                agenda.said(&reply.text);
            }
        }
        replies.push(agenda.reply(Seed(1)).unwrap());
    }
    replies
}

fn texts(replies: &[Utterance]) -> Vec<&str> {
    replies.iter().map(|reply| reply.text.as_str()).collect()
}

fn restaurant() -> Value {
    json!({ "restaurant": {
        "info": { "food": "chinese", "area": "north" },
        "fail_info": { "food": "corsica", "area": "north" },
        "book": { "people": "2", "day": "friday", "time": "18:00", "invalid": false, "pre_invalid": true },
        "fail_book": { "time": "19:00" },
    } })
}

#[test]
fn the_first_request_and_booking_go_before_their_fallbacks() {
    let wanted = wanted(&restaurant(), "");
    let said = [
        "What kind of food would you like, and in which area?",
        "Unfortunately, I found no restaurants serving corsica food in the north.",
        "I found hakka, a cheap restaurant serving chinese food in the north. Shall I book it for you?",
        "Unfortunately, hakka could not be booked: there is no table left.",
        "I booked hakka for 2 people on friday at 18:00. The reference number is AB12CD34.",
    ];
    let replies = talk(&wanted, MANNER, "I need a restaurant.", &said);
    assert_eq!(
        texts(&replies),
        [
            "In the north with corsica food.",
            "Then I want one with chinese food.",
            "Yes, please book it for 2 people on friday at 19:00.",
            "Please book it at 18:00.",
            "That is all. Goodbye.",
        ]
    );
    let last = replies.last().unwrap();
    assert!(last.leaving && last.satisfied);
}

#[test]
fn what_is_misunderstood_is_corrected_and_what_does_not_matter_is_said() {
    let wanted = wanted(&restaurant(), "");
    let said = [
        "Just to confirm, you are looking for a restaurant in the south. Is that right?",
        "Which price range do you prefer?",
    ];
    let replies = talk(&wanted, MANNER, "a restaurant", &said);
    assert_eq!(
        texts(&replies),
        ["No, I want it in the north.", "Any price range is fine. I want one with corsica food."]
    );
}

#[test]
fn a_taxi_goes_between_the_places_of_the_other_wishes() {
    let goal = json!({
        "hotel": { "info": { "name": "acorn" }, "reqt": ["phone"] },
        "attraction": { "info": { "name": "nusha" }, "reqt": ["postcode"] },
        "taxi": { "info": { "leaveAt": "24:30" }, "reqt": ["car type", "phone"] },
    });
    let wanted = wanted(&goal, "You want to leave the attraction by 24:30");
    let said = [
        "I found acorn, a hotel. The phone number is 01223353888.",
        "I found nusha. Its postcode is cb12ab.",
        "Just to confirm, a taxi from nusha to acorn, leaving at 00:30. Shall I book it?",
        "I booked a red skoda. The contact number is 0123456789.",
    ];
    let replies = talk(&wanted, MANNER, "a hotel called acorn", &said);
    assert_eq!(
        texts(&replies),
        [
            "I am looking for an attraction called nusha.",
            "I need a taxi from the attraction to the hotel leaving after 24:30.",
            "Yes, please book it.",
            "That is all. Goodbye.",
        ]
    );
}

#[test]
fn patience_ends_and_who_is_terse_says_one_thing_at_a_time() {
    let terse = Traits { verbosity: Verbosity::Terse, patience: 2, ..MANNER };
    let wanted = wanted(&restaurant(), "");
    let said = ["Hm.", "Hm.", "Hm.", "Hm.", "Hm."];
    let replies = talk(&wanted, terse, "a restaurant", &said);
    assert_eq!(replies[0].text, "I want one with corsica food.");
    assert_eq!(replies[1].text, "I want one in the north.");
    let last = replies.last().unwrap();
    assert!(last.leaving && !last.satisfied, "{replies:?}");
}

#[test]
fn what_is_forgotten_is_said_when_it_is_asked() {
    let forgetful = Traits { forgetfulness: 1.0, ..MANNER };
    let wanted = wanted(&restaurant(), "");
    let said = ["Hello.", "Which area should it be in?"];
    let replies = talk(&wanted, forgetful, "a restaurant", &said);
    assert_eq!(texts(&replies), ["What do you have?", "In the north."]);
}

fn slots() -> impl Strategy<Value = Value> {
    let slot =
        prop_oneof![Just("area".to_owned()), Just("name".to_owned()), Just("stay".to_owned()), "[a-zé\" ]{0,8}",];
    let value =
        prop_oneof![any::<String>().prop_map(Value::from), Just(json!(true)), Just(json!(null)), Just(json!(["x"]))];
    prop::collection::btree_map(slot, value, 0..4).prop_map(|slots| json!(slots))
}

proptest! {
    #[test]
    fn no_goal_and_no_words_bring_it_down(
        info in slots(), fail in slots(), book in slots(), request in ".{0,12}", first in ".{0,60}",
        said in prop::collection::vec(".{0,80}", 1..6), seed: u64,
    ) {
        let part = json!({ "info": info, "fail_info": fail, "book": book, "fail_book": fail, "reqt": [request, "phone"] });
        let goal = json!({ "hotel": part, "train": part, "taxi": { "info": {}, "reqt": ["car type"] }, "spaceport": {} });
        let wanted = wanted(&goal, &first);
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        for verbosity in [Verbosity::Terse, Verbosity::Chatty] {
            let traits = Traits { verbosity, forgetfulness: 0.5, politeness: 0.5, ..MANNER };
            let replies = talk(&wanted, traits, &first, &said);
            prop_assert_eq!(&replies, &talk(&wanted, traits, &first, &said));
            prop_assert!(replies.iter().all(|reply| !reply.text.is_empty()), "{}", seed);
        }
    }
}
