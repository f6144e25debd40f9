use serde_json::{Value, json};

use super::super::request::Attribute;
use super::super::score::clarification::asks_for;
use super::super::seen::Seen;
use super::{clarifiers, executors, reader, request};
use rolecall_core::domain::{Message, RoleName, Seat};
use rolecall_core::roles::Knowledge;

/// The view of a seat after these messages, as logs write them.
fn seen(query: &str, messages: &[Value]) -> Seen {
    let mut seen = Seen::default();
    let seat = Seat::Role(RoleName::new("clarifier").unwrap());
    let opened = json!({ "opened": {
        "task": { "id": "1", "kind": "easy", "text": query },
        "cell": "main", "strategy": "cep", "roles": ["clarifier"], "user": "static",
    } });
    for message in [&opened].into_iter().chain(messages) {
        let message: Message = serde_json::from_value(message.clone()).unwrap();
        seen.fold(&message, &seat);
    }
    seen
}

/// A call and what the world shows for it.
fn call(text: &str, shown: &str) -> [Value; 2] {
    let data = match shown.starts_with("Illegal") {
        true => json!({ "status": "tool error", "call": text }),
        false => json!({ "status": "successful", "call": text }),
    };
    [json!({ "perform": { "text": text } }), json!({ "observed": { "text": shown, "data": data } })]
}

fn asked(question: &str, answer: &str) -> [Value; 2] {
    [json!({ "told": { "text": question } }), json!({ "replied": { "text": answer } })]
}

const COMPLETE: &str = "A 5-day travel plan for 2 people from Provo visiting Seattle on day 1 and Boise on day 3, leaving \
    on March 3rd, 2022, with a budget of $900. We require shared rooms. We love French food.";

#[test]
fn what_is_missing_is_asked_for_in_unambiguous_words() {
    let rests = [
        ("", Attribute::Origin),
        ("From Provo.", Attribute::Departure),
        ("From Provo on March 3rd.", Attribute::Days),
        ("From Provo on March 3rd for 5 days.", Attribute::People),
        ("From Provo on March 3rd for 5 days, 2 people.", Attribute::Budget),
        ("From Provo on March 3rd for 5 days, 2 people, $900.", Attribute::Destination),
    ];
    for (query, expected) in rests {
        let (attribute, question) = clarifiers::need(&seen(query, &[])).unwrap();
        assert_eq!(attribute, expected, "{query}");
        assert!(asks_for(&question, attribute), "{question}");
        assert_eq!(reader::about(&question), Some(attribute), "{question}");
    }
    assert_eq!(clarifiers::need(&seen(COMPLETE, &[])), None);
}

/// The request, what the calls came to, and what is asked for.
type Case<'a> = (&'a str, Vec<[Value; 2]>, Option<Attribute>);

#[test]
fn what_cannot_be_met_is_asked_for_once() {
    let no_road = |from: &str, to: &str| {
        call(&format!("DistanceMatrix(\"{from}\", \"{to}\", \"taxi\")"), "No valid information.")
    };
    let no_flight = |from: &str, to: &str| {
        let text = format!("FlightSearch(\"{from}\", \"{to}\", \"2022-03-03\")");
        call(&text, &format!("There is no flight from {from} to {to} on 2022-03-03."))
    };
    let budget = |shown| call("BudgetEstimator(\"Provo\", [\"Seattle\"], [\"2022-03-03\", \"2022-03-05\"], 2)", shown);
    let no_transport = "No valid transportation information is available to estimate the minimum budget.";
    let no_food = "Name\n...\nThere is no French restaurant in this city.";
    let no_room = "There is no accommodation in this city.";
    let cases: Vec<Case<'_>> = vec![
        ("", vec![no_road("Provo", "Seattle"), no_flight("Provo", "Seattle")], Some(Attribute::Destination)),
        ("", vec![no_road("Seattle", "Boise")], None),
        (" No flights.", vec![no_road("Seattle", "Boise"), budget(no_transport)], Some(Attribute::Destination)),
        (" No flights.", vec![no_road("Seattle", "Boise"), budget("$800")], Some(Attribute::Transportation)),
        (" No driving.", vec![no_flight("Seattle", "Boise")], Some(Attribute::Transportation)),
        ("", vec![no_flight("Seattle", "Boise"), budget("$1,000")], Some(Attribute::Budget)),
        ("", vec![call("AccommodationSearch(\"Boise\", [\"shared room\"])", no_room)], Some(Attribute::Housing)),
        ("", vec![call("RestaurantSearch(\"Boise\", [\"French\"])", no_food)], Some(Attribute::Cuisine)),
        ("", vec![call("AttractionSearch(\"Boise\")", "Illegal parameters: no city")], Some(Attribute::Destination)),
    ];
    for (wish, calls, expected) in cases {
        let mut messages = calls.concat();
        let query = format!("{COMPLETE}{wish}");
        let need = clarifiers::need(&seen(&query, &messages));
        assert_eq!(need.as_ref().map(|(attribute, _)| *attribute), expected, "{messages:?}");
        let Some((attribute, question)) = need else {
            continue;
        };
        assert!(asks_for(&question, attribute), "{question}");
        assert_eq!(reader::about(&question), Some(attribute), "{question}");
        // An answer that brings nothing is not asked for again.
        messages.splice(..0, asked(&question, "I have said all that I wish."));
        assert_eq!(clarifiers::need(&seen(&query, &messages)), None, "{question}");
    }
}

#[test]
fn a_question_about_a_stop_is_understood_even_if_its_name_is_not_said() {
    let calls = [
        call("DistanceMatrix(\"Provo\", \"Seattle\", \"taxi\")", "No valid information."),
        call("FlightSearch(\"Provo\", \"Seattle\", \"2022-03-03\")", "There is no flight from Provo to Seattle on x."),
    ];
    let (_, question) = clarifiers::need(&seen(COMPLETE, &calls.concat())).unwrap();
    assert!(!question.contains("Seattle"));
    let known = request(&seen(COMPLETE, &asked(&question, "Tacoma.")));
    assert_eq!(known.cities(), ["Tacoma", "Boise"]);
}

#[test]
fn calls_in_vain_are_left_out() {
    let texts = |seen: &Seen| -> Vec<String> {
        let calls = executors::calls(seen, &request(seen));
        calls.iter().map(|call| call.canonical()).collect()
    };
    let fresh = texts(&seen(COMPLETE, &[]));
    assert!(fresh.iter().any(|text| text.starts_with("BudgetEstimator(")));
    let refused = call(&fresh[0], "Illegal parameters: \"Seattle\" is not a valid city.");
    let left = texts(&seen(COMPLETE, &refused));
    assert!(left.iter().all(|text| !text.contains("Seattle")) && left.len() == 6, "{left:?}");
    // A call about a city that another call found says nothing against the city.
    let messages = [call(&fresh[1], "Name"), refused].concat();
    assert_eq!(texts(&seen(COMPLETE, &messages)), fresh);
    let lesson = format!("It is of no use to call {}", fresh[2]);
    let brief = json!({ "brief": { "open": ["act"], "notation": "tool-action",
        "sections": [{ "name": "lessons", "text": lesson }] } });
    assert_eq!(texts(&seen(COMPLETE, &[brief])).len(), fresh.len() - 1);
}
