//! ROUGE (Lin, 2004) as three programs compute it, from 0 to 1.

use super::f1::shares;
use super::lcs;
use super::numbered::{Grams, Numbered};
use super::references::PrecisionRecall;
use super::tokens::Tokenisation;

/// The units that ROUGE compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RougeKind {
    /// Single words.
    One,
    /// Pairs of words.
    Two,
    /// The longest common subsequence of words.
    L,
}

/// ROUGE as the package rouge-score 0.1.2 computes it; with several references, of the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rouge {
    /// The units that are compared.
    pub kind: RougeKind,
    /// Words are stemmed.
    pub stem: bool,
}

impl Rouge {
    /// The tokenisation.
    pub const fn tokenisation(&self) -> Tokenisation {
        if self.stem { Tokenisation::RougeStem } else { Tokenisation::Rouge }
    }

    /// ROUGE of one response.
    pub fn sentence(&self, hypothesis: &str, references: &[impl AsRef<str>]) -> PrecisionRecall {
        let pair = Numbered::new(self.tokenisation(), hypothesis, references);
        self.of(&pair)
    }

    /// ROUGE of a pair that is already cut.
    pub fn of(&self, pair: &Numbered) -> PrecisionRecall {
        if self.kind == RougeKind::L {
            return LcsRouge::of(pair);
        }
        let mut grams = Grams::new(pair);
        if self.kind == RougeKind::Two {
            grams.grow();
        }
        shares(&mut grams, pair.reference_count())
    }

    /// The signature of the number.
    pub fn signature(&self) -> String {
        let kind = match self.kind {
            RougeKind::One => "rouge1",
            RougeKind::Two => "rouge2",
            RougeKind::L => "rougeL",
        };
        let stem = if self.stem { "porter-nltk" } else { "no" };
        format!("rouge-score|type:{kind}|stem:{stem}|refs:best|version:0.1.2")
    }
}

/// F1 of the longest common subsequence of tokens; with several references, of the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LcsRouge {
    /// The tokenisation.
    pub tokenisation: Tokenisation,
}

impl LcsRouge {
    /// ROUGE-L of one response.
    pub fn sentence(&self, hypothesis: &str, references: &[impl AsRef<str>]) -> PrecisionRecall {
        Self::of(&Numbered::new(self.tokenisation, hypothesis, references))
    }

    /// ROUGE-L of a pair that is already cut.
    pub fn of(pair: &Numbered) -> PrecisionRecall {
        let hypothesis = pair.hypothesis();
        PrecisionRecall::best(pair.references().map(|reference| {
            let common = lcs::length(hypothesis, reference) as u64;
            let (one, other) = (hypothesis.len() as u64, reference.len() as u64);
            PrecisionRecall::of_counts(common, one, other)
        }))
    }

    /// The signature of the number.
    pub fn signature(&self) -> String {
        format!("lcs-rouge-l|tok:{}|refs:best", self.tokenisation)
    }
}

/// ROUGE-L of image captions (coco-caption): the best precision and the best recall, maybe of different
/// references, and recall counts more (beta 1.2); absent if the response is empty.
pub fn caption_rouge(pair: &Numbered) -> Option<f64> {
    const BETA: f64 = 1.2;
    let hypothesis = pair.hypothesis();
    if hypothesis.is_empty() {
        return None;
    }
    let (mut precision, mut recall) = (0.0_f64, 0.0_f64);
    for reference in pair.references() {
        let common = lcs::length(hypothesis, reference) as f64;
        precision = precision.max(common / hypothesis.len() as f64);
        recall = recall.max(common / reference.len().max(1) as f64);
    }
    if precision == 0.0 || recall == 0.0 {
        return Some(0.0);
    }
    let factor = BETA * BETA;
    Some((1.0 + factor) * precision * recall / (recall + factor * precision))
}
