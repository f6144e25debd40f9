//! Travel beside recordings of the original programs.

mod play;
mod requests;
mod score;
mod tools;
mod tuning;

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::kit::{Check, Comparison, Tally, compare_each};
use rolecall_core::files;
use rolecall_travel::country::{Country, load_shared};

/// How far numbers may lie apart.
const TOLERANCE: f64 = 1e-12;

const ROOMS: [&[(&str, Check)]; 5] =
    [tools::RECORDINGS, requests::RECORDINGS, score::RECORDINGS, play::RECORDINGS, tuning::RECORDINGS];

/// Compares all recordings that there are.
///
/// # Errors
/// When a recording or the data cannot be read, or there is none.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let files = ROOMS.concat().into_iter().map(|(file, check)| {
        let name = file.split('.').next().unwrap_or(file);
        (name.to_owned(), oracle.join(file), check)
    });
    let there = files.filter(|(_, file, _)| file.is_file());
    compare_each(there, oracle, data, "tool_calls.jsonl")
}

/// The country of the official files.
fn country(data: &Path) -> anyhow::Result<Arc<Country>> {
    Ok(load_shared(data, &())?)
}

/// A recording that is packed.
fn unpacked(file: &Path) -> anyhow::Result<Value> {
    Ok(serde_json::from_reader(files::unpacked(file)?)?)
}

/// The items of a list; none of anything else.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The fields of an object; none of anything else.
fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Compares a number that was recorded.
fn near(at: impl FnOnce() -> String, recorded: &Value, found: f64, tally: &mut Tally) {
    tally.near(at, recorded.as_f64().unwrap_or(f64::NAN), found, TOLERANCE);
}
