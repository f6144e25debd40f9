//! Roles by rules. Each knows what its seat has seen, and the ground truth where the config entrusts it.

pub mod clarifier_rules;
mod clarify;
mod environment_only;
mod execute;
mod executor_rules;
mod greedy;
pub mod planner_search;
mod relay;
#[cfg(test)]
mod rules_tests;

use serde::Deserialize;

use super::labels;
use super::reader;
use super::request::Request;
use super::seen::Seen;
use super::tasks::NAMES;
use super::truth::{Truth, TruthTurn};
use crate::ports::{RoleEntry, RoleFactory, RoleSetup, SetupError};

/// The roles.
pub(super) static ROLES: &[RoleEntry] = &[
    entry(
        "truth",
        &["executor"],
        "performs the calls that the data set has for what is known: by the truth, or else by what was said",
        |_| Ok(execute::factory(labels::truth)),
    ),
    entry(
        "brute-force",
        &["executor"],
        "performs every call that there could be for what is known, with `na` for what is not (Ask-before-Plan)",
        |_| Ok(execute::factory(labels::brute_force)),
    ),
    entry(
        "truth",
        &["clarifier"],
        "asks the next question of the data set, if the seat is entrusted with the truth",
        |_| Ok(clarify::factory()),
    ),
    entry(
        "environment-only",
        &["clarifier"],
        "asks by what tools did not find, and by those that were not called, at random (Ask-before-Plan)",
        |_| Ok(environment_only::factory()),
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
        |_| Ok(executor_rules::factory()),
    ),
    entry(
        "rules",
        &["thinker"],
        "says what is known of the trip, and what is not, where roles work in a relay",
        |_| Ok(relay::thinker()),
    ),
    entry(
        "rules",
        &["clarifier"],
        "asks for what is missing, and for what cannot be met by the results and the estimated budget",
        |_| Ok(clarifier_rules::factory()),
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

/// What is known of the trip: by the truth, or by what was said.
fn request(seen: &Seen) -> Request {
    let known = truth_turn(seen).map(|turn| turn.request);
    known.unwrap_or_else(|| reader::request(seen.query(), &replies(seen)))
}

/// The questions with their answers.
fn replies(seen: &Seen) -> Vec<(String, String)> {
    let pair = |one: &super::seen::Exchange| (one.question.clone(), one.answer.clone());
    seen.exchanges().iter().map(pair).collect()
}
