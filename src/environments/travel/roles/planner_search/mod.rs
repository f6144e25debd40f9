//! The planner who searches: it reads what tools found, and lays out the cheapest trip that meets all constraints, by
//! branch and bound. If there is none, the trip that breaks least.
//!
//! Ways, rooms and attractions of one stay say nothing of those of another, so each is the best of its kind;
//! restaurants are chosen together, because one of them may bring the cuisine that another city lacks.

mod facts;
mod search;
#[cfg(test)]
mod tests;
mod write;

use serde_json::{Value, json};

use super::executors;
use super::greedy::shown;
use crate::calls::{Call, Tool};
use crate::labels;
use crate::request::Request;
use crate::seen::{COLLECT, PLAN, Seen};
use facts::{Ride, Sights, Trip, rides};
use rolecall_core::domain::{Action, Brief, Call as ToolCall, Move, MoveKind, PlanStep};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, RoleFactory, RoleSetup, SetupError};
use rolecall_core::roles::by_rules;

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
    /// Its cost in dollars.
    pub price: f64,
    /// Whether all constraints are met, as far as the results tell.
    pub passes: bool,
    /// Whether a plan that does not pass means that none can, as far as the results tell.
    pub proven: bool,
}

/// The best plan for a request by what calls have shown in full; none if there is nothing to visit.
pub fn plan<'s>(request: &Request, shown: &dyn Fn(&Call) -> Option<&'s str>, nodes: u64) -> Option<Planned> {
    let trip = Trip::of(request)?;
    let sights: Vec<Sights> = trip.stays.iter().map(|stay| Sights::of(stay, trip.people, request, shown)).collect();
    let rides: Vec<Vec<Ride>> = trip.legs.iter().map(|leg| rides(leg, &trip, request, shown)).collect();
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
            let steps = steps(seen, &request, &missing, || days().unwrap_or_default());
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

/// The next steps in a relay: calls as long as there are some that nobody has made, but no further ones when all is
/// clear; the collection of their results; calls whose results are missing then; the plan.
fn steps(seen: &Seen, request: &Request, missing: &[Call], plan: impl FnOnce() -> Value) -> Vec<PlanStep> {
    let is_clear = seen.unclear() == Some(false) && !seen.results().is_empty();
    let mut calls = executors::calls(seen, request);
    calls.retain(|call| !seen.chain().contains(&call.canonical()));
    match seen.collected() {
        None if !is_clear && !calls.is_empty() => listed(&calls),
        None => {
            let calls: Vec<&str> = seen.results().iter().map(|(call, _)| call.as_str()).collect();
            vec![called("Collect()".to_owned(), COLLECT, json!({ "calls": calls }))]
        }
        Some(_) if !missing.is_empty() => listed(missing),
        Some(_) => {
            let days = plan();
            vec![called(format!("Plan({days})"), PLAN, json!({ "plan": days }))]
        }
    }
}

fn listed(calls: &[Call]) -> Vec<PlanStep> {
    calls.iter().map(|call| PlanStep::of(call.canonical())).collect()
}

/// A step that no call of the country's tools is.
fn called(text: String, tool: &str, arguments: Value) -> PlanStep {
    let tool = tool.to_owned();
    let call = Some(Box::new(ToolCall { tool, arguments }));
    PlanStep { action: Action { text, call }, ..PlanStep::of("") }
}
