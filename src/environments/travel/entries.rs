//! The registry's entries of travel.

use super::data::TOOLS;
use super::formats::FORMATS;
use super::metrics::{METRICS, QUESTIONS};
use super::roles::ROLES;
use super::tasks::{NAME, NAMES};
use super::users::USERS;
use super::words::TravelWords;
use super::{strategy, tasks};
use rolecall_core::ports::{Cast, EnvironmentEntry, StrategyBuild, StrategyEntry, UserNeed};
use rolecall_core::world::WorldEntry;

/// Everything of travel.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: ENVIRONMENTS,
    roles: ROLES,
    users: USERS,
    strategies: STRATEGIES,
    formats: FORMATS,
    metrics: METRICS,
    questions: QUESTIONS,
    data: TOOLS,
    ..WorldEntry::EMPTY
};

static ENVIRONMENTS: &[EnvironmentEntry] = &[EnvironmentEntry {
    name: NAME,
    summary: "trips to be planned from requests that lack details or cannot be met: look up hotels, restaurants, \
              sights and ways by tools, have the user clarify, and deliver a plan (Ask-before-Plan on TravelPlanner's \
              tools)",
    parameters: tasks::PARAMETERS,
    words: &TravelWords,
    build: tasks::build,
}];

static STRATEGIES: &[StrategyEntry] = &[StrategyEntry {
    name: "cep",
    summary: "calls tools, judges whether something has to be clarified, asks or plans, turn by turn (Ask-before-Plan)",
    environments: NAMES,
    roles: Cast::Fixed(strategy::ROLES),
    user: UserNeed::Optional,
    parameters: strategy::PARAMETERS,
    build: StrategyBuild::Alone(strategy::build),
}];
