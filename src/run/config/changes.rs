//! Differences between the records of two runs of one config.

use std::fmt;

use toml::{Table, Value};

use super::Limits;
use super::error::NOT_WRITTEN;
use super::recorded::recorded;
use crate::registry::Registry;
use rolecall_core::ports::model::{ModelSettings, RetrySettings, Timeouts};
use rolecall_core::ports::{Parameters, Settings};
use rolecall_core::text::unique;

/// Keys that change no result: how a run uses the machine, and what it was started with, whose
/// effects are in the other keys.
const WITHOUT_EFFECT: [&str; 9] =
    ["schema", "run", "queue", "invocation", "changes", "workers", "parent", "name", "id"];

/// The key of the program's version.
const VERSION: &str = "rolecall";

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its dotted key in `run.toml`, or the file that it is the hash of.
    pub key: String,
    /// The earlier value; nothing if it is new.
    pub was: Option<String>,
    /// The later value; nothing if it is gone.
    pub is: Option<String>,
}

impl Change {
    /// Whether only the program is another version, which goes on with what an earlier one began.
    pub fn is_version(&self) -> bool {
        self.key == VERSION
    }
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.was, &self.is) {
            (Some(was), Some(is)) => write!(formatter, "`{}` was {was} and is {is}", self.key),
            (Some(was), None) => write!(formatter, "`{}` was {was} and is gone", self.key),
            (None, Some(is)) => write!(formatter, "`{}` is new: {is}", self.key),
            (None, None) => write!(formatter, "`{}`", self.key),
        }
    }
}

/// The differences of a later record, in the order of keys. A parameter, or a setting of a model, that an
/// earlier version did not have, and that has its default now, is no difference.
pub fn changes(was: &Table, is: &Table, registry: &Registry) -> Vec<Change> {
    let defaults = defaults(registry);
    let is_default = |change: &Change| {
        let name = change.key.rsplit('.').next().unwrap_or_default();
        let known = |is: &String| defaults.contains(&(name.to_owned(), is.clone()));
        change.was.is_none() && change.is.as_ref().is_some_and(known)
    };
    let mut found = Vec::new();
    for key in keys(was, is).filter(|key| !WITHOUT_EFFECT.contains(&key.as_str())) {
        compare(key, was.get(key), is.get(key), &mut found);
    }
    // Shards play parts of the same episodes.
    let shard = |table: &Table| table.get("run").and_then(|run| run.get("shard").cloned());
    if shard(was) != shard(is) {
        found.retain(|change| change.key != "episodes");
    }
    // A limit may have the name of a parameter, and has no default.
    let is_parameter = |key: &str| key.starts_with("cells.") && !key.contains(".limits.");
    let has_default = |key: &str| is_parameter(key) || key.starts_with("models.");
    found.retain(|change| !(has_default(&change.key) && is_default(change) || is_former_limit(change)));
    found
}

/// Whether a change is a limit that came later, with what runs did before.
fn is_former_limit(change: &Change) -> bool {
    let name = change.key.split_once(".limits.").filter(|_| change.was.is_none());
    let limit = name.and_then(|(_, name)| Limits::PARAMETERS.iter().find(|each| each.name == name));
    let former = limit.and_then(|limit| Some(Parameters::default().with(limit.name, limit.earlier?.value())));
    let is = former.and_then(|former| recorded(&former).into_iter().map(|(_, value)| value.to_string()).next());
    is.is_some() && is == change.is
}

/// The defaults of all parameters with their names, as records write them; of one that came later, what runs did before.
fn defaults(registry: &Registry) -> Vec<(String, String)> {
    let mut defaults = Vec::new();
    let roles = registry.roles.iter().flat_map(|entry| entry.parameters);
    let users = registry.users.iter().flat_map(|entry| entry.parameters);
    let strategies = registry.strategies.iter().flat_map(|entry| entry.parameters);
    let environments = registry.environments.iter().flat_map(|entry| entry.parameters);
    let all = roles.chain(users).chain(strategies).chain(environments);
    let tables = [ModelSettings::PARAMETERS, RetrySettings::PARAMETERS, Timeouts::PARAMETERS];
    for parameter in all.chain(tables.into_iter().flatten()) {
        let mut values = Parameters::defaults(std::slice::from_ref(parameter));
        if let Some(earlier) = parameter.earlier {
            values = values.with(parameter.name, earlier.value());
        }
        defaults.extend(recorded(&values).into_iter().map(|(name, value)| (name, value.to_string())));
    }
    defaults
}

