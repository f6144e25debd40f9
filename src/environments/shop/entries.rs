//! The registry's entries of shops.

use super::analyses::ANALYSES;
use super::analyses::judged::QUESTIONS;
use super::formats::FORMATS;
use super::metrics::METRICS;
use super::words::ShopWords;
use super::{conformance, strategies, tasks};
use crate::ports::{Cast, EnvironmentEntry, StrategyBuild, StrategyEntry, UserNeed};
use crate::world::WorldEntry;

/// The name in `environment.name`.
const NAME: &str = "shop";

/// The environments that its entries are for.
pub(super) const NAMES: &[&str] = &[NAME];

/// Everything of shops.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: ENVIRONMENTS,
    metrics: METRICS,
    analyses: ANALYSES,
    questions: QUESTIONS,
    strategies: STRATEGIES,
    formats: FORMATS,
    conformance: Some(conformance::compare),
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

static STRATEGIES: &[StrategyEntry] = &[StrategyEntry {
    name: "chatshop",
    summary: "searches, asks the shopper and recommends, with or without a summary before each action (ChatShop)",
    environments: NAMES,
    roles: Cast::Fixed(&["executor"]),
    user: UserNeed::Optional,
    parameters: strategies::PARAMETERS,
    build: StrategyBuild::Alone(strategies::build),
}];
