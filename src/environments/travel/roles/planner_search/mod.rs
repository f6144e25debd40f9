//! The planner who searches: it reads what tools found, and lays out the cheapest trip that meets all constraints, by
//! branch and bound. If there is none, the trip that breaks least.
//!
//! Ways, rooms and attractions of one stay say nothing of those of another, so each is the best of its kind; restaurants
//! are chosen together, because one of them may bring the cuisine that another city lacks.

mod facts;
mod search;
#[cfg(test)]
mod tests;
mod trip;
mod write;

use serde_json::Value;

use super::greedy::shown;
use super::relay;
use crate::domain::{Brief, Move, MoveKind};
use crate::environments::travel::calls::{Call, Tool};
use crate::environments::travel::labels;
use crate::environments::travel::request::Request;
use crate::environments::travel::seen::Seen;
use crate::ports::settings::parameters;
use crate::ports::{Parameter, RoleFactory, RoleSetup, SetupError};
use crate::roles::by_rules;
use facts::{Ride, Sights, rides};
use trip::Trip;

/// Its parameters.
pub(super) const PARAMETERS: &[Parameter] = parameters![
    integer("nodes", Some(100_000), 1..=1_000_000_000),
        "the most choices of restaurants that it compares; the best of them is planned";
];

/// Builds the planner (registry entry `rules`).
pub(super) fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let nodes = setup.parameters.whole("nodes").unwrap_or(1);
    Ok(by_rules::<Seen>(None, move |seen, brief| vec![step(seen, brief, nodes as u64)]))
}

/// A plan, and what is known of it.
pub struct Planned {
    /// The days, as a plan is written.
    pub days: Value,
    /// What it costs in dollars.
    pub price: f64,
    /// Whether all constraints are met, as far as the results tell.
    pub passes: bool,
    /// Whether a plan that does not pass means that none can, as far as the results tell.
    pub proven: bool,
}

/// The best plan for a request by what calls have shown in full; none if there is nothing to visit.
pub fn plan<'s>(request: &Request, shown: &dyn Fn(&Call) -> Option<&'s str>, nodes: u64) -> Option<Planned> {
    let trip = Trip::of(request)?;
    let stays = trip.stays.iter();
    let sights: Vec<Sights> = stays.map(|stay| Sights::of(stay, trip.people, request, shown)).collect();
    let legs = trip.legs.iter();
    let rides: Vec<Vec<Ride>> = legs.map(|leg| rides(leg, &trip, request, shown)).collect();
    let stays = trip.stays.iter().zip(&sights);
    let choice = write::Choice {
        sights: &sights,
        ways: search::ways(&rides),
        rooms: stays.map(|(stay, sights)| search::room(sights, stay.nights())).collect(),
        meals: search::meals(&trip, &sights, request.cuisine.len(), nodes),
    };
    Some(write::planned(&trip, request, &choice))
}

/// The next step: a call whose result is missing, then the plan; laid out as steps where only that is open.
fn step(seen: &Seen, brief: &Brief, nodes: u64) -> Move {
    let open = |kind: MoveKind| brief.open.contains(kind);
    let request = super::request(seen);
    let missing = missing(seen, &request);
    match missing.first() {
        Some(call) if open(MoveKind::Act) => Move::act(call.canonical()),
        _ if open(MoveKind::Finish) => {
            let planned = plan(&request, &|call| shown(seen, call), nodes);
            let answer = planned.map_or(Value::Null, |planned| planned.days);
            Move::Finish { answer: Box::new(answer) }
        }
        _ if open(MoveKind::Plan) => {
            let days = || plan(&request, &|call| shown(seen, call), nodes).map(|planned| planned.days);
            let steps = relay::steps(seen, &request, &missing, || days().unwrap_or_default());
            Move::Plan { steps }
        }
        _ => Move::think("The cheapest trip that meets every wish is to be found."),
    }
}

/// The calls whose results a plan needs, and that nobody made.
fn missing(seen: &Seen, request: &Request) -> Vec<Call> {
    let mut calls = labels::truth(request);
    calls.retain(|call| call.tool() != Tool::Budget && shown(seen, call).is_none());
    calls
}
