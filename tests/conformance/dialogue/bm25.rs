//! `bm25.jsonl` and `bm25_synthetic.jsonl`: queries, texts, and the scores and ranks of `rank_bm25`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use rolecall_core::text::bm25::{Bm25, Ties, Tokeniser, rank};
use serde::Deserialize;

use crate::kit::{Tally, each_line};

/// The tolerance of scores: relative, and absolute below one.
const TOLERANCE: f64 = 1e-9;

/// A query over texts, with the results by tokeniser.
#[derive(Deserialize)]
struct Case {
    id: String,
    query: String,
    docs: Vec<String>,
    results: BTreeMap<String, Outcome>,
}

/// The result of the library.
#[derive(Deserialize)]
#[serde(untagged)]
enum Outcome {
    Scored(Scored),
    Failed {
        #[serde(rename = "error")]
        _error: String,
    },
}

#[derive(Deserialize)]
struct Scored {
    scores: Vec<f64>,
    avgdl: f64,
    average_idf: f64,
    rank_stable_reversed: Vec<usize>,
    rank_score_desc_index_asc: Vec<usize>,
    rank_numpy_native: Vec<usize>,
}

/// Compares scores and both ranks; where the library divides by zero, all scores are zero.
pub(super) fn bm25(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Case| {
        for (name, recorded) in &case.results {
            let tokeniser =
                Tokeniser::named(name).with_context(|| format!("`{}`: unknown tokeniser `{name}`", case.id))?;
            let index = Bm25::new(&case.docs, tokeniser);
            let found = index.scores(&case.query);
            let path = |value: &str| format!("{} {name} {value}", case.id);
            match recorded {
                Outcome::Scored(recorded) => compare(tally, path, recorded, &index, &found),
                Outcome::Failed { .. } => {
                    tally.check(|| path("scores"), &vec![0.0; case.docs.len()], &found);
                }
            }
        }
        Ok(())
    })
}

fn compare(tally: &mut Tally, path: impl Fn(&str) -> String, recorded: &Scored, index: &Bm25, found: &[f64]) {
    // Tiny numbers are compared by their distance.
    let near = |tally: &mut Tally, value: &str, recorded: f64, found: f64| {
        let agrees = (recorded - found).abs() <= TOLERANCE * recorded.abs().max(1.0);
        let texts = || (recorded.to_string(), found.to_string());
        tally.agree(|| path(value), agrees, texts);
    };
    near(tally, "mean length", recorded.avgdl, index.mean_length());
    near(tally, "mean idf", recorded.average_idf, index.mean_idf());
    let scores = recorded.scores.len();
    tally.check(|| path("number of scores"), &scores, &found.len());
    for (text, (recorded, found)) in recorded.scores.iter().zip(found).enumerate() {
        near(tally, &format!("score {text}"), *recorded, *found);
    }
    let upwards = rank(found, Ties::IndexAsc);
    let downwards = rank(found, Ties::StableReversed);
    let by_index = &recorded.rank_score_desc_index_asc;
    tally.check(|| path("rank by index"), by_index, &upwards);
    let reversed = &recorded.rank_stable_reversed;
    tally.check(|| path("rank reversed"), reversed, &downwards);
    // The order of ties in an unstable sort depends on the machine.
    tally.optionally(recorded.rank_numpy_native == downwards);
}
