//! The record of a run that is merged from others, given that of one of them.

use std::path::Path;

use toml::{Table, Value};

use super::invocation::{Invocation, key_of, variable_of, working_folder};
use rolecall_core::log::schema_of;

const SHARD: &str = "run.shard";

/// The `run.toml` of a run in the folder `to`, of which a part with this record is in the folder `from`: the same
/// run, but all of it.
///
/// # Errors
/// If the record cannot be written.
pub fn merged_record(part: &Table, from: &Path, to: &Path, here: &Path) -> Result<String, String> {
    let mut all = part.clone();
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    all.insert("name".to_owned(), name.into_owned().into());
    all.remove("workers");
    let run = all.get_mut("run").and_then(Value::as_table_mut);
    let was_shard = run.is_some_and(|run| run.remove("shard").is_some());
    if let Some(written) = all.remove("invocation") {
        let mut own: Invocation = written.try_into().map_err(|error: toml::de::Error| error.to_string())?;
        let working = own.working(from, here);
        own.folder = Some(working_folder(working.as_deref().unwrap_or(here), &here.join(to)));
        let given = own.set.len() + own.environment.len();
        own.set.retain(|set| key_of(set) != SHARD);
        own.environment.remove(&variable_of(SHARD));
        if was_shard && given == own.set.len() + own.environment.len() {
            // A file says so.
            own.set.push(format!("{SHARD}=0/1"));
        }
        let own = Value::try_from(own).map_err(|error| error.to_string())?;
        all.insert("invocation".to_owned(), own);
    }
    if was_shard {
        all.insert("episodes".to_owned(), Value::Integer(episodes(&all)));
    }
    let episodes = all.get("episodes").and_then(Value::as_integer);
    let schema = schema_of(episodes.and_then(|episodes| usize::try_from(episodes).ok()));
    all.insert("schema".to_owned(), i64::from(schema).into());
    toml::to_string(&all).map_err(|error| error.to_string())
}

/// The number of episodes of a record, whatever it says itself.
fn episodes(record: &Table) -> i64 {
    let number = |table: &Table, key| table.get(key).and_then(Value::as_integer);
    let tasks = number(record, "tasks").unwrap_or_default();
    let cells = record.get("cells").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table);
    cells
        .map(|cell| number(cell, "tasks").unwrap_or(tasks))
        .sum::<i64>()
        .saturating_mul(number(record, "repeats").unwrap_or(1))
}
