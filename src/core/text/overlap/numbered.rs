//! Tokens as small numbers, their n-grams, and what all metrics share: the number of references, and precision with
//! recall.

use std::fmt;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::tokens::{Tokenisation, Tokens};
use super::unicode::is_space;

/// A response and its references, cut into tokens that are numbered within the pair: equal tokens have
/// equal numbers. Metrics with the same tokenisation share one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbered {
    ids: Vec<u32>,
    /// Where each text begins, and where the last ends. The response is the first text.
    bounds: Vec<usize>,
    distinct: usize,
}

impl Numbered {
    /// Cuts and numbers a response and its references.
    pub fn new(tokenisation: Tokenisation, hypothesis: &str, references: &[impl AsRef<str>]) -> Self {
        let references = references.iter().map(AsRef::as_ref);
        let texts = std::iter::once(hypothesis).chain(references);
        if tokenisation == Tokenisation::Char {
            return Self::of(texts.map(|text| text.chars().filter(|letter| !is_space(*letter))));
        }
        let words: Vec<_> = texts.map(|text| tokenisation.words(text)).collect();
        Self::of(words.iter().map(Tokens::iter))
    }

    /// Numbers the tokens of each text.
    fn of<T: Eq + Hash>(texts: impl Iterator<Item = impl Iterator<Item = T>>) -> Self {
        let mut numbers = FxHashMap::default();
        let mut numbered = Self::default();
        for tokens in texts {
            numbered.bounds.push(numbered.ids.len());
            for token in tokens {
                let next = numbers.len() as u32;
                numbered.ids.push(*numbers.entry(token).or_insert(next));
            }
        }
        numbered.bounds.push(numbered.ids.len());
        numbered.distinct = numbers.len();
        numbered
    }

    /// The response's tokens.
    pub fn hypothesis(&self) -> &[u32] {
        self.text(0)
    }

    /// Each reference's tokens.
    pub fn references(&self) -> impl Iterator<Item = &[u32]> {
        (1..self.texts()).map(|index| self.text(index))
    }

    /// How many references there are.
    pub fn reference_count(&self) -> usize {
        self.texts().saturating_sub(1)
    }

    /// The length of the reference that is closest to the response's, the shorter of two; 0 without
    /// references.
    pub(super) fn closest_length(&self) -> usize {
        let length = self.hypothesis().len();
        self.references().map(<[u32]>::len).min_by_key(|other| (other.abs_diff(length), *other)).unwrap_or(0)
    }

    fn texts(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        match (self.bounds.get(index), self.bounds.get(index + 1)) {
            (Some(start), Some(end)) => *start..*end,
            _ => 0..0,
        }
    }

    fn text(&self, index: usize) -> &[u32] {
        self.ids.get(self.range(index)).unwrap_or_default()
    }
}

/// No n-gram of the response.
const FOREIGN: u32 = u32::MAX;

/// The n-grams of a response and its references, numbered by those of the response; others are all
/// foreign. Begins with single tokens and grows by one token at a time: an n-gram is the number of its
/// beginning with its last token, so that no n-gram is ever written out.
#[derive(Debug)]
pub(super) struct Grams<'a> {
    tokens: &'a Numbered,
    ids: Vec<u32>,
    order: usize,
    distinct: usize,
    pairs: FxHashMap<u64, u32>,
    /// How often the response has each, and how often a reference or the best reference has it.
    counts: [Vec<u32>; 3],
}

impl<'a> Grams<'a> {
    /// Single tokens.
    pub(super) fn new(tokens: &'a Numbered) -> Self {
        let mut grams = Self {
            tokens,
            ids: tokens.ids.clone(),
            order: 1,
            distinct: tokens.distinct,
            pairs: FxHashMap::default(),
            counts: Default::default(),
        };
        grams.count(0);
        grams
    }

    /// Grows by one token.
    pub(super) fn grow(&mut self) {
        self.order += 1;
        self.pairs.clear();
        for index in 0..self.tokens.texts() {
            let range = self.tokens.range(index);
            let start = range.start;
            let end = start + self.length(index);
            for at in start..end {
                let last = self.tokens.ids.get(at + self.order - 1);
                let (Some(id), Some(last)) = (self.ids.get_mut(at), last) else {
                    continue;
                };
                let next = self.pairs.len() as u32;
                let key = (u64::from(*id) << 32) | u64::from(*last);
                *id = match (index, *id) {
                    (0, _) => *self.pairs.entry(key).or_insert(next),
                    (_, FOREIGN) => FOREIGN,
                    _ => self.pairs.get(&key).copied().unwrap_or(FOREIGN),
                };
            }
        }
        self.distinct = self.pairs.len();
        self.count(0);
    }

    /// How many n-grams a text has; the response is text 0.
    pub(super) fn length(&self, index: usize) -> usize {
        (self.tokens.range(index).len() + 1).saturating_sub(self.order)
    }

