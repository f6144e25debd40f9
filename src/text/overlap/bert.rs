//! The last steps of BERTScore (Zhang and others, 2020) as bert-score 0.3.13 does them: from vectors of
//! tokens to precision, recall and F1. Where the vectors come from is for others to say; without
//! vectors of single tokens there is no BERTScore.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::references::PrecisionRecall;

/// The vectors of a text's tokens, special tokens at both ends included, with their weights.
#[derive(Clone, Copy, Debug)]
pub struct Embedded<'a> {
    /// One vector a token, of any length.
    pub vectors: &'a [Vec<f64>],
    /// One weight a token: [`Idf::weight`], or 1, and 0 for special tokens.
    pub weights: &'a [f64],
}

/// Why vectors cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BertError {
    /// Weights do not fit.
    #[error("{vectors} token vectors of the {side} have {weights} weights; give each one")]
    Weights {
        /// `response` or `reference`.
        side: &'static str,
        /// Vectors there.
        vectors: usize,
        /// Weights there.
        weights: usize,
    },
    /// Vectors are of different sizes.
    #[error(
        "token {token} of the {side} has {found} dimensions, others have {expected}; take all vectors from one layer of one model"
    )]
    Dimensions {
        /// `response` or `reference`.
        side: &'static str,
        /// Its place, from 0.
        token: usize,
        /// Its size.
        found: usize,
        /// The size of the first.
        expected: usize,
    },
    /// A vector has no direction.
    #[error("token {token} of the {side} has a vector that is zero or not finite")]
    Direction {
        /// `response` or `reference`.
        side: &'static str,
        /// Its place, from 0.
        token: usize,
    },
}

/// Which sides the original filled up to the longest text of a batch. Similarities with filling are 0,
/// so that no best similarity is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Padding {
    /// The response was filled up.
    pub hypothesis: bool,
    /// The reference was filled up.
    pub reference: bool,
}

/// Each token with its most similar one on the other side, weighted. A text of nothing but its two
/// special tokens gives 0. If all weights of a side are 0, its share is no number and F1 is 0.
///
/// # Errors
/// When vectors and weights do not fit together.
pub fn greedy(
    hypothesis: Embedded<'_>,
    reference: Embedded<'_>,
    padding: Padding,
) -> Result<PrecisionRecall, BertError> {
    let dimensions = hypothesis.vectors.first().or(reference.vectors.first());
    let dimensions = dimensions.map_or(0, Vec::len);
    let responses = directions("response", hypothesis, dimensions)?;
    let references = directions("reference", reference, dimensions)?;
    if responses.len() <= 2 || references.len() <= 2 {
        return Ok(PrecisionRecall::default());
    }
    let floor = |padded: bool| if padded { 0.0 } else { f64::NEG_INFINITY };
    let mut of_responses = vec![floor(padding.reference); responses.len()];
    let mut of_references = vec![floor(padding.hypothesis); references.len()];
    for (response, best) in responses.iter().zip(&mut of_responses) {
        for (reference, other_best) in references.iter().zip(&mut of_references) {
            let pairs = response.iter().zip(reference);
            let similarity: f64 = pairs.map(|(one, other)| one * other).sum();
            *best = best.max(similarity);
            *other_best = other_best.max(similarity);
        }
    }
    let precision = weighted(&of_responses, hypothesis.weights);
    let recall = weighted(&of_references, reference.weights);
    let f1 = 2.0 * precision * recall / (precision + recall);
    Ok(PrecisionRecall { precision, recall, f1: if f1.is_finite() { f1 } else { 0.0 } })
}

/// Vectors of length 1.
fn directions(side: &'static str, text: Embedded<'_>, expected: usize) -> Result<Vec<Vec<f64>>, BertError> {
    let (vectors, weights) = (text.vectors.len(), text.weights.len());
    if vectors != weights {
        return Err(BertError::Weights { side, vectors, weights });
    }
    let direction = |(token, vector): (usize, &Vec<f64>)| {
        let found = vector.len();
        if found != expected {
            return Err(BertError::Dimensions { side, token, found, expected });
        }
        let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
        if length == 0.0 || !length.is_finite() {
            return Err(BertError::Direction { side, token });
        }
        Ok(vector.iter().map(|value| value / length).collect())
    };
    text.vectors.iter().enumerate().map(direction).collect()
}

fn weighted(best: &[f64], weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let parts = best.iter().zip(weights);
    parts.map(|(best, weight)| best * (weight / sum)).sum()
}

/// The best precision, the best recall and the best F1 of several references, each for itself; absent
/// without references. What is no number stays none.
pub fn best_of(all: &[PrecisionRecall]) -> Option<PrecisionRecall> {
    let larger = |one: f64, other: f64| {
        if one.is_nan() || one > other { one } else { other }
    };
    all.iter().copied().reduce(|best, next| PrecisionRecall {
        precision: larger(best.precision, next.precision),
        recall: larger(best.recall, next.recall),
        f1: larger(best.f1, next.f1),
    })
}

/// How rare tokens are among references, special tokens included. These are in every reference, so
/// that their weight is 0 by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Idf<T: Eq + Hash> {
    references: usize,
    frequencies: FxHashMap<T, usize>,
}

impl<T: Eq + Hash + Clone> Idf<T> {
    /// Counts in how many references each token occurs.
    pub fn new<'a>(references: impl IntoIterator<Item = &'a [T]>) -> Self
    where
        T: 'a,
    {
        let mut idf = Self { references: 0, frequencies: FxHashMap::default() };
        for tokens in references {
            idf.references += 1;
            let distinct: FxHashSet<&T> = tokens.iter().collect();
            for token in distinct {
                *idf.frequencies.entry(token.clone()).or_insert(0) += 1;
            }
        }
        idf
    }

    /// The weight of a token: ln((N + 1) / (n + 1)) for one that n of N references hold.
    pub fn weight(&self, token: &T) -> f64 {
        let frequency = self.frequencies.get(token).copied().unwrap_or(0);
        ((self.references + 1) as f64 / (frequency + 1) as f64).ln()
    }
}
