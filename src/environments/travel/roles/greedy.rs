//! The greedy planner, who looks up what its plan is made of first.

use serde_json::Value;

use super::{request, truth};
use crate::calls::Call;
use crate::greedy::{Day, Found, days, plan};
use crate::request::Draws;
use crate::seen::Seen;
use crate::tools::table::{Printed, read_table};
use rolecall_core::domain::{Brief, Move, MoveKind, PlanStep};
use rolecall_core::ports::RoleFactory;
use rolecall_core::roles::by_rules;

/// A factory of greedy planners.
pub(super) fn factory() -> RoleFactory {
    by_rules::<Seen>(None, |seen, brief| vec![step(seen, brief)])
}

fn step(seen: &Seen, brief: &Brief) -> Move {
    let open = |kind: MoveKind| brief.open.contains(kind);
    let days = days(&request(seen)).unwrap_or_default();
    let missing: Vec<Call> = days.iter().flat_map(calls).filter(|call| shown(seen, call).is_none()).collect();
    match missing.first() {
        Some(call) if open(MoveKind::Act) => Move::act(call.canonical()),
        None if open(MoveKind::Finish) => {
            let answer = if days.is_empty() { Value::Null } else { planned(seen, &days) };
            Move::Finish { answer: Box::new(answer) }
        }
        _ if open(MoveKind::Plan) => {
            let steps = missing.iter().chain([&Call::Finish]);
            Move::Plan { steps: steps.map(|call| PlanStep::of(call.canonical())).collect() }
        }
        _ => Move::think("The cheapest of everything will do."),
    }
}

/// The calls that the plan of a day is made of.
fn calls(day: &Day) -> Vec<Call> {
    let city = || day.city.clone();
    let mut calls = Vec::new();
    if let Some((origin, date)) = &day.from {
        let (origin, destination) = (origin.clone(), city());
        calls.push(Call::Flight { origin: origin.clone(), destination: destination.clone(), date: date.clone() });
        calls.extend(["self-driving", "taxi"].map(|mode| Call::Distance {
            origin: origin.clone(),
            destination: destination.clone(),
            mode: mode.to_owned(),
        }));
    }
    calls.push(Call::Restaurant { city: city(), cuisines: Vec::new() });
    calls.push(Call::Attraction { city: city() });
    if !day.last {
        calls.push(Call::Accommodation { city: city(), filters: Vec::new() });
    }
    calls
}

/// The result of a call, in full.
pub(super) fn shown<'s>(seen: &'s Seen, call: &Call) -> Option<&'s str> {
    let (description, text) = (call.description(), call.canonical());
    let collected = seen.collected().into_iter().flatten().find(|(of, _)| *of == description).map(|(_, text)| text);
    let looked_up = || seen.enquiries().iter().find(|enquiry| enquiry.action.text == text);
    collected.or_else(|| looked_up().map(|enquiry| &enquiry.shown)).map(String::as_str)
}

/// The plan of these days, whose calls have all been shown.
fn planned(seen: &Seen, days: &[Day]) -> Value {
    let draws = truth(seen).map_or(0, |truth| truth.draws);
    let found: Vec<Found> = days.iter().map(|day| found(seen, day)).collect();
    plan(days, &found, &mut Draws::after(draws)).plan.into()
}

/// The offers for a day, by the results.
fn found(seen: &Seen, day: &Day) -> Found {
    let mut found = Found::default();
    for call in calls(day) {
        let Some(shown) = shown(seen, &call) else {
            continue;
        };
        let table = read_table(shown);
        let offers = |name, price| offers(table.as_ref(), name, price);
        match &call {
            Call::Distance { mode, .. } if mode == "taxi" => found.taxi = cost(shown),
            Call::Distance { .. } => found.self_driving = cost(shown),
            Call::Flight { .. } => found.flights = offers("Flight Number", "Price"),
            Call::Restaurant { .. } => found.restaurants = offers("Name", "Average Cost"),
            Call::Accommodation { .. } => found.accommodations = offers("NAME", "price"),
            _ => {
                let names = table.iter().flat_map(|table| table.column("Name"));
                found.attractions = names.map(str::to_owned).collect();
            }
        }
    }
    found
}

/// The rows of a table as names with prices.
fn offers(table: Option<&Printed>, name: &str, price: &str) -> Vec<(String, f64)> {
    table
        .map(|table| table.column(name).zip(table.column(price)))
        .into_iter()
        .flatten()
        .filter_map(|(name, price)| Some((name.to_owned(), price.parse().ok()?)))
        .collect()
}

/// The cost of a way by road, if it can be taken.
fn cost(shown: &str) -> Option<f64> {
    shown.rsplit_once("cost: ")?.1.parse().ok()
}