fn compare(key: &str, was: Option<&Value>, is: Option<&Value>, found: &mut Vec<Change>) {
    match (was, is) {
        (Some(was), Some(is)) if was == is => {}
        // What older versions wrote down is hidden now: nobody can say whether it differs.
        (Some(was), Some(is)) if is_hidden(was) || is_hidden(is) => {}
        (Some(Value::Table(was)), Some(Value::Table(is))) => {
            for each in keys(was, is) {
                compare(&format!("{key}.{each}"), was.get(each), is.get(each), found);
            }
        }
        (Some(Value::Array(was)), Some(Value::Array(is))) if named(was) && named(is) => {
            for each in unique(was.iter().chain(is).filter_map(name)) {
                let same = |item: &&Value| name(item) == Some(each);
                let (was, is) = (was.iter().find(same), is.iter().find(same));
                compare(&format!("{key}.{each}"), was, is, found);
            }
        }
        (was, is) => {
            found.push(Change { key: key.to_owned(), was: was.map(Value::to_string), is: is.map(Value::to_string) })
        }
    }
}

fn is_hidden(value: &Value) -> bool {
    value.as_str() == Some(NOT_WRITTEN)
}

/// The keys of the earlier table, then those that only the later one has.
fn keys<'a>(was: &'a Table, is: &'a Table) -> impl Iterator<Item = &'a String> {
    was.keys().chain(is.keys().filter(|key| !was.contains_key(*key)))
}

fn named(list: &[Value]) -> bool {
    list.iter().all(|item| name(item).is_some())
}

/// The text that tells an item of a list from the others.
fn name(item: &Value) -> Option<&str> {
    ["name", "path", "role", "kind"].into_iter().find_map(|key| item.get(key)?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(was: &str, is: &str) -> Vec<String> {
        let found = changes(&was.parse().unwrap(), &is.parse().unwrap(), &Registry::of([]));
        found.iter().map(Change::to_string).collect()
    }

    #[test]
    fn every_difference_has_its_key() {
        let was = "seed = 1\n[run]\nconcurrency = 3\n[[cells]]\nname = 'a'\nlimits.steps = 50\n\
                   [[files]]\npath = 'c.toml'\nblake3 = 'x'\n[[files]]\npath = 'd'\nblake3 = 'z'";
        let is = "seed = 2\n[run]\nconcurrency = 4\n[[cells]]\nname = 'a'\nlimits.steps = 20\n\
                  limits.questions = 3\n[[files]]\npath = 'c.toml'\nblake3 = 'y'";
        let expected = [
            "`seed` was 1 and is 2",
            "`cells.a.limits.steps` was 50 and is 20",
            "`cells.a.limits.questions` is new: 3",
            "`files.c.toml.blake3` was \"x\" and is \"y\"",
            "`files.d` was { blake3 = \"z\", path = \"d\" } and is gone",
        ];
        let mut found = shown(was, is);
        found.sort();
        let mut expected = expected.map(str::to_owned);
        expected.sort();
        assert_eq!(found, expected);
        assert!(shown(was, was).is_empty());
    }

    #[test]
    fn a_parameter_that_is_new_and_has_its_default_is_no_difference() {
        let was = "rolecall = '0.1.0'\n[[cells]]\nname = 'a'\nstrategy.name = 'x'";
        let is = |rounds| {
            format!("rolecall = '0.2.0'\n[[cells]]\nname = 'a'\nstrategy = {{ name = 'x', rounds = {rounds} }}")
        };
        let version = "`rolecall` was \"0.1.0\" and is \"0.2.0\"";
        assert_eq!(shown(was, &is(1)), [version]);
        let new = "`cells.a.strategy.rounds` is new: 2";
        assert_eq!(shown(was, &is(2)), [new, version]);
    }
}
