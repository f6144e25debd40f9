//! Types that all metrics share: the number of references, and precision with recall.

use std::fmt;

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
    /// Those of two pools together.
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

    #[test]
    fn counts_of_references_that_differ_vary() {
        let all = References::Unknown.and(References::Same(2)).and(References::Same(2));
        assert_eq!(all.to_string(), "2");
        assert_eq!(all.and(References::Same(1)).to_string(), "var");
    }
}