    /// How many n-grams the response has, without repetitions.
    pub(super) fn distinct(&self) -> usize {
        let [hypothesis, ..] = &self.counts;
        hypothesis.iter().filter(|count| **count > 0).count()
    }

    fn text(&self, index: usize) -> &[u32] {
        let start = self.tokens.range(index).start;
        self.ids.get(start..start + self.length(index)).unwrap_or_default()
    }

    /// Counts the n-grams of the response, or of a reference.
    fn count(&mut self, text: usize) {
        let place = text.min(1);
        let mut counts = std::mem::take(&mut self.counts[place]);
        counts.clear();
        counts.resize(self.distinct, 0);
        for id in self.text(text) {
            if let Some(count) = counts.get_mut(*id as usize) {
                *count += 1;
            }
        }
        self.counts[place] = counts;
    }

    /// N-grams that the response shares with one reference, each as often as the rarer side has it.
    pub(super) fn shared(&mut self, reference: usize) -> u64 {
        self.count(reference + 1);
        let [hypothesis, reference, _] = &self.counts;
        smaller(hypothesis, reference)
    }

    /// N-grams that the response shares with its references, each at most as often as the reference
    /// that has it most.
    pub(super) fn clipped(&mut self) -> u64 {
        match self.tokens.reference_count() {
            0 => 0,
            1 => self.shared(0),
            several => {
                let mut best = std::mem::take(&mut self.counts[2]);
                best.clear();
                best.resize(self.distinct, 0);
                for reference in 0..several {
                    self.shared(reference);
                    for (best, count) in best.iter_mut().zip(&self.counts[1]) {
                        *best = (*best).max(*count);
                    }
                }
                self.counts[2] = best;
                let [hypothesis, _, best] = &self.counts;
                smaller(hypothesis, best)
            }
        }
    }
}

fn smaller(one: &[u32], other: &[u32]) -> u64 {
    one.iter().zip(other).map(|(one, other)| u64::from(*one.min(other))).sum()
}

/// The number of references of the pairs of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum References {
    /// No pair yet.
    #[default]
    Unknown,
    /// Every pair has as many.
    Same(usize),
    /// Pairs differ.
    Varying,
}

impl References {
    /// References of two pools together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, known) | (known, Self::Unknown) => known,
            (one, another) if one == another => one,
            _ => Self::Varying,
        }
    }
}

impl fmt::Display for References {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => formatter.write_str("0"),
            Self::Same(count) => count.fmt(formatter),
            Self::Varying => formatter.write_str("var"),
        }
    }
}

/// Precision, recall and their harmonic mean; mostly shares of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PrecisionRecall {
    /// Share of the response that a reference holds too.
    pub precision: f64,
    /// Share of the reference that the response holds too.
    pub recall: f64,
    /// The harmonic mean; 0 if both are 0.
    pub f1: f64,
}

impl PrecisionRecall {
    /// Precision and recall with their harmonic mean.
    pub(super) fn new(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Self { precision, recall, f1 }
    }

    /// Shares of what two sides have in common; all 0 if a side is empty.
    pub(super) fn of_counts(common: u64, hypothesis: u64, reference: u64) -> Self {
        let share = |all: u64| common as f64 / all.max(1) as f64;
        Self::new(share(hypothesis), share(reference))
    }

    /// The one with the highest harmonic mean, the first of equals; zeros if there is none.
    pub(super) fn best(all: impl Iterator<Item = Self>) -> Self {
        all.reduce(|best, next| if next.f1 > best.f1 { next } else { best }).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(hypothesis: &str, references: &[&str]) -> Numbered {
        Numbered::new(Tokenisation::Ws, hypothesis, references)
    }

    #[test]
    fn shared_grams_are_clipped_by_the_best_reference() {
        let pair = numbered("a a b a b", &["a a c", "a b a b d", ""]);
        let mut grams = Grams::new(&pair);
        assert_eq!((grams.clipped(), grams.shared(0), grams.shared(1)), (4, 2, 4));
        assert_eq!((grams.distinct(), grams.length(0), grams.length(3)), (2, 5, 0));
        grams.grow();
        assert_eq!((grams.clipped(), grams.shared(0), grams.shared(1)), (4, 1, 3));
        assert_eq!((grams.distinct(), grams.length(0), grams.length(1)), (3, 4, 2));
    }

    #[test]
    fn the_closest_length_is_the_shorter_of_two() {
        let pair = numbered("a b c", &["a", "a b c d", "a b"]);
        assert_eq!(pair.closest_length(), 2);
        assert_eq!(numbered("a", &[]).closest_length(), 0);
    }

    #[test]
    fn counts_of_references_that_differ_vary() {
        let all = References::Unknown.and(References::Same(2)).and(References::Same(2));
        assert_eq!(all.to_string(), "2");
        assert_eq!(all.and(References::Same(1)).to_string(), "var");
    }
}
