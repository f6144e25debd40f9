//! Compares booking with recordings of the original programs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::recordings::{data, oracle};
use rolecall_booking::account::{Account, Booking, Call, Exchange, Outcome};
use rolecall_booking::api::{Api, Domain};
use rolecall_booking::files::read_database;
use rolecall_booking::goal::{Goal, Slots};
use rolecall_booking::score::{Venues, judge};
use serde_json::{Map, Value};

#[test]
fn every_recorded_value_is_reproduced() {
    crate::compared("booking", 3_200);
}

#[derive(serde::Deserialize)]
struct Recorded {
    goals: Map<String, Value>,
    booking_rows: BTreeMap<String, Vec<Slots>>,
    dialog_pred: Vec<BTreeMap<String, Value>>,
    domains: BTreeMap<String, Value>,
}

impl Recorded {
    /// The conversation, with all that was booked in it. The recording does not say in which turn that was.
    fn account(&self) -> Account {
        let booked = self.booking_rows.iter().flat_map(|(domain, rows)| {
            let api = match domain.as_str() {
                "hotel" => Api::BookHotel,
                "restaurant" => Api::BookRestaurant,
                _ => Api::BuyTrainTickets,
            };
            rows.iter().map(move |row| Call {
                name: api.as_str().to_owned(),
                api: Some(api),
                input: Slots::new(),
                outcome: Outcome::Booked(Booking {
                    reference: row["refer_number"].as_str().unwrap().to_owned(),
                    row: row.clone(),
                }),
            })
        });
        let mut calls: Vec<Call> = booked.collect();
        let text = |turn: &BTreeMap<String, Value>, who: &str| {
            let said = turn.get(who).and_then(Value::as_str);
            said.unwrap_or_default().to_owned()
        };
        let exchanges = self.dialog_pred.iter().map(|turn| Exchange {
            user: text(turn, "user"),
            calls: std::mem::take(&mut calls),
            reply: Some(text(turn, "agent")),
        });
        Account { exchanges: exchanges.collect(), farewell: None }
    }
}

/// The log judge beside the verdicts on the answers of a model. They need not agree: a model lets an answer that is
/// missing pass, and misreads others. No call of a taxi was recorded, so that taxis are left out.
#[test]
fn the_log_judge_mostly_agrees_with_the_recorded_verdicts() {
    let (Some(oracle), Some(data)) = (oracle("booking"), data("booking")) else {
        return;
    };
    let venues = Venues::new(Arc::new(read_database(&data).unwrap()));
    let (mut agreed, mut compared) = ([0_u32; 3], [0_u32; 3]);
    let text = std::fs::read_to_string(oracle.join("autotod_dialogues.jsonl")).unwrap();
    for line in text.lines() {
        let case: Recorded = serde_json::from_str(line).unwrap();
        let goal = Goal::read(&case.goals).unwrap();
        let judged = judge(&goal, &case.account(), &venues);
        assert!(judged.unjudged.is_empty());
        for (domain, verdict) in judged.domains.0.iter().filter(|(domain, _)| *domain != Domain::Taxi) {
            let parts = [("inform", verdict.inform), ("success", verdict.success), ("book", verdict.book)];
            for (place, (name, part)) in parts.into_iter().enumerate() {
                let recorded = case.domains[domain.as_str()][name].as_u64();
                assert_eq!(recorded.is_some(), part.is_some());
                if let Some((recorded, part)) = recorded.zip(part) {
                    compared[place] += 1;
                    agreed[place] += u32::from((recorded == 1) == part);
                }
            }
        }
    }
    println!("agreed {agreed:?} of {compared:?}");
    for (agreed, compared) in agreed.into_iter().zip(compared) {
        assert!(f64::from(agreed) >= 0.75 * f64::from(compared), "{agreed} of {compared}");
    }
}
