//! BLEU (Papineni and others, 2002) as three libraries compute it, from the same counts.

mod nltk;
mod sacre;

use super::numbered::{Grams, Numbered, References};

pub use nltk::{Bleu, Order, Smoothing};
pub use sacre::{SacreBleu, SacreScore, SacreVersion};

/// The longest n-grams of BLEU.
const ORDERS: usize = 4;

/// The counts from which BLEU of a corpus is computed; those of pairs can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BleuCounts {
    /// Tokens of the responses.
    pub hypothesis_length: u64,
    /// Tokens of the references whose lengths are closest.
    pub reference_length: u64,
    /// N-grams that are in a reference too, by length from 1 to 4.
    pub matches: [u64; ORDERS],
    /// N-grams of the responses.
    pub totals: [u64; ORDERS],
    /// N-grams of the responses where one that is too short counts as having one.
    padded: [u64; ORDERS],
    /// Matches and padded total of 5-grams of the pair that was added last, which one smoothing asks for.
    fifth: (u64, u64),
    references: References,
}

impl BleuCounts {
    /// The counts of one pair.
    pub fn of(pair: &Numbered) -> Self {
        let mut counts = Self {
            hypothesis_length: pair.hypothesis().len() as u64,
            reference_length: pair.closest_length() as u64,
            references: References::Same(pair.reference_count()),
            ..Self::default()
        };
        let mut grams = Grams::new(pair);
        for order in 0..ORDERS {
            let total = grams.length(0) as u64;
            counts.matches[order] = grams.clipped();
            counts.totals[order] = total;
            counts.padded[order] = total.max(1);
            grams.grow();
        }
        counts.fifth = (grams.clipped(), grams.length(0).max(1) as u64);
        counts
    }

    /// Adds the counts of other pairs.
    pub fn add(&mut self, other: &Self) {
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
        for order in 0..ORDERS {
            self.matches[order] += other.matches[order];
            self.totals[order] += other.totals[order];
            self.padded[order] += other.padded[order];
        }
        self.fifth = other.fifth;
        self.references = self.references.and(other.references);
    }

    /// The brevity penalty of responses that are shorter than their references, from 0 to 1.
    fn brevity(&self) -> f64 {
        let (hypothesis, reference) = (self.hypothesis_length, self.reference_length);
        if hypothesis >= reference {
            1.0
        } else if hypothesis == 0 {
            0.0
        } else {
            (1.0 - reference as f64 / hypothesis as f64).exp()
        }
    }

    /// BLEU of all four orders without smoothing, from 0 to 1, as `bleu.py` of TensorFlow's NMT and Hugging Face's
    /// `evaluate` compute it: 0 if one precision is. None if the responses or the references have no token, where these
    /// divide by zero.
    pub fn unsmoothed(&self) -> Option<f64> {
        if self.hypothesis_length == 0 || self.reference_length == 0 {
            return None;
        }
        let precisions = self.matches.iter().zip(self.totals);
        let logarithm = |(matches, total): (&u64, u64)| (*matches as f64 / total as f64).ln() / ORDERS as f64;
        let is_zero = self.matches.contains(&0);
        let sum: f64 = precisions.map(logarithm).sum();
        Some(if is_zero { 0.0 } else { sum.exp() * self.brevity() })
    }

    /// The number of references of the pairs.
    pub fn references(&self) -> References {
        self.references
    }
}

impl<'a> FromIterator<&'a BleuCounts> for BleuCounts {
    fn from_iter<T: IntoIterator<Item = &'a Self>>(all: T) -> Self {
        let mut sum = Self::default();
        all.into_iter().for_each(|counts| sum.add(counts));
        sum
    }
}

/// Keeps logarithms from 0.
const TINY: f64 = 1e-15;
/// Keeps divisors from 0.
const SMALL: f64 = 1e-9;

/// The captions' BLEU-1 to BLEU-4 of what was counted; absent if all responses were empty.
pub fn caption_bleu(counts: &BleuCounts) -> Option<[f64; ORDERS]> {
    if counts.hypothesis_length == 0 {
        return None;
    }
    let mut product = 1.0;
    let mut scores = [0.0; ORDERS];
    let hypothesis = counts.hypothesis_length as f64 + TINY;
    let ratio = hypothesis / (counts.reference_length as f64 + SMALL);
    let penalty = if ratio < 1.0 { (1.0 - 1.0 / ratio).exp() } else { 1.0 };
    for (index, score) in scores.iter_mut().enumerate() {
        let matches = counts.matches[index] as f64 + TINY;
        product *= matches / (counts.totals[index] as f64 + SMALL);
        *score = 100.0 * (product.powf(1.0 / (index + 1) as f64) * penalty);
    }
    Some(scores)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::Tokenisation;
    use super::*;

    #[test]
    fn without_smoothing_one_order_without_a_match_is_nothing() {
        let score = |hypothesis: &str, reference: &str| {
            BleuCounts::of(&Numbered::new(Tokenisation::V13a, hypothesis, &[reference])).unsmoothed()
        };
        assert_eq!(score("a b c d", "a b c d"), Some(1.0));
        assert_eq!(score("a b c", "a b c"), Some(0.0));
        let short = score("a b c d", "a b c d e").unwrap();
        assert!((short - (-0.25_f64).exp()).abs() < 1e-12);
        assert_eq!((score("", "a"), score("a", "")), (None, None));
    }
}
