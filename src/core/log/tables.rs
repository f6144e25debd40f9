//! Tables of `run.toml`: who played the episodes of a run on several machines, which cells are external, who saw what.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::timings::{Worked, records};
use super::{LogError, RUN};
use crate::domain::{CellName, EpisodeId, RoleName, UserSees, Visibility};

/// Somebody who played episodes of a run elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRecord {
    /// Its name, which lines of `timings.jsonl` have, too.
    pub name: String,
    /// The machine's name, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The version of its program.
    #[serde(default)]
    pub version: String,
    /// Episodes of the run that it played, or had a part in as the last.
    #[serde(default)]
    pub episodes: u64,
    /// Episodes that it committed too late: they were thrown away.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late: u64,
    /// Episodes that it went on with, or played again, after another one was lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken_over: u64,
    /// It was lost, as far as is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Workers that a `run.toml` names.
pub(super) fn workers_of(table: &Table) -> Result<Vec<WorkerRecord>, String> {
    let workers = table.get("workers").cloned().map_or(Ok(Vec::new()), Value::try_into);
    workers.map_err(|error| {
        let error = error.message();
        format!("`workers` must be tables with `name`, `version` and `episodes`: {error}")
    })
}

/// The text of `run.toml` with these workers in place of those that it has.
///
/// # Errors
/// If it is no TOML.
pub fn with_workers(run_toml: &str, workers: &[WorkerRecord]) -> Result<String, String> {
    let failed = |error: &dyn ToString| error.to_string();
    let mut table: Table = run_toml.parse().map_err(|error| failed(&error))?;
    table.remove("workers");
    if !workers.is_empty() {
        let workers = Value::try_from(workers).map_err(|error| failed(&error))?;
        table.insert("workers".to_owned(), workers);
    }
    toml::to_string(&table).map_err(|error| failed(&error))
}

/// The number of episodes in the folder of a run that each worker played, or had a part in as the last.
pub fn episodes_of_workers(folder: &Path) -> BTreeMap<String, u64> {
    let mut last: FxHashMap<EpisodeId, Option<u32>> = FxHashMap::default();
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for Worked { episode, worker } in records(folder) {
        let next = numbers.len() as u32;
        last.insert(episode, worker.map(|name| *numbers.entry(name).or_insert(next)));
    }
    let mut counts = vec![0; numbers.len()];
    for number in last.into_values().flatten() {
        if let Some(count) = counts.get_mut(number as usize) {
            *count += 1;
        }
    }
    let count = |number: u32| counts.get(number as usize).copied().unwrap_or_default();
    numbers.into_iter().map(|(name, number)| (name, count(number))).collect()
}

/// Parameters that name a program or a server.
const ADDRESSES: [&str; 3] = ["command", "address", "url"];

/// The kind of users, and the implementation of roles, that are people.
const PERSON: &str = "human";

/// External cells of a `run.toml`: people, or programs that say so, take part, and nobody can play them once more.
pub(super) fn external_cells(table: &Table) -> Vec<CellName> {
    let cells = table.get("cells").and_then(Value::as_array).into_iter().flatten();
    let names = cells.filter(|cell| is_external(cell)).filter_map(|cell| cell.get("name")?.as_str());
    names.filter_map(|name| CellName::new(name).ok()).collect()
}

fn is_external(cell: &Value) -> bool {
    let seats = ["roles", "users"].into_iter();
    let seats = seats.filter_map(|key| cell.get(key)?.as_array()).flatten();
    let is_taken = |program: &Value| {
        let flag = |key| program.get(key).and_then(Value::as_bool);
        flag("external") != Some(false) || flag("deterministic") != Some(true)
    };
    let mut seats = seats.map(|seat| {
        let is_person = |key| seat.get(key).and_then(Value::as_str) == Some(PERSON);
        ["kind", "implementation"].into_iter().any(is_person) || seat.get("program").is_some_and(is_taken)
    });
    let environment = cell.get("environment");
    let elsewhere = |key: &str| environment.is_some_and(|table| table.get(key).is_some());
    seats.any(|is| is) || ADDRESSES.iter().any(|key| elsewhere(key))
}

/// The visibility in a cell of the run in this folder, with a user of this kind. Whether the environment hears
/// what is said is not recorded.
///
/// # Errors
/// When `run.toml` cannot be read.
pub fn recorded_visibility(folder: &Path, cell: &CellName, user: Option<&str>) -> Result<Visibility, LogError> {
    let path = folder.join(RUN);
    let text = fs::read_to_string(&path).map_err(|error| LogError::read(&path, &error))?;
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| LogError::file(&path, LogError::USED, error.to_string()))?;
    Ok(visibility(&table, cell, user))
}

