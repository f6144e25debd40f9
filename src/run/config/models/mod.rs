//! Models: the tables `[models.<name>]` and `[cache]`. Every table is checked; a client is built
//! only for a model that a seat names, because only that one needs a key.

mod connection;
mod swap;
mod table;

use std::collections::BTreeMap;
use std::ffi::OsString;

pub(super) use swap::refused;
pub(super) use table::sampling;

use super::context::Context;
use super::described::{Described, ModelTables};
use super::node::join;
use super::origin::Origin;
use super::recorded::SettingsRecord;
use super::settings::settings;
use super::walk::Section;
use rolecall_core::ports::SetupError;
use rolecall_core::ports::model::CacheSettings;

/// Environment variables, by name.
pub(super) type Variables = [(OsString, OsString)];

impl Described {
    /// Reports that something is wrong with a key.
    pub(super) fn wrong(&self, context: &Context, key: &str, problem: impl Into<String>) {
        context.report(self.origin_of(key), Some(&join(&self.path(), key)), problem);
    }

    fn path(&self) -> String {
        join("models", &self.record.name)
    }

    fn origin_of(&self, key: &str) -> Origin {
        self.keys.iter().find(|(written, _)| written == key).map_or(self.origin, |(_, origin)| *origin)
    }

    /// Builds its client, once, for whoever names it. Whether there is one.
    pub(super) fn build(&self, context: &Context) -> bool {
        if context.models().get(&self.record.name).is_some() {
            return true;
        }
        match (self.entry.build)(&self.settings) {
            Ok(client) => {
                context.add_model(client);
                true
            }
            Err(SetupError { key, problem }) => {
                let key = key.as_deref();
                let path = key.map_or_else(|| self.path(), |key| join(&self.path(), key));
                if !context.is_wrong(&path) {
                    let origin = key.map_or(self.origin, |key| self.origin_of(key));
                    context.report(origin, Some(&path), format!("cannot be used: {problem}"));
                }
                false
            }
        }
    }

    /// Notes the key that a used model lacks, if it does.
    pub(super) fn remark(&self, context: &Context) {
        let Some(variable) = &self.settings.missing_key else {
            return;
        };
        let text = format!(
            "`{}` has no key: the environment variable `{variable}` is not set; no run starts \
             without it, unless the cache alone answers (`cache.mode` is `only`)",
            self.path()
        );
        context.remark(self.origin_of("api_key_env"), &text);
    }
}

/// Reads and checks both tables.
pub(super) fn model_tables(top: &mut Section<'_>, variables: &Variables) -> ModelTables {
    let (cache, cache_record) = cache(&mut top.section("cache"));
    let mut section = top.section("models");
    let written: Vec<String> = section.entries().map(|(name, _)| name.to_owned()).collect();
    let mut described = BTreeMap::new();
    for name in &written {
        let table = section.section_named(name);
        if !is_name(name) {
            section.wrong(name, "is no name for a model: up to 100 letters, digits and `-_.:`");
            continue;
        }
        let origin = table.origin;
        let keys = table.entries().map(|(key, node)| (key.to_owned(), node.origin)).collect();
        if let Some((entry, settings, record)) = table::read(table, name, &cache, variables) {
            described.insert(name.clone(), Described { entry, settings, record, origin, keys });
        }
    }
    section.finish();
    ModelTables { described, names: written.into_iter().collect(), cache_record }
}

fn is_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "-_.:".contains(letter);
    (1..=100).contains(&name.len()) && name.chars().all(letter)
}

/// The table `[cache]`; its folder is relative to the working folder, for all configs to share it.
fn cache(section: &mut Section<'_>) -> (CacheSettings, SettingsRecord) {
    let (mut cache, record): (CacheSettings, _) = settings(section);
    if cache.folder.as_os_str().is_empty() {
        section.wrong("folder", "is ``; it must be a folder");
    }
    cache.folder = section.context.working.join(cache.folder);
    (cache, record)
}
