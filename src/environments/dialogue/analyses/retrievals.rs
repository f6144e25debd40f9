//! Right texts in retrievals (TPE Table 11).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Collected, PAPER_SAMPLES, by_dataset, played, table};
use crate::Answered;
use rolecall_core::evaluation::analyses::Row;
use rolecall_core::reports::analyses::Analyses;
use rolecall_core::reports::{Table, percent};

/// Ranks that are looked at one by one, as in TPE's Table 11.
const DEPTH: usize = 4;

/// The retrievals of many samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Retrievals {
    /// Samples.
    samples: usize,
    sources: BTreeMap<String, Source>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Source {
    retrievals: usize,
    deepest: usize,
    /// Samples with a right text at all.
    samples: usize,
    /// Right texts of these samples.
    gold: usize,
    correct: [usize; DEPTH],
    /// Right texts that were retrieved at all, at whatever rank.
    found: usize,
}

/// The findings of a source if the first texts of each retrieval are taken.
struct Depth<'a> {
    /// The source.
    source: &'a str,
    /// The number of texts that are taken.
    most: usize,
    /// Right texts among them, each as often as it was retrieved.
    correct: usize,
    /// All findings of the source.
    figures: &'a Source,
}

impl Collected for Retrievals {
    fn new(_language: &str) -> Self {
        Self::default()
    }

    /// Sources without known right texts are skipped.
    fn add(&mut self, sample: &Answered) {
        self.samples += 1;
        for source in sample.gold.keys() {
            let figures = self.sources.entry(source.clone()).or_default();
            for retrieval in sample.of_source(source) {
                figures.retrievals += 1;
                figures.deepest = figures.deepest.max(retrieval.retrieved.len());
            }
            for (sum, most) in figures.correct.iter_mut().zip(1..) {
                *sum += sample.correct(source, most).unwrap_or_default();
            }
            if let Some((found, gold)) = sample.found(source) {
                figures.samples += 1;
                figures.found += found;
                figures.gold += gold;
            }
        }
    }
}

impl Retrievals {
    /// The right texts among the first 1, 2, and so on up to 4, as far as retrievals went; at least one line
    /// for each source that was asked.
    fn depths(&self) -> Vec<Depth<'_>> {
        let depths = self.sources.iter().filter(|(_, figures)| figures.retrievals > 0).flat_map(|(source, figures)| {
            let ranks = figures.deepest.clamp(1, DEPTH);
            let ranks = figures.correct.iter().zip(1..).take(ranks);
            ranks.map(|(correct, most)| Depth { source, most, correct: *correct, figures })
        });
        depths.collect()
    }
}

/// The tables of retrieval.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let keys = ["cell", "source", "first"];
    let heads = ["retrievals", "right", "% of retrievals", "of 200 samples"];
    let mut ranks = table("Retrieval: right texts among the first", &keys, &heads);
    let heads = ["samples with any", "right texts", "found", "%"];
    let mut found = table("Retrieval: right texts that were found at all", &["cell", "source"], &heads);
    for (row, _, retrievals) in played::<Retrievals>(analyses) {
        let mut last = "";
        for depth in retrievals.depths() {
            let Depth { source, figures, .. } = depth;
            let per = |n: usize, scale: f64| depth.correct as f64 / n.max(1) as f64 * scale;
            ranks.row(vec![
                analyses.name(row),
                source.to_owned(),
                depth.most.to_string(),
                figures.retrievals.to_string(),
                depth.correct.to_string(),
                percent(per(figures.retrievals, 1.0)),
                format!("{:.1}", per(retrievals.samples, PAPER_SAMPLES)),
            ]);
            if source != last && figures.gold > 0 {
                found.row(vec![
                    analyses.name(row),
                    source.to_owned(),
                    figures.samples.to_string(),
                    figures.gold.to_string(),
                    figures.found.to_string(),
                    percent(figures.found as f64 / figures.gold as f64),
                ]);
            }
            last = source;
        }
    }
    vec![ranks, found]
}

/// By data set: a list of sources and ranks, in the words of the table.
pub(super) fn object(row: &Row) -> Value {
    by_dataset(row, |retrievals: &Retrievals| {
        let depths = retrievals.depths();
        let depths = depths.iter().map(|depth| {
            json!({
                "source": depth.source, "first": depth.most, "retrievals": depth.figures.retrievals,
                "right": depth.correct, "samples_with_any": depth.figures.samples,
                "right_texts": depth.figures.gold, "found": depth.figures.found,
            })
        });
        json!({"samples": retrievals.samples, "ranks": depths.collect::<Vec<_>>()})
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answered::Retrieval;

    #[test]
    fn right_texts_are_counted_rank_by_rank_as_far_as_retrievals_went() {
        let retrieval =
            |source: &str, retrieved: &[u64]| Retrieval { source: source.to_owned(), retrieved: retrieved.to_vec() };
        let gold = |persona: &[u64]| {
            BTreeMap::from([("PERSONA".to_owned(), persona.to_vec()), ("DOCUMENT".to_owned(), vec![0])])
        };
        let mut found = Retrievals::default();
        found.add(&Answered {
            gold: gold(&[2, 4]),
            retrievals: vec![retrieval("PERSONA", &[1, 2]), retrieval("PERSONA", &[2, 4])],
            ..Answered::default()
        });
        found.add(&Answered {
            gold: gold(&[]),
            retrievals: vec![retrieval("PERSONA", &[3, 0])],
            ..Answered::default()
        });
        found.add(&Answered::default());
        let depths = found.depths();
        for depth in &depths {
            let figures = depth.figures;
            assert_eq!((depth.source, figures.retrievals), ("PERSONA", 3));
            assert_eq!((figures.samples, figures.gold, figures.found), (1, 2, 2));
        }
        let depths: Vec<_> = depths.iter().map(|one| (one.most, one.correct)).collect();
        assert_eq!(depths, [(1, 1), (2, 3)]);
        assert_eq!(found.samples, 3);
    }
}