fn visibility(table: &Table, cell: &CellName, user: Option<&str>) -> Visibility {
    let list = |table: &Table, key: &str| {
        let tables = table.get(key).and_then(Value::as_array).cloned().into_iter().flatten();
        tables
            .filter_map(|value| match value {
                Value::Table(table) => Some(table),
                _ => None,
            })
            .collect::<Vec<Table>>()
    };
    let text = |table: &Table, key: &str| Some(table.get(key)?.as_str()?.to_owned());
    let mut named =
        list(table, "cells").into_iter().filter(|table| text(table, "name").as_deref() == Some(cell.as_str()));
    let Some(found) = named.next_back() else {
        return Visibility::default();
    };
    let hides = |role: &Table| role.get("hide_thoughts").and_then(Value::as_bool) == Some(true);
    let hidden =
        list(&found, "roles").into_iter().filter(hides).filter_map(|role| RoleName::new(&text(&role, "role")?).ok());
    let sees = list(&found, "users")
        .into_iter()
        .find(|table| text(table, "kind").as_deref() == user)
        .and_then(|table| UserSees::named(&text(&table, "sees")?));
    Visibility { user_sees: sees.unwrap_or_default(), hidden_thoughts: hidden.collect(), environment_hears: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{TIMINGS, with_worker};

    #[test]
    fn workers_are_read_as_they_are_written() {
        let lost =
            WorkerRecord { name: "b".to_owned(), version: "1".to_owned(), lost: true, ..WorkerRecord::default() };
        let there =
            WorkerRecord { name: "a".to_owned(), host: Some("node7".to_owned()), episodes: 3, late: 1, ..lost.clone() };
        let workers = [there, lost];
        let text = with_workers("schema = 1\n[[workers]]\nname = 'old'", &workers).unwrap();
        assert_eq!(workers_of(&text.parse().unwrap()).unwrap(), workers);
        assert_eq!(with_workers(&text, &[]).unwrap(), "schema = 1\n");
        assert!(workers_of(&"workers = 3".parse().unwrap()).is_err());
    }

    #[test]
    fn an_episode_is_that_of_who_played_it_last() {
        let folder = tempfile::tempdir().unwrap();
        let line = |episode: &str| format!("{{\"schema\":1,\"episode\":\"{episode}\",\"wall_ms\":1}}\n");
        let lines = [
            with_worker(line("a:0:0").as_bytes(), "x\"y"),
            with_worker(line("a:1:0").as_bytes(), "x\"y"),
            with_worker(line("a:2:0").as_bytes(), "z"),
            with_worker(&with_worker(line("a:1:0").as_bytes(), "z"), "other"),
            line("a:2:0").into_bytes(),
        ];
        std::fs::write(folder.path().join(TIMINGS), lines.concat()).unwrap();
        let counts = [("x\"y".to_owned(), 1), ("z".to_owned(), 1)];
        assert_eq!(episodes_of_workers(folder.path()), BTreeMap::from(counts));
    }

    #[test]
    fn people_and_programs_that_answer_as_they_like_are_external() {
        let text = "[[cells]]\nname = 'a'\nenvironment.name = 'x'\nroles = [{ role = 'r' }]\n\
                    [[cells]]\nname = 'b'\nusers = [{ kind = 'human' }]\n\
                    [[cells]]\nname = 'c'\nroles = [{ role = 'r', program = { external = false, \
                    deterministic = true } }]\n\
                    [[cells]]\nname = 'd'\nroles = [{ role = 'r', program = { external = false, \
                    deterministic = false } }]\n\
                    [[cells]]\nname = 'f'\nroles = [{ role = 'r', implementation = 'human' }]\n\
                    [[cells]]\nname = 'e'\nenvironment = { name = 'mcp', url = 'http://x' }";
        let found = external_cells(&text.parse().unwrap());
        let found: Vec<&str> = found.iter().map(CellName::as_str).collect();
        assert_eq!(found, ["b", "d", "f", "e"]);
    }

    #[test]
    fn a_record_says_who_saw_what() {
        let text = "[[cells]]\nname = 'a'\nroles = [{ role = 'thinker', hide_thoughts = true }, \
                    { role = 'executor', hide_thoughts = false }]\n\
                    users = [{ kind = 'x', sees = 'question' }, { kind = 'y', sees = 'dialogue+observations' }]";
        let table: Table = text.parse().unwrap();
        let found = visibility(&table, &CellName::new("a").unwrap(), Some("y"));
        assert_eq!(found.user_sees, UserSees::DialogueAndObservations);
        let hidden: Vec<&str> = found.hidden_thoughts.iter().map(RoleName::as_str).collect();
        assert_eq!(hidden, ["thinker"]);
        let other = visibility(&table, &CellName::new("b").unwrap(), None);
        assert_eq!(other, Visibility::default());
    }
}
