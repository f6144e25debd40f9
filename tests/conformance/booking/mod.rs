//! Booking beside recordings of the original programs.

mod calls;
mod sessions;
mod verdicts;

use std::path::Path;
use std::sync::Arc;

use crate::kit::{Check, Comparison, compare_each};
use rolecall_booking::city::City;
use rolecall_booking::files::read_database;

const RECORDINGS: &[(&str, Check)] = &[
    ("partial_ratio.jsonl", calls::ratios),
    ("normalize.jsonl", calls::values),
    ("api_calls.jsonl", calls::answers),
    ("api2state.jsonl", calls::states),
    ("sessions.jsonl", sessions::sessions),
    ("autotod_clean.jsonl", calls::cleaned),
    ("autotod_bookings.jsonl", calls::bookings),
    ("autotod_eval_synthetic.jsonl", verdicts::synthetic),
    ("autotod_dialogues.jsonl", verdicts::dialogues),
    ("autotod_sql_render.jsonl", calls::selections),
    ("autotod_totals.json", verdicts::totals),
    ("autotod_totals_all100.json", verdicts::totals),
];

/// Compares all recordings that there are.
///
/// # Errors
/// When a recording or the data cannot be read, or there is none.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let files = RECORDINGS.iter().map(|(file, check)| {
        let name = file.strip_suffix(".jsonl").unwrap_or(file);
        (name.to_owned(), oracle.join(file), *check)
    });
    let there = files.filter(|(_, file, _)| file.is_file());
    compare_each(there, oracle, data, "api_calls.jsonl")
}

/// The city of a folder of official data, without conversations.
fn city(data: &Path) -> anyhow::Result<Arc<City>> {
    Ok(Arc::new(City::new(read_database(data)?, Vec::new())))
}
