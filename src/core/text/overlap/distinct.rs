//! Distinct-n (Li and others, 2016): how much of what is said is said once only.

use rustc_hash::FxHashMap;

use super::numbered::{Grams, Numbered};
use super::tokens::Tokenisation;

/// Share of different n-grams among all n-grams, of one response or of many together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Distinct {
    /// The tokenisation.
    pub tokenisation: Tokenisation,
    /// How many tokens an n-gram has; 0 is read as 1.
    pub order: usize,
}

/// Different n-grams and all n-grams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DistinctCounts {
    /// N-grams without repetitions.
    pub unique: u64,
    /// All n-grams.
    pub total: u64,
}

impl DistinctCounts {
    /// The share, from 0 to 1; 0 without any n-gram.
    pub fn value(&self) -> f64 {
        self.unique as f64 / self.total.max(1) as f64
    }
}

impl Distinct {
    /// The counts of one response. Metrics per response are the mean of their values.
    pub fn response(&self, text: &str) -> DistinctCounts {
        let none: [&str; 0] = [];
        self.of(&Numbered::new(self.tokenisation, text, &none))
    }

    /// The counts of the response of a pair that is already cut.
    pub fn of(&self, pair: &Numbered) -> DistinctCounts {
        let mut grams = Grams::new(pair);
        (1..self.order).for_each(|_| grams.grow());
        DistinctCounts { unique: grams.distinct() as u64, total: grams.length(0) as u64 }
    }

    /// A pool for many responses.
    pub fn pool(&self) -> DistinctPool {
        DistinctPool {
            metric: *self,
            vocabulary: FxHashMap::default(),
            grams: vec![FxHashMap::default(); self.order.saturating_sub(1)],
            total: 0,
        }
    }

    /// The signature of the number; `pooled` says whether over all responses together or as the mean
    /// of each one's.
    pub fn signature(&self, pooled: bool) -> String {
        let (order, tokenisation) = (self.order, self.tokenisation);
        let over = if pooled { "pooled" } else { "mean" };
        format!("distinct|order:{order}|tok:{tokenisation}|over:{over}")
    }
}

/// The n-grams of many responses together.
#[derive(Clone, Debug)]
pub struct DistinctPool {
    metric: Distinct,
    vocabulary: FxHashMap<Box<str>, u64>,
    /// Beginning and last token to the number of the n-gram, by length from 2 on.
    grams: Vec<FxHashMap<(u64, u64), u64>>,
    total: u64,
}

impl DistinctPool {
    /// Adds a response, and gives the numbers of its n-grams, from 0: equal n-grams of the pool have the
    /// same one.
    pub fn add(&mut self, text: &str) -> Vec<u64> {
        let words = self.metric.tokenisation.words(text);
        let mut tokens = Vec::with_capacity(words.len());
        for word in words.iter() {
            let next = self.vocabulary.len() as u64;
            tokens.push(match self.vocabulary.get(word) {
                Some(known) => *known,
                None => *self.vocabulary.entry(word.into()).or_insert(next),
            });
        }
        let mut grams = tokens.clone();
        for (longer, numbers) in (1..).zip(&mut self.grams) {
            let lasts = tokens.iter().skip(longer);
            let longer = grams.iter().zip(lasts).map(|(beginning, last)| {
                let next = numbers.len() as u64;
                *numbers.entry((*beginning, *last)).or_insert(next)
            });
            grams = longer.collect();
        }
        self.total += grams.len() as u64;
        grams
    }

    /// The counts of all responses so far.
    pub fn counts(&self) -> DistinctCounts {
        let unique = match self.grams.last() {
            Some(grams) => grams.len(),
            None => self.vocabulary.len(),
        };
        DistinctCounts { unique: unique as u64, total: self.total }
    }
}
