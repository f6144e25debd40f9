//! Worlds that the original programs had drawn and loaded when they were recorded.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use crate::kit::read;
use rolecall_shop::catalogue::LoadOptions;
use rolecall_shop::goal::Instructions;
use rolecall_shop::nouns::RecordedNouns;
use rolecall_shop::session::Shop;
use rolecall_shop::store::{Goals, Store, StoreOptions};

/// A recorded world.
#[derive(Deserialize)]
pub(super) struct World {
    catalog: String,
    /// Says the seed.
    #[serde(alias = "seed_note")]
    note: String,
    /// Whether goals are by people; none for ChatShop's own.
    human_goals: Option<bool>,
    #[serde(default)]
    pub(super) show_attrs: bool,
    pub(super) product_order: Option<Vec<String>>,
    pub(super) product_prices: HashMap<String, f64>,
    pub(super) n_goals: Option<usize>,
    pub(super) goals: Option<Vec<Value>>,
    pub(super) goals_used: Option<HashMap<usize, Value>>,
}

impl World {
    /// Reads the world, and loads the data set as it was loaded there.
    pub(super) fn load(file: &Path, data: &Path) -> anyhow::Result<(Self, Arc<Store>)> {
        let world: Self = read(file)?;
        let is_digit = |letter: char| letter.is_ascii_digit();
        let mut numbers = world.note.split(|letter| !is_digit(letter));
        let seed = numbers.find(|number| !number.is_empty());
        let goals = match world.human_goals {
            Some(true) => Goals::WebShop(Instructions::Human),
            Some(false) => Goals::WebShop(Instructions::Synthetic),
            None => Goals::ChatShop(None),
        };
        let load =
            LoadOptions { price_seed: seed.context("its note says no seed")?.parse()?, ..LoadOptions::default() };
        let store = Store::load(&data.join(&world.catalog), &StoreOptions { goals, load }, &())?;
        Ok((world, store))
    }

    /// The name of the world that a recording names behind its own kind.
    pub(super) fn name(recording: &Path) -> String {
        let name = recording.file_stem().unwrap_or_default().to_string_lossy();
        name.split_once('_').map_or("", |(_, name)| name).to_owned()
    }

    /// The world of this name that stands beside a recording, with its data set, and with the shop of both where the
    /// recorded nouns are known.
    pub(super) fn beside(recording: &Path, name: &str, data: &Path) -> anyhow::Result<(Self, Arc<Store>, Shop)> {
        let folder = recording.with_file_name("world");
        let (world, store) = Self::load(&folder.join(format!("{name}.json")), data)?;
        let nouns = folder.join(format!("nouns_{}.json", world.catalog));
        let shop = Shop {
            catalogue: Arc::clone(&store.catalogue),
            search: Arc::clone(&store.search),
            tagger: Arc::new(RecordedNouns::read(&nouns)?),
        };
        Ok((world, store, shop))
    }
}
