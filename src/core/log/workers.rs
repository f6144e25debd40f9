//! Who played the episodes of a run that was played on several machines: the tables `workers` of `run.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::timings::{Worked, records};
use crate::domain::EpisodeId;

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
pub(super) fn of(table: &Table) -> Result<Vec<WorkerRecord>, String> {
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
        assert_eq!(of(&text.parse().unwrap()).unwrap(), workers);
        assert_eq!(with_workers(&text, &[]).unwrap(), "schema = 1\n");
        assert!(of(&"workers = 3".parse().unwrap()).is_err());
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
}
