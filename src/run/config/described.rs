//! Models as the config and the command line describe them, read and checked.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::origin::Origin;
use super::record::ModelRecord;
use super::recorded::SettingsRecord;
use rolecall_core::ports::ModelEntry;
use rolecall_core::ports::model::ModelSettings;

/// A model that the config describes.
#[derive(Clone)]
pub(super) struct Described {
    pub(super) entry: &'static ModelEntry,
    /// The settings that its client is built from.
    pub(super) settings: ModelSettings,
    /// The settings as recorded, without secrets.
    pub(super) record: ModelRecord,
    pub(super) origin: Origin,
    pub(super) keys: Vec<(String, Origin)>,
}

/// Everything that a config says about models.
#[derive(Clone, Default)]
pub(super) struct ModelTables {
    /// The models by name; those with which something is wrong are missing.
    pub(super) described: BTreeMap<String, Described>,
    /// Every name, also of tables with which something is wrong.
    pub(super) names: BTreeSet<String>,
    /// The cache of replies, for the record.
    pub(super) cache_record: SettingsRecord,
}

impl ModelTables {
    /// The settings of every model.
    pub(super) fn settings(&self) -> Vec<ModelSettings> {
        self.described.values().map(|model| model.settings.clone()).collect()
    }

    /// Every model as records have it.
    pub(super) fn records(&self) -> Vec<ModelRecord> {
        self.described.values().map(|model| model.record.clone()).collect()
    }
}

/// A seat that gets another model.
pub(super) struct Swap {
    pub(super) seat: String,
    pub(super) model: String,
    pub(super) origin: Origin,
}

/// The swaps that the command line asks for.
#[derive(Default)]
pub(super) struct Swaps {
    pub(super) swaps: Vec<Swap>,
    /// The seats that some cell has.
    pub(super) seats: RefCell<BTreeSet<String>>,
}
