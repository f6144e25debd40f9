//! Conversations written by hand, in a small city, where right and wrong answers flip each part.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::account::{Call, Exchange, Outcome};
use crate::api::Api;
use crate::database::Database;

fn venues() -> Venues {
    let records = |records: Value| serde_json::from_value(records).unwrap();
    Venues::new(Arc::new(Database::new(
        [
            records(json!([
                {"id": "0", "name": "ashley hotel", "area": "north", "stars": "2", "internet": "yes", "parking": "no",
                    "phone": "01223350059", "postcode": "cb41er", "address": "74 chesterton road", "type": "hotel",
                    "pricerange": "moderate"},
            ])),
            records(json!([
                {"id": "1", "name": "the varsity restaurant", "area": "centre", "food": "international",
                    "pricerange": "moderate", "phone": "01223356060", "postcode": "cb23ar",
                    "address": "35 Saint Andrews Street"},
                {"id": "2", "name": "pizza hut", "area": "centre", "food": "italian", "pricerange": "cheap",
                    "postcode": "cb21ab", "address": "Regent Street"},
                {"id": "3", "name": "pizza hut city centre", "area": "west", "food": "italian",
                    "pricerange": "cheap", "phone": "01223323737", "postcode": "cb21ab", "address": "Regent Street"},
            ])),
            records(json!([
                {"id": "1", "name": "the place", "area": "centre", "type": "nightclub", "phone": "01223324222",
                    "entrance fee": "?", "postcode": "cb21ha", "address": "22 sidney street"},
                {"id": "2", "name": "kambar", "area": "east", "type": "nightclub", "phone": "01223842725",
                    "entrance fee": "5 pounds", "postcode": "cb13nx", "address": "1 wheeler street"},
            ])),
            records(json!([
                {"trainID": "TR0001", "day": "monday", "departure": "ely", "destination": "cambridge",
                    "leaveAt": "09:35", "arriveBy": "09:52", "price": "4.40 pounds", "duration": "17 minutes"},
                {"trainID": "TR0001", "day": "sunday", "departure": "ely", "destination": "cambridge",
                    "leaveAt": "11:35", "arriveBy": "11:52", "price": "3.52 pounds", "duration": "17 minutes"},
                {"trainID": "TR0002", "day": "sunday", "departure": "ely", "destination": "cambridge",
                    "leaveAt": "13:35", "arriveBy": "13:52", "price": "3.52 pounds", "duration": "17 minutes"},
            ])),
        ],
        Vec::new(),
        Vec::new(),
    )))
}

fn goal(goal: Value) -> Goal {
    Goal::read(goal.as_object().unwrap()).unwrap()
}

/// A conversation: replies, each after bookings.
fn account(exchanges: &[(&[(Api, Value)], &str)]) -> Account {
    let exchanges = exchanges.iter().map(|(booked, reply)| {
        let calls = booked.iter().map(|(api, row)| {
            let row: Slots = serde_json::from_value(row.clone()).unwrap();
            let reference =
                row.get("refer_number").or_else(|| row.get("phone")).and_then(Value::as_str).unwrap_or_default();
            Call {
                name: api.as_str().to_owned(),
                api: Some(*api),
                input: Slots::new(),
                outcome: Outcome::Booked(Booking { reference: reference.to_owned(), row: row.clone() }),
            }
        });
        Exchange { user: "hello".to_owned(), calls: calls.collect(), reply: Some((*reply).to_owned()) }
    });
    Account { exchanges: exchanges.collect(), farewell: None }
}

/// The verdict on a goal of one domain, as `ISB`: a letter for a part that was reached, `-` for one that was not,
/// and nothing for one that is not asked for.
fn parts(wanted: Value, exchanges: &[(&[(Api, Value)], &str)]) -> String {
    let judged = judge(&goal(wanted), &account(exchanges), &venues());
    assert!(judged.unjudged.is_empty());
    let (_, verdict) = judged.domains.0[0];
    let parts = [(verdict.inform, 'I'), (verdict.success, 'S'), (verdict.book, 'B')];
    let parts = parts.into_iter().filter_map(|(part, letter)| part.map(|is| if is { letter } else { '-' }));
    let parts: String = parts.collect();
    assert_eq!(judged.is_success(), !parts.contains('-'));
    parts
}

