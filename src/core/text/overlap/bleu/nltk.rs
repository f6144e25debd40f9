//! BLEU as NLTK 3.10.4 computes it (`sentence_bleu`, `corpus_bleu`), from 0 to 1.

use super::super::numbered::Numbered;
use super::super::tokens::Tokenisation;
use super::{BleuCounts, ORDERS};

/// Stand-ins for n-gram precisions of 0 (Chen and Cherry, 2014; numbers are theirs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Smoothing {
    /// The smallest number there is: the score is nearly 0, about 1e-155 to 1e-231.
    None,
    /// 0.1 matches.
    M1,
    /// One match and one n-gram more, beyond single tokens.
    M2,
    /// A half, then a quarter, and so on of a match.
    M3,
    /// By the length of the response, then each precision is averaged with its neighbours. Values may
    /// exceed 1.
    M7,
}

names! { Smoothing, name: None => "none", M1 => "m1", M2 => "m2", M3 => "m3", M7 => "m7" }

impl Smoothing {
    /// BLEU-1 to BLEU-4 with equal weights.
    pub fn cumulative(self, counts: &BleuCounts) -> [f64; ORDERS] {
        std::array::from_fn(|order| self.up_to(order + 1, counts))
    }

    fn up_to(self, order: usize, counts: &BleuCounts) -> f64 {
        if counts.matches[0] == 0 {
            return 0.0;
        }
        let precisions = self.precisions(order, counts);
        let weight = 1.0 / order as f64;
        let sum: f64 =
            precisions.iter().take(order).filter(|value| **value > 0.0).map(|value| weight * value.ln()).sum();
        counts.brevity() * sum.exp()
    }

    /// The first `order` precisions, smoothed.
    fn precisions(self, order: usize, counts: &BleuCounts) -> [f64; ORDERS] {
        let mut precisions = [0.0; ORDERS];
        let mut zeros = 0;
        for (index, precision) in precisions.iter_mut().take(order).enumerate() {
            let (matches, total) = (counts.matches[index] as f64, counts.padded[index] as f64);
            let exact = matches / total;
            if self == Self::M2 && index > 0 {
                *precision = (matches + 1.0) / (total + 1.0);
            } else if counts.matches[index] > 0 {
                *precision = exact;
            } else {
                zeros += 1;
                *precision = match self {
                    Self::None => f64::MIN_POSITIVE,
                    Self::M1 => 0.1 / total,
                    Self::M2 => exact,
                    Self::M3 => 0.5_f64.powi(zeros) / total,
                    Self::M7 => by_length(zeros, counts.hypothesis_length) / total,
                };
            }
        }
        if self == Self::M7 {
            let (matches, total) = counts.fifth;
            let behind_all = matches as f64 / total.max(1) as f64;
            with_neighbours(&mut precisions, order, behind_all);
        }
        precisions
    }
}

/// Method 4: the longer the response, the more a missing match is worth; nothing for a single token.
fn by_length(zeros: i32, length: u64) -> f64 {
    const K: f64 = 5.0;
    if length > 1 { 1.0 / (2.0_f64.powi(zeros) * K / (length as f64).ln()) } else { 0.0 }
}

/// Method 5: each precision is the mean of the one before (already averaged), itself and the one
/// behind. Behind the last comes the one of 5-grams, whichever the last is.
fn with_neighbours(precisions: &mut [f64; ORDERS], order: usize, behind_all: f64) {
    let given = *precisions;
    let mut before = given[0] + 1.0;
    for index in 0..order {
        let behind = if index + 1 < order { given[index + 1] } else { behind_all };
        before = (before + given[index] + behind) / 3.0;
        precisions[index] = before;
    }
}

shown_as!(Smoothing, name);

/// Which BLEU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// BLEU-1.
    One,
    /// BLEU-2: n-grams up to 2, with equal weights.
    Two,
    /// BLEU-3.
    Three,
    /// BLEU-4.
    Four,
    /// The mean of the four ("Avg.BLEU").
    Mean,
}

/// NLTK's BLEU of one pair or a corpus, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bleu {
    /// The tokenisation.
    pub tokenisation: Tokenisation,
    /// The stand-in for precisions of 0.
    pub smoothing: Smoothing,
    /// Which BLEU.
    pub order: Order,
}

impl Bleu {
    /// BLEU of one response with its references.
    pub fn sentence(&self, hypothesis: &str, references: &[impl AsRef<str>]) -> f64 {
        let pair = Numbered::new(self.tokenisation, hypothesis, references);
        self.score(&BleuCounts::of(&pair))
    }

    /// BLEU of what was counted, of one pair or many.
    pub fn score(&self, counts: &BleuCounts) -> f64 {
        let up_to = |order| self.smoothing.up_to(order, counts);
        match self.order {
            Order::One => up_to(1),
            Order::Two => up_to(2),
            Order::Three => up_to(3),
            Order::Four => up_to(4),
            Order::Mean => (up_to(1) + up_to(2) + up_to(3) + up_to(4)) / 4.0,
        }
    }

    /// The signature of the number.
    pub fn signature(&self) -> String {
        let order = match self.order {
            Order::One => "1",
            Order::Two => "2",
            Order::Three => "3",
            Order::Four => "4",
            Order::Mean => "1-4 mean",
        };
        let (tokenisation, smoothing) = (self.tokenisation, self.smoothing);
        format!("nltk-bleu|order:{order}|tok:{tokenisation}|smooth:{smoothing}")
    }
}
