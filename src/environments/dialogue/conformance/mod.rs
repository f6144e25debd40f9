//! Dialogue beside recordings of the libraries and flows that it reproduces: every file of the folder
//! whose name is known is compared, value by value.

mod bm25;
mod costs;
mod distributions;
mod flows;
mod metrics;
mod parsers;

use std::path::Path;

use anyhow::{Context, bail};

use crate::conformance::{Comparison, Tally, shown};

/// Compares one recording: the file, the folder of official data, and the tally that counts.
type Check = fn(&Path, &Path, &mut Tally) -> anyhow::Result<()>;

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
    let mut text = String::new();
    let mut all = Tally::default();
    for (name, check) in CHECKS {
        let file = oracle.join(name);
        if !file.is_file() {
            continue;
        }
        let mut tally = Tally::default();
        check(&file, data, &mut tally).with_context(|| format!("`{}`", file.display()))?;
        text.push_str(&format!("{name}: {tally}\n"));
        all.add(tally);
    }
    if all.is_empty() {
        bail!(
            "`{}` holds no recording that is known; name the folder with `parser_cases.jsonl` and others",
            oracle.display()
        );
    }
    text.push_str(&shown(all.differences.iter().cloned()));
    text.push_str(&all.to_string());
    Ok(Comparison {
        text,
        differing: all.differing,
    })
}