/// Verdict on a conversation in which nothing was booked.
fn of_replies(wanted: &Value, replies: &[&str]) -> String {
    let exchanges: Vec<(&[(Api, Value)], &str)> = replies.iter().map(|reply| (&[][..], *reply)).collect();
    parts(wanted.clone(), &exchanges)
}

#[test]
fn what_was_told_of_the_venue_that_was_named_last_counts() {
    let wanted =
        json!({ "restaurant": { "info": { "area": "centre" }, "fail_info": {}, "reqt": ["phone", "postcode"] } });
    for (replies, expected) in [
        (&["The Varsity: 01223 356060, CB2 3AR."][..], "IS"),
        (&["The varsity restaurant is nice.", "Its number is 01223356060, postcode cb2 3ar"], "IS"),
        (&["Varsity's phone is 01223356060."], "I-"),
        (&["The phone of the varsity is 01223356061, cb23ar"], "I-"),
        // What was said before its name is about something else.
        (&["Number 01223356060, cb23ar.", "Try Varsity."], "I-"),
        // The longer name is another venue, in the west.
        (&["The Varsity: 01223 356060, CB2 3AR.", "Or Pizza Hut City Centre?"], "--"),
        // It has no phone to tell.
        (&["Pizza Hut, CB2 1AB"], "IS"),
        (&["Pizza Hut"], "I-"),
        (&["none", "not mentioned"], "--"),
        (&[""], "--"),
    ] {
        assert_eq!(of_replies(&wanted, replies), expected, "{replies:?}");
    }
}

#[test]
fn everyday_words_are_names_with_a_capital_or_where_nothing_else_is() {
    let wanted = json!({ "attraction": { "info": { "area": "centre" }, "reqt": ["entrance fee"] } });
    for (replies, expected) in [
        (&["I like The Place."][..], "IS"),
        (&["kambar is good", "the place is in the east"], "--"),
        (&["try the place"], "IS"),
        (&["Kambar is in the east, close to Gonville Place"], "--"),
        (&["Kambar takes £5", "Then go to The Place"], "IS"),
    ] {
        assert_eq!(of_replies(&wanted, replies), expected, "{replies:?}");
    }
}

#[test]
fn a_venue_is_found_by_the_name_that_the_goal_has_for_it() {
    for name in ["the varsity restaurant", "Varsity", "varsity restaurant"] {
        let wanted = json!({ "restaurant": { "info": { "name": name }, "reqt": ["area"] } });
        let told: &[(&[(Api, Value)], &str)] = &[(&[], "The Varsity Restaurant is in the centre.")];
        assert_eq!(parts(wanted, told), "IS", "{name}");
    }
}

#[test]
fn a_booking_counts_if_it_fits_and_the_user_was_told_its_reference() {
    let wanted = |info: Value, fail_book: Value| {
        json!({ "restaurant": {
            "info": info, "book": { "people": "2", "day": "monday", "time": "13:45", "invalid": false },
            "fail_book": fail_book,
        } })
    };
    let row = |name: &str, time: &str, number: &str| {
        let row = json!({ "refer_number": number, "name": name, "people": "2", "day": "monday", "time": time });
        (Api::BookRestaurant, row)
    };
    let centre = json!({ "area": "centre" });
    let booked = [row("varsity", "13:45", "AB12CD34")];
    let told = "Done, your reference is AB12CD34.";
    let of = |info: &Value, fail_book: Value, calls: &[(Api, Value)], reply: &str| {
        parts(wanted(info.clone(), fail_book), &[(calls, reply)])
    };
    assert_eq!(of(&centre, json!({}), &booked, told), "IB");
    assert_eq!(of(&centre, json!({}), &booked, "Done at the Varsity."), "I-");
    assert_eq!(of(&centre, json!({}), &booked, "Done, ab12cd34"), "IB");
    assert_eq!(of(&centre, json!({}), &booked, "Done, AB12CD35"), "--");
    assert_eq!(of(&json!({ "area": "west" }), json!({}), &booked, told), "--");
    // The reference decides, not the name.
    assert_eq!(of(&centre, json!({}), &booked, "Pizza Hut City Centre is booked: AB12CD34"), "IB");
    let late = [row("varsity", "14:45", "AB12CD34")];
    assert_eq!(of(&centre, json!({}), &late, told), "I-");
    assert_eq!(of(&centre, json!({ "time": "14:45" }), &late, told), "IB");
    // Nothing else is allowed: the booking is wrong, and the dialogue counts.
    assert_eq!(of(&centre, Value::Null, &late, told), "I-");
    // Of two the one told last.
    let both = [row("varsity", "13:45", "AB12CD34"), row("pizza hut", "18:00", "ZZ12CD34")];
    assert_eq!(of(&centre, json!({}), &both, "ZZ12CD34, no, AB12CD34"), "IB");
    assert_eq!(of(&centre, json!({}), &both, "AB12CD34, no, ZZ12CD34"), "I-");
}

