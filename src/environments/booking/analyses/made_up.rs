//! A conversation for tests, written by hand and judged as the world does.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::account::{Account, Booking, Call, Exchange, Outcome as Came};
use crate::api::Api;
use crate::database::Database;
use crate::goal::{Dialogue, Goal};
use crate::score::{Venues, judge};
use rolecall_core::domain::*;
use rolecall_core::ports::EpisodeLog;

/// Goal of the user: a table in the centre, and a taxi.
pub(crate) fn wanted() -> Value {
    json!({
        "restaurant": {
            "info": { "area": "centre" }, "fail_info": {},
            "book": { "people": "2", "day": "monday", "time": "13:45", "invalid": false }, "fail_book": {},
        },
        "taxi": { "info": { "leaveAt": "09:15" }, "reqt": ["car type", "phone"] },
    })
}

/// The log of a conversation with both bookings and this reply; then the user left.
pub(crate) fn replied<T>(reply: &str, of: impl FnOnce(&EpisodeLog<'_>) -> T) -> T {
    let table =
        json!({ "refer_number": "AB12CD34", "name": "varsity", "people": "2", "day": "monday", "time": "13:45" });
    let taxi = json!({ "leaveAt": "9:15", "type": "red bmw", "phone": "1234567890" });
    let calls = vec![booked(Api::BookRestaurant, "AB12CD34", table), booked(Api::BookTaxi, "1234567890", taxi)];
    let exchanges =
        vec![Exchange { user: "A table in the centre for 2 please.".to_owned(), calls, reply: Some(reply.to_owned()) }];
    let account = Account { exchanges, farewell: Some("Bye.".to_owned()) };
    with(&wanted(), &account, of)
}

/// The log of a conversation about a goal.
pub(crate) fn with<T>(wanted: &Value, account: &Account, of: impl FnOnce(&EpisodeLog<'_>) -> T) -> T {
    let goal = Goal::read(wanted.as_object().unwrap()).unwrap();
    let judged = judge(&goal, account, &venues());
    let dialogue = Dialogue {
        id: "MUL0001".to_owned(),
        goal,
        message: vec!["You want a table.".to_owned(), "And a taxi.".to_owned()],
        first: account.exchanges[0].user.clone(),
    };
    let mut messages = opening(json!({ "profile": "strict" }), &dialogue);
    for (number, exchange) in account.exchanges.iter().enumerate() {
        let data = |call: Value| Some(Box::new(json!({ "turn": number + 1, "state": {}, "call": call })));
        if number > 0 {
            messages.push(Message::Replied(Utterance::text(&exchange.user)));
        }
        messages.push(Message::Observed(Observation::text(&exchange.user)));
        for call in &exchange.calls {
            messages.push(Message::Perform(Action::text(call.name.clone())));
            let seen = Observation { data: data(call.data()), ..Observation::text("{}") };
            messages.push(Message::Observed(seen));
        }
        messages.extend(exchange.reply.iter().map(|reply| Message::Told(Utterance::text(reply))));
    }
    if let Some(farewell) = &account.farewell {
        let leaving = Utterance { leaving: true, ..Utterance::text(farewell) };
        messages.push(Message::Replied(leaving));
    }
    let score = Score { success: judged.is_success(), reward: judged.reward(), detail: judged.detail() };
    log(messages, score, of)
}

/// The log of a conversation in another world.
pub(crate) fn elsewhere<T>(of: impl FnOnce(&EpisodeLog<'_>) -> T) -> T {
    let dialogue =
        Dialogue { id: "other".to_owned(), goal: Goal::default(), message: Vec::new(), first: "Hello".to_owned() };
    let messages = opening(json!({}), &dialogue);
    log(messages, Score::all_or_nothing(true), of)
}

fn booked(api: Api, reference: &str, row: Value) -> Call {
    Call {
        name: api.as_str().to_owned(),
        api: Some(api),
        input: row.as_object().unwrap().clone(),
        outcome: Came::Booked(Booking { reference: reference.to_owned(), row: row.as_object().unwrap().clone() }),
    }
}

fn opening(data: Value, dialogue: &Dialogue) -> Vec<Message> {
    let task = PublicTask { data, ..PublicTask::new(&*dialogue.id, "2 domains", &*dialogue.first) };
    let opened = Message::Opened(Box::new(Opened {
        task: task.into(),
        cell: CellName::new("c").unwrap(),
        strategy: "booking".to_owned(),
        roles: vec![RoleName::new("executor").unwrap()],
        user: Some("agenda".to_owned()),
        fork: None,
        served: None,
    }));
    vec![opened, Message::Entrusted(Box::new(dialogue.private_info()))]
}

fn log<T>(mut messages: Vec<Message>, score: Score, of: impl FnOnce(&EpisodeLog<'_>) -> T) -> T {
    let ending = if score.success { Ending::Solved } else { Ending::Failed };
    let (success, reward) = (score.success, score.reward);
    let scored = Scored { trial: 0, round: 0, ending: ending.clone(), score };
    messages.push(Message::Scored(Box::new(scored)));
    messages.push(Message::Closed(Outcome { ending, success, reward, counts: Counts::default() }));
    let events = Event::numbered(messages);
    let id = "main:0:0".parse().unwrap();
    of(&EpisodeLog::new(&id, events.iter().collect()))
}

fn venues() -> Venues {
    let records = |records: Value| serde_json::from_value(records).unwrap();
    let restaurants = json!([
        {"id": "1", "name": "the varsity restaurant", "area": "centre", "food": "international"},
        {"id": "2", "name": "pizza hut city centre", "area": "west", "food": "italian"},
    ]);
    let tables = [Vec::new(), records(restaurants), Vec::new(), Vec::new()];
    Venues::new(Arc::new(Database::new(tables, Vec::new(), Vec::new())))
}
