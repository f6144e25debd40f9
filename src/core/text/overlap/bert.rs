//! The last steps of BERTScore (Zhang and others, 2020) as bert-score 0.3.13 does them: from vectors of
//! tokens to precision, recall and F1. Where the vectors come from is for others to say; without
//! vectors of single tokens there is no BERTScore.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::numbered::PrecisionRecall;

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
    let dimensions = hypothesis.vectors.first().or(reference.vectors.first()).map_or(0, Vec::len);
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
            let similarity: f64 = response.iter().zip(reference).map(|(one, other)| one * other).sum();
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
    best.iter().zip(weights).map(|(best, weight)| best * (weight / sum)).sum()
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

/// Language, model, layer; precision, recall, F1. The models and layers that bert-score takes by
/// default.
type Row = (&'static str, &'static str, usize, [f64; 3]);

const MULTILINGUAL: &str = "bert-base-multilingual-cased";

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("en", "roberta-large", 17, [0.831_505_84, 0.831_494_1, 0.831_225_75]),
    ("zh", "bert-base-chinese", 8, [0.548_049_57, 0.548_009_1, 0.547_557_83]),
    ("en", MULTILINGUAL, 9, [0.632_052_7, 0.632_001_9, 0.631_468_95]),
    ("zh", MULTILINGUAL, 9, [0.628_403_84, 0.628_334_64, 0.628_034_53]),
    ("cs", MULTILINGUAL, 9, [0.604_453_9, 0.604_538_2, 0.604_006]),
    ("de", MULTILINGUAL, 9, [0.615_328_13, 0.615_282_24, 0.614_735_3]),
    ("es", MULTILINGUAL, 9, [0.634_744_94, 0.634_697_8, 0.634_252_9]),
    ("et", MULTILINGUAL, 9, [0.611_136_26, 0.611_176_7, 0.610_660_5]),
    ("fi", MULTILINGUAL, 9, [0.611_242_4, 0.611_190_9, 0.610_736_9]),
    ("fr", MULTILINGUAL, 9, [0.625_731_17, 0.625_736_53, 0.625_249_9]),
    ("it", MULTILINGUAL, 9, [0.620_519_94, 0.620_560_7, 0.620_062_23]),
    ("lv", MULTILINGUAL, 9, [0.614_898_26, 0.614_937_5, 0.614_489]),
    ("pt", MULTILINGUAL, 9, [0.631_467_7, 0.631_483_7, 0.630_997_06]),
];

/// The precision, recall and F1 that unrelated sentences score: of the models and layers that bert-score
/// takes by default, and of its multilingual model.
pub fn baseline(language: &str, model: &str, layer: usize) -> Option<PrecisionRecall> {
    let same = |row: &&Row| (row.0, row.1, row.2) == (language, model, layer);
    TABLE.iter().find(same).map(|row| {
        let [precision, recall, f1] = row.3;
        PrecisionRecall { precision, recall, f1 }
    })
}

/// The score where the baseline is 0 and the best is 1. Worse than the baseline is negative.
pub fn rescaled(score: PrecisionRecall, baseline: PrecisionRecall) -> PrecisionRecall {
    let rescaled = |value: f64, baseline: f64| (value - baseline) / (1.0 - baseline);
    PrecisionRecall {
        precision: rescaled(score.precision, baseline.precision),
        recall: rescaled(score.recall, baseline.recall),
        f1: rescaled(score.f1, baseline.f1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_rescaled_by_the_baseline() {
        let same = |value: f64| PrecisionRecall { precision: value, recall: value, f1: value };
        let score = PrecisionRecall { precision: 0.75, recall: 0.5, f1: 1.0 };
        let found = rescaled(score, same(0.5));
        assert_eq!((found.precision, found.recall, found.f1), (0.5, 0.0, 1.0));
    }

    #[test]
    fn known_baselines_are_found_by_all_three() {
        assert!(baseline("en", "roberta-large", 17).is_some());
        assert!(baseline("it", MULTILINGUAL, 9).is_some());
        assert!(baseline("en", "roberta-large", 16).is_none());
    }
}
