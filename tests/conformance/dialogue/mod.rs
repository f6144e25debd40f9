//! Dialogue beside recordings of the libraries and flows that it reproduces: every file of the folder
//! whose name is known is compared, value by value.

mod bm25;
mod costs;
mod distributions;
mod flows;
mod metrics;
mod parsers;

use std::path::Path;

use crate::kit::{Check, Comparison, compare_each};

/// The recordings by name, each with its comparison.
const CHECKS: &[(&str, Check)] = &[
    ("parser_cases.jsonl", parsers::parsers),
    ("bm25.jsonl", bm25::bm25),
    ("bm25_synthetic.jsonl", bm25::bm25),
    ("metrics_pairs.jsonl", metrics::pairs),
    ("metrics_corpus.json", metrics::corpus),
    ("porter_nltk.json", metrics::stems),
    ("bertscore_vectors.json", metrics::vectors),
    ("flows.jsonl", flows::check),
    ("cost_cases.json", costs::costs),
    ("strategy_distribution.json", distributions::distributions),
];

/// Compares every recording.
///
/// # Errors
/// When a recording cannot be read, or the folder holds none that is known.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let files = CHECKS.iter().map(|(name, check)| ((*name).to_owned(), oracle.join(name), *check));
    let there = files.filter(|(_, file, _)| file.is_file());
    compare_each(there, oracle, data, "parser_cases.jsonl")
}
