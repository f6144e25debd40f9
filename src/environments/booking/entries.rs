//! The registry's entries of booking.

use super::analyses::ANALYSES;
use super::analyses::judged::QUESTIONS;
use super::formats::FORMATS;
use super::metrics::METRICS;
use super::tasks::{NAME, NAMES};
use super::words::BookingWords;
use super::{data, roles, strategy, tasks, users};
use rolecall_core::domain::UserSees;
use rolecall_core::ports::{Cast, EnvironmentEntry, RoleEntry, StrategyBuild, StrategyEntry, UserEntry, UserNeed};
use rolecall_core::world::WorldEntry;

/// Everything of booking.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: ENVIRONMENTS,
    roles: ROLES,
    users: USERS,
    strategies: STRATEGIES,
    formats: FORMATS,
    metrics: METRICS,
    analyses: ANALYSES,
    questions: QUESTIONS,
    data: data::TOOLS,
    ..WorldEntry::EMPTY
};

static ENVIRONMENTS: &[EnvironmentEntry] = &[EnvironmentEntry {
    name: NAME,
    summary: "a city with hotels, restaurants, attractions, trains and taxis: answer a user's questions about it and \
              book what is wanted, by calls (MultiWOZ as ReSpAct and AutoTOD use it)",
    parameters: tasks::PARAMETERS,
    words: &BookingWords,
    build: tasks::build,
}];

/// The executor, with the settings that it shares with the other roles.
const EXECUTOR: RoleEntry = RoleEntry {
    name: "rules",
    summary: "finds what the user wants, tells and books it; confirms and asks for what is missing, or assumes it",
    roles: &["executor"],
    environments: NAMES,
    parameters: roles::PARAMETERS,
    build: roles::build,
};

static ROLES: &[RoleEntry] = &[
    EXECUTOR,
    RoleEntry {
        summary: "says what is known of the user's wishes, and what is to be done",
        roles: &["thinker"],
        build: roles::build_thinker,
        ..EXECUTOR
    },
    RoleEntry {
        summary: "judges whether the user has to hear something now, and says it",
        roles: &["clarifier"],
        build: roles::build_clarifier,
        ..EXECUTOR
    },
    RoleEntry { summary: "lays out the next call", roles: &["planner"], build: roles::build_planner, ..EXECUTOR },
];

/// The user with an agenda, with the settings that it shares with the other users.
const AGENDA: UserEntry = UserEntry {
    name: "agenda",
    summary: "says its goal bit by bit, answers, corrects what was misunderstood, asks, books, and leaves when all is done",
    environments: NAMES,
    tasks: &[],
    sees: UserSees::Dialogue,
    parameters: users::PARAMETERS,
    build: users::build,
};

static USERS: &[UserEntry] = &[
    AGENDA,
    UserEntry {
        name: "terse-agenda",
        summary: "the same as a kind of its own, one thing at a time and hardly polite",
        parameters: &[],
        build: users::build_terse,
        ..AGENDA
    },
    UserEntry {
        name: "forgetful-agenda",
        summary: "the same as a kind of its own, who says much and leaves things out until asked",
        parameters: &[],
        build: users::build_forgetful,
        ..AGENDA
    },
    UserEntry {
        name: "impatient-agenda",
        summary: "the same as a kind of its own, who leaves after a reply that brings it nothing",
        parameters: &[],
        build: users::build_impatient,
        ..AGENDA
    },
];

static STRATEGIES: &[StrategyEntry] = &[StrategyEntry {
    name: "booking",
    summary: "answers the user in each turn, after a few calls at most (ReSpAct in MultiWOZ)",
    environments: NAMES,
    roles: Cast::Fixed(&["executor"]),
    user: UserNeed::Required,
    parameters: strategy::PARAMETERS,
    build: StrategyBuild::Alone(strategy::build),
}];
