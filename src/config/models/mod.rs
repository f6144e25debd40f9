//! Models: the tables `[models.<name>]` and `[cache]`. Every table is checked; a client is built
//! only for a model that a seat names, because only that one needs a key.

mod body;
mod connection;
mod costs;
pub(super) mod record;
mod sampling;
mod swap;
mod table;
pub(super) mod words;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) use costs::{limited_costs_are_known, one_currency};
pub use record::{CacheRecord, ModelRecord};
pub(super) use sampling::sampling;
pub(super) use swap::refused;

use super::context::Context;
use super::described::{Described, ModelTables};
use super::error::quoted;
use super::node::join;
use super::walk::Section;
use crate::ports::model::{CacheMode, CacheSettings};

/// Environment variables, by name.
pub(super) type Variables = [(OsString, OsString)];

impl Described {
    /// Reports that something is wrong with a key.
    pub(super) fn wrong(&self, context: &Context, key: &str, problem: String) {
        let own = join("models", &self.settings.profile.name);
        let origin = self.keys.get(key).copied().unwrap_or(self.origin);
        context.report(origin, Some(&join(&own, key)), problem);
    }

    fn report(&self, context: &Context, key: Option<&str>, problem: &str) {
        let name = &self.settings.profile.name;
        let own = join("models", name);
        let (origin, path) = match key {
            Some(key) => (self.keys.get(key), join(&own, key)),
            None => (None, own),
        };
        if !context.is_wrong(&path) {
            let origin = origin.copied().unwrap_or(self.origin);
            context.report(origin, Some(&path), format!("cannot be used: {problem}"));
        }
    }

    /// Builds its client, once, for whoever names it. Whether there is one.
    pub(super) fn build(&self, context: &Context) -> bool {
        let name = &self.settings.profile.name;
        if context.models().get(name).is_some() {
            return true;
        }
        match (self.entry.build)(&self.settings) {
            Ok(client) => {
                context.add_model(client);
                true
            }
            Err(error) => {
                self.report(context, error.key.as_deref(), &error.problem);
                false
            }
        }
    }

    /// What is to be said of a model that is used: a key that it lacks.
    pub(super) fn remark(&self, context: &Context) {
        let Some(variable) = &self.settings.missing_key else {
            return;
        };
        let path = join("models", &self.settings.profile.name);
        let text = format!(
            "`{path}` has no key: the environment variable `{variable}` is not set; calls fail \
             unless the cache answers them"
        );
        let origin = self.keys.get("api_key_env").copied();
        context.remark(origin.unwrap_or(self.origin), &text);
    }
}

impl ModelTables {
    /// The cache as the record writes it.
    pub(super) fn cache_record(&self) -> CacheRecord {
        CacheRecord {
            mode: words::CACHE_MODES.name_of(self.cache.mode),
            folder: self.folder.display().to_string(),
        }
    }
}

/// Reads and checks both tables.
pub(super) fn model_tables(top: &mut Section<'_>, variables: &Variables) -> ModelTables {
    let (cache, folder) = cache(&mut top.section("cache"));
    let mut section = top.section("models");
    let written: Vec<String> = section.entries().map(|(name, _)| name.to_owned()).collect();
    let mut described = BTreeMap::new();
    for name in &written {
        let table = section.section_named(name);
        if !is_name(name) {
            let problem = "is no name for a model: up to 100 letters, digits and `-_.:`";
            section.wrong(name, problem.to_owned());
            continue;
        }
        let origin = table.origin;
        let keys = table.entries();
        let keys = keys.map(|(key, node)| (key.to_owned(), node.origin));
        let keys = keys.collect();
        if let Some((entry, settings, record)) = table::read(table, name, &cache, variables) {
            let model = Described {
                entry,
                settings,
                record,
                origin,
                keys,
            };
            described.insert(name.clone(), model);
        }
    }
    section.finish();
    ModelTables {
        described,
        names: written.into_iter().collect(),
        cache,
        folder,
    }
}

fn is_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "-_.:".contains(letter);
    (1..=100).contains(&name.len()) && name.chars().all(letter)
}

/// The table `[cache]`; its folder is relative to the working folder, for all configs to share it.
fn cache(section: &mut Section<'_>) -> (CacheSettings, PathBuf) {
    let usual = CacheSettings::default();
    let mode = section.word("mode", &words::CACHE_MODES);
    let folder = section.text("folder").map(PathBuf::from);
    if let Some(folder) = folder
        .as_ref()
        .filter(|folder| folder.as_os_str().is_empty())
    {
        let shown = quoted(&folder.display().to_string());
        section.wrong("folder", format!("is {shown}; it must be a folder"));
    }
    section.finish();
    let folder = folder.unwrap_or(usual.folder);
    let cache = CacheSettings {
        mode: mode.unwrap_or(CacheMode::Off),
        folder: section.context.working.join(&folder),
    };
    (cache, folder)
}
