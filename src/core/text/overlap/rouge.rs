//! ROUGE (Lin, 2004) as three programs compute it, from 0 to 1.

use rustc_hash::FxHashMap;

use super::numbered::{Grams, Numbered, PrecisionRecall};
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
            let common = common_length(hypothesis, reference) as u64;
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
        let common = common_length(hypothesis, reference) as f64;
        precision = precision.max(common / hypothesis.len() as f64);
        recall = recall.max(common / reference.len().max(1) as f64);
    }
    if precision == 0.0 || recall == 0.0 {
        return Some(0.0);
    }
    let factor = BETA * BETA;
    Some((1.0 + factor) * precision * recall / (recall + factor * precision))
}

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
fn shares(grams: &mut Grams<'_>, references: usize) -> PrecisionRecall {
    let hypothesis = grams.length(0) as u64;
    PrecisionRecall::best((0..references).map(|index| {
        let reference = grams.length(index + 1) as u64;
        PrecisionRecall::of_counts(grams.shared(index), hypothesis, reference)
    }))
}

/// How many elements the longest subsequence of both has. Rows of the usual table are bits of machine
/// words: a row is made from the one before with an addition and few other operations per 64 columns
/// (Crochemore and others, "A fast and practical bit-vector algorithm for the longest common
/// subsequence problem", 2001).
fn common_length(one: &[u32], other: &[u32]) -> usize {
    let words = one.len().div_ceil(64);
    let mut places: FxHashMap<u32, Vec<(usize, u64)>> = FxHashMap::default();
    for (place, element) in one.iter().enumerate() {
        let of_element = places.entry(*element).or_default();
        let (word, bit) = (place / 64, 1 << (place % 64));
        match of_element.last_mut() {
            Some((last, bits)) if *last == word => *bits |= bit,
            _ => of_element.push((word, bit)),
        }
    }
    let mut row = vec![u64::MAX; words];
    for element in other {
        let Some(of_element) = places.get(element) else {
            continue;
        };
        let mut of_element = of_element.iter().copied().peekable();
        let mut carry = false;
        for (index, bits) in row.iter_mut().enumerate() {
            let here = of_element.next_if(|(word, _)| *word == index);
            let mask = here.map_or(0, |(_, mask)| mask);
            let (sum, first) = bits.overflowing_add(*bits & mask);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *bits = sum | (*bits & !mask);
        }
    }
    // Columns behind the last element match nothing: their bits stay set.
    row.iter().map(|bits| bits.count_zeros() as usize).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The usual table.
    fn by_table(one: &[u32], other: &[u32]) -> usize {
        let mut row = vec![0; other.len() + 1];
        for element in one {
            let mut diagonal = 0;
            for (column, candidate) in other.iter().enumerate() {
                let above = row[column + 1];
                row[column + 1] = if element == candidate { diagonal + 1 } else { above.max(row[column]) };
                diagonal = above;
            }
        }
        row[other.len()]
    }

    #[test]
    fn gaps_are_allowed() {
        assert_eq!(common_length(&[1, 2, 3, 4, 1], &[3, 1, 9, 4, 1]), 3);
        assert_eq!(common_length(&[], &[1]), 0);
    }

    proptest! {
        #[test]
        fn bits_say_what_the_table_says(
            one in prop::collection::vec(0_u32..6, 0..200),
            other in prop::collection::vec(0_u32..6, 0..200),
        ) {
            prop_assert_eq!(common_length(&one, &other), by_table(&one, &other));
        }
    }
}
