//! BLEU as sacreBLEU computes it (Post, 2018), from 0 to 100.

use super::super::numbered::{Numbered, References};
use super::super::tokens::Tokenisation;
use super::{BleuCounts, ORDERS};

/// The logarithm that sacreBLEU takes for that of 0.
const LOGARITHM_OF_ZERO: f64 = -9_999_999_999.0;

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SacreVersion {
    /// Without any match the score is 0.
    V2_6_0,
    /// The score is smoothed even without any match, and references that are empty do not count.
    V1_5_1,
}

/// sacreBLEU of one pair or a corpus, whose precisions of 0 are smoothed as the library does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SacreBleu {
    /// How texts are cut: `13a`, `intl`, `zh`, `char` or `none`.
    pub tokenisation: Tokenisation,
    /// N-grams that no response is long enough for are left out, as is usual for single sentences.
    pub effective_order: bool,
    /// Whose rules hold.
    pub version: SacreVersion,
}

/// A score with what it is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SacreScore {
    /// From 0 to 100.
    pub score: f64,
    /// N-grams that are in a reference too, by length from 1 to 4.
    pub matches: [u64; ORDERS],
    /// N-grams of the responses.
    pub totals: [u64; ORDERS],
    /// Precisions by length, from 0 to 100, smoothed; all 0 if the rules give no score.
    pub precisions: [f64; ORDERS],
    /// The brevity penalty of responses that are shorter than their references, from 0 to 1.
    pub brevity_penalty: f64,
    /// Tokens of the responses.
    pub hypothesis_length: u64,
    /// Tokens of the references whose lengths are closest.
    pub reference_length: u64,
}

impl SacreBleu {
    /// The usual corpus BLEU of version 2.6.0 with a tokenisation.
    pub const fn corpus(tokenisation: Tokenisation) -> Self {
        Self { tokenisation, effective_order: false, version: SacreVersion::V2_6_0 }
    }

    /// The counts of one pair.
    pub fn counts(&self, hypothesis: &str, references: &[impl AsRef<str>]) -> BleuCounts {
        let cut = |references: &[&str]| Numbered::new(self.tokenisation, hypothesis, references);
        let mut references: Vec<&str> = references.iter().map(AsRef::as_ref).collect();
        if self.version == SacreVersion::V1_5_1 {
            references.retain(|reference| !reference.is_empty());
        }
        BleuCounts::of(&cut(&references))
    }

    /// The score of one pair.
    pub fn sentence(&self, hypothesis: &str, references: &[impl AsRef<str>]) -> SacreScore {
        self.score(&self.counts(hypothesis, references))
    }

    /// The score of what was counted.
    pub fn score(&self, counts: &BleuCounts) -> SacreScore {
        let mut score = SacreScore {
            score: 0.0,
            matches: counts.matches,
            totals: counts.totals,
            precisions: [0.0; ORDERS],
            brevity_penalty: counts.brevity(),
            hypothesis_length: counts.hypothesis_length,
            reference_length: counts.reference_length,
        };
        let matchless = counts.matches.iter().all(|matches| *matches == 0);
        if matchless && self.version == SacreVersion::V2_6_0 {
            return score;
        }
        let mut order = ORDERS;
        let mut part = 1.0;
        for index in 0..ORDERS {
            let (matches, total) = (counts.matches[index], counts.totals[index] as f64);
            if counts.totals[index] == 0 {
                break;
            }
            if self.effective_order {
                order = index + 1;
            }
            if matches > 0 {
                score.precisions[index] = 100.0 * matches as f64 / total;
            } else {
                // A half, then a quarter, and so on of a match (`exp`).
                part *= 2.0;
                score.precisions[index] = 100.0 / (part * total);
            }
        }
        let mean = score
            .precisions
            .iter()
            .take(order)
            .map(|precision| if *precision == 0.0 { LOGARITHM_OF_ZERO } else { precision.ln() })
            .sum::<f64>()
            / order as f64;
        score.score = score.brevity_penalty * mean.exp();
        score
    }

    /// The signature of the number in the library's own words.
    pub fn signature(&self, references: References) -> String {
        let tokenisation = self.tokenisation;
        let order = if self.effective_order { "yes" } else { "no" };
        match self.version {
            SacreVersion::V2_6_0 => {
                format!("nrefs:{references}|case:mixed|eff:{order}|tok:{tokenisation}|smooth:exp|version:2.6.0")
            }
            SacreVersion::V1_5_1 => {
                format!("BLEU+case.mixed+numrefs.{references}+smooth.exp+tok.{tokenisation}+version.1.5.1")
            }
        }
    }
}