#[test]
fn trains_are_known_by_their_ids_or_by_what_is_told_of_them() {
    let info = json!({ "departure": "ely", "destination": "cambridge", "day": "sunday", "leaveAt": "11:00" });
    let wanted = |reqt: Value| json!({ "train": { "info": info, "reqt": reqt } });
    for (reqt, reply, expected) in [
        (json!(["trainID", "price"]), "TR0001 for £3.52", "IS"),
        (json!(["trainID", "price"]), "TR0001 for £4.40", "--"),
        (json!(["price", "duration"]), "One for 3.52 pounds takes 17 minutes.", "IS"),
        (json!(["trainID"]), "One for 3.52 pounds takes 17 minutes.", "--"),
        (json!(["arriveBy"]), "TR0001", "--"),
        (json!(["arriveBy", "leaveAt"]), "TR0001, from 11:35 to 11:52", "IS"),
        (json!(["leaveAt"]), "TR0001", "--"),
        (json!(["arriveBy"]), "It arrives at 13:52", "IS"),
        (json!(["arriveBy"]), "It arrives at 09:52", "--"),
        (json!(["trainID"]), "", "--"),
    ] {
        assert_eq!(parts(wanted(reqt.clone()), &[(&[], reply)]), expected, "{reqt} {reply}");
    }
    let booked = |id: &str, tickets: &str| {
        [(Api::BuyTrainTickets, json!({ "refer_number": "AB12CD34", "trainID": id, "tickets": tickets }))]
    };
    let wanted = json!({ "train": { "info": info, "book": { "people": "3" } } });
    let of = |id: &str, tickets: &str, reply: &str| parts(wanted.clone(), &[(&booked(id, tickets), reply)]);
    assert_eq!(of("tr0002", "3", "Reference AB12CD34"), "IB");
    assert_eq!(of("tr0002", "2", "Reference AB12CD34"), "I-");
    assert_eq!(of("tr0002", "3", "Tickets for TR0002 are bought"), "--");
    assert_eq!(of("", "3", "Reference AB12CD34"), "--");
}

#[test]
fn a_taxi_is_as_it_was_booked_and_known_by_what_was_told() {
    let wanted = json!({ "taxi": {
        "info": { "departure": "the varsity restaurant", "leaveAt": "09:15" }, "reqt": ["car type", "phone"],
    } });
    let taxi = |departure: &str, time: &str, phone: &str| {
        let row = json!({ "departure": departure, "leaveAt": time, "type": "red bmw", "phone": phone });
        (Api::BookTaxi, row)
    };
    let one = [taxi("Varsity Restaurant", "9:15", "0123456789")];
    let of = |booked: &[(Api, Value)], reply: &str| parts(wanted.clone(), &[(booked, reply)]);
    assert_eq!(of(&one, "A Red BMW, call 0123 456 789."), "IS");
    assert_eq!(of(&one, "A red BMW is on its way."), "I-");
    assert_eq!(of(&one, "Call 0123456789."), "I-");
    assert_eq!(of(&[taxi("ely", "9:15", "0123456789")], "A red BMW, 0123456789"), "--");
    assert_eq!(of(&[taxi("varsity", "9:20", "0123456789")], "A red BMW, 0123456789"), "--");
    assert_eq!(of(&[], "A red BMW, 0123456789"), "--");
    let two = [taxi("varsity", "9:15", "0123456789"), taxi("ely", "9:15", "9999999999")];
    assert_eq!(of(&two, "A red BMW, 0123456789"), "IS");
}

