//! Booking beside recordings of the original programs.

mod autotod;
mod calls;
mod sessions;
#[cfg(feature = "sql")]
mod sql;

use std::path::Path;

use crate::conformance::{Check, Comparison, compare_each};

const RECORDINGS: &[(&str, Check)] = &[
    ("partial_ratio", calls::ratios),
    ("normalize", calls::values),
    ("api_calls", calls::answers),
    ("api2state", calls::states),
    ("sessions", sessions::sessions),
    ("autotod_clean", autotod::cleaned),
    ("autotod_bookings", autotod::bookings),
    ("autotod_eval_synthetic", autotod::synthetic),
    ("autotod_dialogues", autotod::dialogues),
    #[cfg(feature = "sql")]
    ("autotod_sql_render", sql::answers),
];

/// Totals over the first of the recorded dialogues.
const TOTALS: &[&str] = &["autotod_totals.json", "autotod_totals_all100.json"];

/// Compares all recordings that there are.
///
/// # Errors
/// When a recording or the data cannot be read, or there is none.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let files = RECORDINGS.iter().map(|(name, check)| {
        let file = oracle.join(format!("{name}.jsonl"));
        ((*name).to_owned(), file, *check)
    });
    let totals = TOTALS.iter().map(|name| {
        let check: Check = autotod::totals;
        ((*name).to_owned(), oracle.join(name), check)
    });
    let files = files.chain(totals);
    let there = files.filter(|(_, file, _)| file.is_file());
    compare_each(there, oracle, data, "api_calls.jsonl")
}
