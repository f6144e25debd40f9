//! chrF and chrF++ as sacreBLEU 2.6.0 computes them (Popović, 2015 and 2017), from 0 to 100.

use super::numbered::{Grams, Numbered, References};
use super::tokens::Tokenisation;

/// The longest n-grams of characters.
const LETTERS: usize = 6;
/// The longest n-grams of words.
const WORDS: usize = 2;
/// How much more recall counts than precision.
const BETA: f64 = 2.0;

/// A score of n-grams of characters, and of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chrf {
    /// Characters up to 6.
    Plain,
    /// Characters up to 6 and words up to 2: chrF++.
    PlusPlus,
}

/// The counts from which chrF of a corpus is computed; those of pairs can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChrfCounts {
    /// Of each order, characters first: n-grams of the response, of the reference, of both.
    orders: [[u64; 3]; LETTERS + WORDS],
    references: References,
}

impl Chrf {
    const fn words(self) -> usize {
        match self {
            Self::Plain => 0,
            Self::PlusPlus => WORDS,
        }
    }

    /// The counts of one pair, with the reference that scores best.
    pub fn counts(self, hypothesis: &str, references: &[impl AsRef<str>]) -> ChrfCounts {
        let mut all = vec![ChrfCounts::default(); references.len()];
        let letters = Numbered::new(Tokenisation::Char, hypothesis, references);
        fill(&letters, 0, LETTERS, &mut all);
        if self.words() > 0 {
            let words = Numbered::new(Tokenisation::ChrfWords, hypothesis, references);
            fill(&words, LETTERS, self.words(), &mut all);
        }
        let best = all
            .into_iter()
            .map(|counts| (self.score(&counts), counts))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        ChrfCounts {
            references: References::Same(references.len()),
            ..best.map(|(_, counts)| counts).unwrap_or_default()
        }
    }

    /// The score of one pair.
    pub fn sentence(self, hypothesis: &str, references: &[impl AsRef<str>]) -> f64 {
        self.score(&self.counts(hypothesis, references))
    }

    /// The score of what was counted: precisions and recalls are averaged over the orders that both
    /// sides have n-grams of.
    pub fn score(self, counts: &ChrfCounts) -> f64 {
        let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0.0);
        let counted = counts.orders.iter().take(LETTERS + self.words());
        for [hypothesis, reference, shared] in counted {
            if *hypothesis > 0 && *reference > 0 {
                precision += *shared as f64 / *hypothesis as f64;
                recall += *shared as f64 / *reference as f64;
                orders += 1.0;
            }
        }
        if precision + recall == 0.0 {
            return 0.0;
        }
        let (precision, recall) = (precision / orders, recall / orders);
        let factor = BETA * BETA;
        100.0 * ((1.0 + factor) * precision * recall / (factor * precision + recall))
    }

    /// The signature of the number in the library's own words.
    pub fn signature(self, references: References) -> String {
        let words = self.words();
        format!("nrefs:{references}|case:mixed|eff:yes|nc:{LETTERS}|nw:{words}|space:no|version:2.6.0")
    }
}

/// Counts some orders of all references, from the first of them on.
fn fill(pair: &Numbered, first: usize, orders: usize, all: &mut [ChrfCounts]) {
    let mut grams = Grams::new(pair);
    for order in 0..orders {
        if order > 0 {
            grams.grow();
        }
        let hypothesis = grams.length(0) as u64;
        for (index, counts) in all.iter_mut().enumerate() {
            let reference = grams.length(index + 1) as u64;
            // Without n-grams in the reference those of the response do not count either.
            let hypothesis = if reference > 0 { hypothesis } else { 0 };
            counts.orders[first + order] = [hypothesis, reference, grams.shared(index)];
        }
    }
}

impl ChrfCounts {
    /// Adds the counts of other pairs.
    pub fn add(&mut self, other: &Self) {
        for (sum, counts) in self.orders.iter_mut().zip(&other.orders) {
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        self.references = self.references.and(other.references);
    }
}
