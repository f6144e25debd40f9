//! F1 of tokens, as question answering and dialogue count it.

use super::numbered::{Grams, Numbered};
use super::references::PrecisionRecall;
use super::tokens::Tokenisation;

/// F1 of the tokens that a response and a reference have in common, however they are ordered; with
/// several references, of the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct F1 {
    /// How texts are normalised and cut.
    pub tokenisation: Tokenisation,
}

impl F1 {
    /// As SQuAD's evaluation counts.
    pub const SQUAD: Self = Self { tokenisation: Tokenisation::Squad };
    /// As ParlAI counts.
    pub const PARLAI: Self = Self { tokenisation: Tokenisation::Parlai };
    /// Of characters, for Chinese.
    pub const CHAR: Self = Self { tokenisation: Tokenisation::Char };

    /// F1 of one response.
    pub fn sentence(&self, hypothesis: &str, references: &[impl AsRef<str>]) -> PrecisionRecall {
        Self::of(&Numbered::new(self.tokenisation, hypothesis, references))
    }

    /// F1 of a pair that is already cut.
    pub fn of(pair: &Numbered) -> PrecisionRecall {
        let mut grams = Grams::new(pair);
        shares(&mut grams, pair.reference_count())
    }

    /// The signature of the number.
    pub fn signature(&self) -> String {
        format!("f1|tok:{}|refs:best", self.tokenisation)
    }
}

/// Shares of common n-grams with the best reference.
pub(super) fn shares(grams: &mut Grams<'_>, references: usize) -> PrecisionRecall {
    let hypothesis = grams.length(0) as u64;
    PrecisionRecall::best((0..references).map(|index| {
        let reference = grams.length(index + 1) as u64;
        PrecisionRecall::of_counts(grams.shared(index), hypothesis, reference)
    }))
}
