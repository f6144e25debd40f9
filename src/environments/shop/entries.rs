//! The registry's entries of shops.

use super::words::ShopWords;
use super::{conformance, data, tasks};
use crate::ports::EnvironmentEntry;
use crate::world::WorldEntry;

/// The name in `environment.name`.
const NAME: &str = "shop";

/// Everything of shops.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: ENVIRONMENTS,
    conformance: Some(conformance::compare),
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