#[test]
fn facilities_are_told_and_what_is_over_many_domains_needs_all() {
    let wanted = json!({
        "taxi": { "info": { "leaveAt": "09:15" } },
        "hotel": { "info": { "area": "north" }, "reqt": ["internet", "parking", "stars"] },
        "police": { "reqt": ["phone"] },
    });
    let judge = |reply: &str| {
        let taxi = (Api::BookTaxi, json!({ "leaveAt": "09:15", "phone": "1" }));
        judge(&goal(wanted.clone()), &account(&[(&[taxi], reply)]), &venues())
    };
    let judged = judge("The Ashley is a 2 star hotel. It has wifi, but no parking.");
    assert!(judged.is_success() && judged.left_out);
    assert_eq!(judged.domains.0.iter().map(|(domain, _)| *domain).collect::<Vec<_>>(), [Domain::Hotel, Domain::Taxi]);
    assert_eq!(judged.detail()["answers"]["hotel"]["parking"], "no");
    assert!(!judge("The Ashley is a 2 star hotel. It has wifi and parking.").is_success());
    // Half of `inform`, and none of the rest.
    assert_eq!(judge("The Ashley").reward(), 0.5);
    let none = super::judge(&Goal::default(), &Account::default(), &venues());
    assert_eq!((none.is_success(), none.reward()), (false, 0.0));
}

/// One of these words.
fn one_of(words: &'static str) -> impl Strategy<Value = String> {
    let words: Vec<&str> = words.split(", ").collect();
    proptest::sample::select(words).prop_map(str::to_owned)
}

/// Values that goals, bookings and replies could have.
fn value() -> impl Strategy<Value = Value> {
    let known = "the place, varsity, tr0001, AB12CD34, 9:15, none, sunday, centre, pizza hut, ?";
    prop_oneof![
        "\\PC{0,8}".prop_map(Value::from),
        one_of(known).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
    ]
}

fn slots() -> impl Strategy<Value = Slots> {
    let keys = "name, area, day, leaveAt, arriveBy, refer_number, trainID, tickets, people, phone, type, \
                departure, entrance fee, x";
    let pairs = proptest::collection::vec((one_of(keys), value()), 0..5);
    pairs.prop_map(|pairs| pairs.into_iter().collect())
}

proptest! {
    #[test]
    fn no_goal_and_no_conversation_makes_it_fail(
        wanted in proptest::collection::vec(
            (
                0..Domain::ALL.len(), slots(), proptest::option::of(slots()), proptest::option::of(slots()),
                proptest::option::of(slots()),
            ), 0..4,
        ),
        said in proptest::collection::vec((0..Api::ALL.len(), slots(), proptest::option::of(value())), 0..5),
    ) {
        let domains = wanted.into_iter().map(|(domain, info, fail_info, book, fail_book)| {
            let reqt = Some(info.keys().cloned().collect());
            (Domain::ALL[domain], DomainGoal { info, fail_info, reqt, book, fail_book })
        });
        let goal = Goal { domains: domains.collect(), has_others: false };
        let exchanges = said.into_iter().map(|(api, row, reply)| Exchange {
            calls: account(&[(&[(Api::ALL[api], Value::Object(row))], "")]).exchanges[0].calls.clone(),
            reply: reply.map(|reply| reply.as_str().map_or_else(|| reply.to_string(), str::to_owned)),
            ..Exchange::default()
        });
        let account = Account { exchanges: exchanges.collect(), farewell: None };
        let judged = judge(&goal, &account, &venues());
        prop_assert!((0.0..=1.0).contains(&judged.reward()));
        prop_assert!(!judged.is_success() || (judged.reward() - 1.0).abs() < 1e-9);
        judged.detail();
    }
}
