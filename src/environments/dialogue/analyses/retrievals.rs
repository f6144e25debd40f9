//! Right texts in retrievals (TPE Table 11).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Collected, PAPER_SAMPLES, by_dataset, played, table};
use crate::environments::dialogue::Answered;
use crate::evaluation::analyses::Row;
use crate::reports::analyses::Analyses;
use crate::reports::{Table, percent};

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
    own: &'a Source,
}

impl Collected for Retrievals {
    fn new(_language: &str) -> Self {
        Self::default()
    }

    /// Sources of which the right texts are not known say nothing.
    fn add(&mut self, sample: &Answered) {
        self.samples += 1;
        for source in sample.gold.keys() {
            let own = self.sources.entry(source.clone()).or_default();
            for retrieval in sample.of_source(source) {
                own.retrievals += 1;
                own.deepest = own.deepest.max(retrieval.retrieved.len());
            }
            for (sum, most) in own.correct.iter_mut().zip(1..) {
                *sum += sample.correct(source, most).unwrap_or_default();
            }
            if let Some((found, gold)) = sample.found(source) {
                own.samples += 1;
                own.found += found;
                own.gold += gold;
            }
        }
    }
}

impl Retrievals {
    /// The right texts among the first 1, 2, and so on up to 4, as far as retrievals went; at least one line
    /// for each source that was asked.
    fn depths(&self) -> Vec<Depth<'_>> {
        let asked = self.sources.iter().filter(|(_, own)| own.retrievals > 0);
        let depths = asked.flat_map(|(source, own)| {
            let ranks = own.deepest.clamp(1, DEPTH);
            let ranks = own.correct.iter().zip(1..).take(ranks);
            ranks.map(|(correct, most)| Depth { source, most, correct: *correct, own })
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
    let title = "Retrieval: right texts that were found at all";
    let mut found = table(title, &["cell", "source"], &heads);
    for (row, _, retrievals) in played::<Retrievals>(analyses) {
        let mut last = "";
        for depth in retrievals.depths() {
            let Depth { source, own, .. } = depth;
            let per = |n: usize, scale: f64| depth.correct as f64 / n.max(1) as f64 * scale;
            ranks.row(vec![
                analyses.name(row),
                source.to_owned(),
                depth.most.to_string(),
                own.retrievals.to_string(),
                depth.correct.to_string(),
                percent(per(own.retrievals, 1.0)),
                format!("{:.1}", per(retrievals.samples, PAPER_SAMPLES)),
            ]);
            if source != last && own.gold > 0 {
                found.row(vec![
                    analyses.name(row),
                    source.to_owned(),
                    own.samples.to_string(),
                    own.gold.to_string(),
                    own.found.to_string(),
                    percent(own.found as f64 / own.gold as f64),
                ]);
            }
            last = source;
        }
    }
    vec![ranks, found]
}

/// By data set: a list of sources and ranks, in the words of the table.
pub(super) fn object(row: &Row) -> Value {
    by_dataset(row, |own: &Retrievals| {
        let depths = own.depths();
        let depths = depths.iter().map(|depth| {
            json!({
                "source": depth.source, "first": depth.most, "retrievals": depth.own.retrievals,
                "right": depth.correct, "samples_with_any": depth.own.samples,
                "right_texts": depth.own.gold, "found": depth.own.found,
            })
        });
        json!({"samples": own.samples, "ranks": depths.collect::<Vec<_>>()})
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::dialogue::answered::Retrieval;

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
            let own = depth.own;
            assert_eq!((depth.source, own.retrievals), ("PERSONA", 3));
            assert_eq!((own.samples, own.gold, own.found), (1, 2, 2));
        }
        let depths: Vec<_> = depths.iter().map(|one| (one.most, one.correct)).collect();
        assert_eq!(depths, [(1, 1), (2, 3)]);
        assert_eq!(found.samples, 3);
    }
}
