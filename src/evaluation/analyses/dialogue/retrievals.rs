//! How often retrieval finds what is right.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::response::Sample;

/// Ranks that are looked at one by one, as in TPE's Table 11.
const DEPTH: usize = 4;

/// What sources gave over many samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retrievals {
    /// Samples.
    samples: usize,
    sources: BTreeMap<String, Source>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Source {
    retrievals: usize,
    deepest: usize,
    samples: usize,
    gold: usize,
    correct: [usize; DEPTH],
    found: usize,
}

/// What is found of a source if the first texts of each retrieval are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth<'a> {
    /// The source.
    pub source: &'a str,
    /// How many texts are taken.
    pub most: usize,
    /// Retrievals.
    pub retrievals: usize,
    /// Right texts among them, each as often as it was retrieved.
    pub correct: usize,
    /// Samples with a right text at all.
    pub samples: usize,
    /// Right texts of these samples.
    pub gold: usize,
    /// Those that were retrieved at all, with all that each retrieval gave.
    pub found: usize,
}

impl Retrievals {
    /// Adds the retrievals of a sample. Sources of which the right texts are not known say nothing.
    pub(super) fn add(&mut self, sample: &Sample) {
        self.samples += 1;
        for source in sample.gold.keys() {
            let own = self.sources.entry(source.clone()).or_default();
            let retrievals = || sample.retrievals.iter().filter(|one| one.source == *source);
            own.retrievals += retrievals().count();
            let deepest = retrievals().map(|one| one.retrieved.len()).max();
            own.deepest = own.deepest.max(deepest.unwrap_or_default());
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

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The sources of which something is known, by name.
    pub fn sources(&self) -> BTreeSet<&str> {
        self.sources.keys().map(String::as_str).collect()
    }

    /// What is right among the first 1, 2, and so on up to 4 texts, as far as retrievals went; at least
    /// one line for each source that was asked.
    pub fn depths(&self) -> Vec<Depth<'_>> {
        let asked = self.sources.iter().filter(|(_, own)| own.retrievals > 0);
        let depths = asked.flat_map(|(source, own)| {
            let ranks = own.deepest.clamp(1, DEPTH);
            let ranks = own.correct.iter().zip(1..).take(ranks);
            ranks.map(|(correct, most)| Depth {
                source,
                most,
                retrievals: own.retrievals,
                correct: *correct,
                samples: own.samples,
                gold: own.gold,
                found: own.found,
            })
        });
        depths.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::response::Retrieval;
    use super::*;

    #[test]
    fn right_texts_are_counted_rank_by_rank_as_far_as_retrievals_went() {
        let retrieval = |source: &str, retrieved: &[u64]| Retrieval {
            source: source.to_owned(),
            retrieved: retrieved.to_vec(),
        };
        let gold = |persona: &[u64]| {
            BTreeMap::from([
                ("PERSONA".to_owned(), persona.to_vec()),
                ("DOCUMENT".to_owned(), vec![0]),
            ])
        };
        let mut found = Retrievals::default();
        found.add(&Sample {
            gold: gold(&[2, 4]),
            retrievals: vec![retrieval("PERSONA", &[1, 2]), retrieval("PERSONA", &[2, 4])],
            ..Sample::default()
        });
        found.add(&Sample {
            gold: gold(&[]),
            retrievals: vec![retrieval("PERSONA", &[3, 0])],
            ..Sample::default()
        });
        found.add(&Sample::default());
        let depth = |most, correct| Depth {
            source: "PERSONA",
            most,
            retrievals: 3,
            correct,
            samples: 1,
            gold: 2,
            found: 2,
        };
        assert_eq!(found.depths(), [depth(1, 1), depth(2, 3)]);
        assert_eq!(found.samples(), 3);
        assert_eq!(
            found.sources().into_iter().collect::<Vec<_>>(),
            ["DOCUMENT", "PERSONA"]
        );
    }
}
