//! The registry's entries of shops.

use super::analyses::ANALYSES;
use super::analyses::judged::QUESTIONS;
use super::formats::FORMATS;
use super::metrics::METRICS;
use super::tasks::{NAME, NAMES};
use super::words::ShopWords;
use super::{data, roles, strategies, tasks, users};
use rolecall_core::domain::UserSees;
use rolecall_core::ports::{Cast, EnvironmentEntry, RoleEntry, StrategyBuild, StrategyEntry, UserEntry, UserNeed};
use rolecall_core::world::WorldEntry;

/// Everything of shops.
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
    summary: "online shops: find the product that was asked for among many, and buy it (WebShop), or ask a shopper \
              who answers in a few words (ChatShop)",
    parameters: tasks::PARAMETERS,
    words: &ShopWords,
    build: tasks::build,
}];

/// The executor, with what the other roles have in common with it.
const EXECUTOR: RoleEntry = RoleEntry {
    name: "rules",
    summary: "searches a shop, asks for what splits the products best where it may, and selects or buys",
    roles: &["executor"],
    environments: NAMES,
    parameters: roles::PARAMETERS,
    build: roles::build,
};

static ROLES: &[RoleEntry] = &[
    EXECUTOR,
    RoleEntry {
        summary: "says what is known of the product that is wanted, and what is not",
        roles: &["thinker"],
        parameters: &[],
        build: roles::build_thinker,
        ..EXECUTOR
    },
    RoleEntry {
        summary: "judges whether a question about the product is worth it, and asks it",
        roles: &["clarifier"],
        parameters: &[],
        build: roles::build_clarifier,
        ..EXECUTOR
    },
    RoleEntry {
        summary: "lays out the next search, click or selection",
        roles: &["planner"],
        parameters: &[],
        build: roles::build_planner,
        ..EXECUTOR
    },
];

/// The shopper, with what the other users have in common with it.
const SHOPPER: UserEntry = UserEntry {
    name: "shopper",
    summary: "wants one product, never names it, and answers in fewer than five words (ChatShop)",
    environments: NAMES,
    tasks: &[],
    sees: UserSees::Question,
    parameters: users::SHOPPER_PARAMETERS,
    build: users::build_shopper,
};

static USERS: &[UserEntry] = &[
    SHOPPER,
    UserEntry {
        name: "vague-shopper",
        summary: "the same as a kind of its own, with half of an answer or none",
        parameters: &[],
        build: users::build_vague,
        ..SHOPPER
    },
    UserEntry {
        name: "contradictory-shopper",
        summary: "the same as a kind of its own, who now and then says what is not so",
        parameters: &[],
        build: users::build_contradictory,
        ..SHOPPER
    },
    UserEntry {
        name: "buyer",
        summary: "sees the page, and guides the agent to buy one of its products, the closest if none fits \
                  (ReSpAct Table 25)",
        sees: UserSees::DialogueAndObservations,
        parameters: users::BUYER_PARAMETERS,
        build: users::build_buyer,
        ..SHOPPER
    },
];

static STRATEGIES: &[StrategyEntry] = &[StrategyEntry {
    name: "chatshop",
    summary: "searches, asks the shopper and recommends, with or without a summary before each action (ChatShop)",
    environments: NAMES,
    roles: Cast::Fixed(&["executor"]),
    user: UserNeed::Optional,
    parameters: strategies::PARAMETERS,
    build: StrategyBuild::Alone(strategies::build),
}];
