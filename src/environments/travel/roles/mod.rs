//! Roles by rules. Each knows what its seat has seen, and the ground truth where the config entrusts it.

mod clarifiers;
mod executors;
mod greedy;
pub mod planner_search;
#[cfg(test)]
mod rules_tests;

use serde::Deserialize;

use super::request::{Attribute, Request};
use super::seen::Seen;
use super::tasks::NAMES;
use super::truth::{Truth, TruthTurn};
use super::{labels, reader};
use rolecall_core::domain::{Move, MoveKind};
use rolecall_core::ports::{RoleEntry, RoleFactory, RoleSetup, SetupError};
use rolecall_core::roles::by_rules;
use rolecall_core::text::joined;

/// The roles.
pub(super) static ROLES: &[RoleEntry] = &[
    entry(
        "truth",
        &["executor"],
        "performs the calls that the data set has for what is known: by the truth, or else by what was said",
        |_| Ok(executors::listed(labels::truth)),
    ),
    entry(
        "brute-force",
        &["executor"],
        "performs every call that there could be for what is known, with `na` for what is not (Ask-before-Plan)",
        |_| Ok(executors::listed(labels::brute_force)),
    ),
    entry(
        "truth",
        &["clarifier"],
        "asks the next question of the data set, if the seat is entrusted with the truth",
        |_| Ok(clarifiers::truth()),
    ),
    entry(
        "environment-only",
        &["clarifier"],
        "asks by what tools did not find, and by those that were not called, at random (Ask-before-Plan)",
        |_| Ok(clarifiers::environment_only()),
    ),
    entry(
        "greedy",
        &["planner"],
        "takes the cheapest way, meals and rooms of each day, whatever the constraints are (Ask-before-Plan)",
        |_| Ok(greedy::factory()),
    ),
    entry(
        "rules",
        &["executor"],
        "makes the calls that fit what was said so far, and none that is known to fail",
        |_| Ok(executors::rules()),
    ),
    entry(
        "rules",
        &["thinker"],
        "says what is known of the trip, and what is not, where roles work in a relay",
        |_| Ok(thinker()),
    ),
    entry(
        "rules",
        &["clarifier"],
        "asks for what is missing, and for what cannot be met by the results and the estimated budget",
        |_| Ok(clarifiers::rules()),
    ),
    RoleEntry {
        name: "rules",
        summary: "searches the cheapest trip that meets all constraints, by branch and bound",
        roles: &["planner"],
        environments: NAMES,
        parameters: planner_search::PARAMETERS,
        build: planner_search::build,
    },
];

/// A line of the table.
const fn entry(
    name: &'static str,
    roles: &'static [&'static str],
    summary: &'static str,
    build: fn(&RoleSetup) -> Result<RoleFactory, SetupError>,
) -> RoleEntry {
    RoleEntry { name, summary, roles, environments: NAMES, parameters: &[], build }
}

/// The truth that a seat is entrusted with.
fn truth(seen: &Seen) -> Option<Truth> {
    Truth::deserialize(seen.truth()?).ok()
}

/// The turn of the truth that the conversation has come to; none for a seat that is not entrusted with it.
fn truth_turn(seen: &Seen) -> Option<TruthTurn> {
    Some(truth(seen)?.turn(&replies(seen)))
}

/// The request as far as it is known: by the truth, or by what was said.
fn request(seen: &Seen) -> Request {
    truth_turn(seen).map(|turn| turn.request).unwrap_or_else(|| reader::request(seen.query(), &replies(seen)))
}

/// The questions with their answers.
fn replies(seen: &Seen) -> Vec<(String, String)> {
    let pair = |one: &super::seen::Exchange| (one.question.clone(), one.answer.clone());
    seen.exchanges().iter().map(pair).collect()
}

/// A factory of thinkers, who say in a relay what is known.
fn thinker() -> RoleFactory {
    by_rules::<Seen>(Some(MoveKind::Think), |seen, _| {
        let (request, nothing) = (request(seen), Request::default());
        let known = Attribute::ALL.into_iter().filter(|attribute| request.get(*attribute) != nothing.get(*attribute));
        let known = joined(known.map(|attribute| attribute.key().replace('_', " ")));
        vec![Move::think(format!("What is known of the trip: {known}."))]
    })
}
