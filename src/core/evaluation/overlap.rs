//! How much responses overlap with what people responded, by the metrics that dialogue papers use: of one
//! response, and of many together. Languages go by their two letters: Chinese (`zh`) is cut into
//! characters, any other as English.

use crate::ports::Response;
use crate::text::overlap::{
    Bleu, BleuCounts, Chrf, ChrfCounts, Distinct, DistinctPool, F1, LcsRouge, Numbered, Order, References, Rouge,
    RougeKind, SacreBleu, Smoothing, Tokenisation,
};

/// The one language that is cut into characters.
const CHINESE: &str = "zh";

/// A figure of a response beside its references. All of them are shares, from 0 to 1, also those that
/// their libraries give in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overlap {
    /// NLTK's BLEU, the mean of BLEU-1 to BLEU-4 (Avg.BLEU).
    Bleu,
    /// F1 of tokens: SQuAD's for English, of characters for Chinese.
    F1,
    /// ROUGE-L: of rouge-score with stems for English, of characters for Chinese.
    RougeL,
    /// sacreBLEU.
    SacreBleu,
    /// chrF2.
    Chrf,
    /// chrF2++.
    ChrfPlus,
    /// Distinct-1 of the response.
    DistinctOne,
    /// Distinct-2 of the response.
    DistinctTwo,
}

names! { Overlap, name:
    Bleu => "bleu", F1 => "f1", RougeL => "rouge_l", SacreBleu => "sacrebleu", Chrf => "chrf",
    ChrfPlus => "chrf_plus", DistinctOne => "distinct_1", DistinctTwo => "distinct_2",
}

impl Overlap {
    /// How tables call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Bleu => "Avg.BLEU",
            Self::F1 => "F1",
            Self::RougeL => "ROUGE-L",
            Self::SacreBleu => "sacreBLEU",
            Self::Chrf => "chrF",
            Self::ChrfPlus => "chrF++",
            Self::DistinctOne => "D-1",
            Self::DistinctTwo => "D-2",
        }
    }

    /// Whether there is a value of many responses together.
    pub fn pools(self) -> bool {
        !matches!(self, Self::F1 | Self::RougeL)
    }

    /// Whether references are needed; otherwise it is about the response alone.
    pub(super) fn compares(self) -> bool {
        !matches!(self, Self::DistinctOne | Self::DistinctTwo)
    }

    /// How it is computed, where the references are as many as said.
    pub fn signature(self, language: &str, references: References) -> String {
        let means = Means::of(language);
        match self {
            Self::Bleu => format!("{}|nrefs:{references}", means.bleu().signature()),
            Self::F1 => means.f1.signature(),
            Self::RougeL => means.rouge_signature(),
            Self::SacreBleu => means.sacre().signature(references),
            Self::Chrf => Chrf::Plain.signature(references),
            Self::ChrfPlus => Chrf::PlusPlus.signature(references),
            Self::DistinctOne => means.distinct(1).signature(false),
            Self::DistinctTwo => means.distinct(2).signature(false),
        }
    }

    /// How a value of many responses together is computed.
    pub fn pooled_signature(self, language: &str, references: References) -> String {
        let means = Means::of(language);
        match self {
            Self::DistinctOne => means.distinct(1).signature(true),
            Self::DistinctTwo => means.distinct(2).signature(true),
            other => other.signature(language, references),
        }
    }
}

/// The variants for a language. TPE does not say which variants it used: these are ours
/// (`docs/papers/tpe.md`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Means {
    /// Of BLEU and Distinct.
    tokens: Tokenisation,
    f1: F1,
    /// None: of the same tokens as BLEU.
    rouge: Option<Rouge>,
    sacre: Tokenisation,
}

impl Means {
    pub(super) fn of(language: &str) -> Self {
        match language {
            CHINESE => Self { tokens: Tokenisation::Char, f1: F1::CHAR, rouge: None, sacre: Tokenisation::Zh },
            _ => Self {
                tokens: Tokenisation::LowerWs,
                f1: F1::SQUAD,
                rouge: Some(Rouge { kind: RougeKind::L, stem: true }),
                sacre: Tokenisation::V13a,
            },
        }
    }

    fn bleu(&self) -> Bleu {
        Bleu { tokenisation: self.tokens, smoothing: Smoothing::M1, order: Order::Mean }
    }

    pub(super) fn distinct(&self, order: usize) -> Distinct {
        Distinct { tokenisation: self.tokens, order }
    }

    fn sacre(&self) -> SacreBleu {
        SacreBleu::corpus(self.sacre)
    }

    fn rouge_signature(&self) -> String {
        match &self.rouge {
            Some(rouge) => rouge.signature(),
            None => LcsRouge { tokenisation: self.tokens }.signature(),
        }
    }
}

/// The figures of one response.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlaps([Option<f64>; Overlap::ALL.len()]);

impl Overlaps {
    /// Computes the figures of a response.
    pub fn of(response: &Response) -> Self {
        Measured::of(response).overlaps
    }

    /// One of them; none without a reference where it needs one.
    pub fn get(&self, overlap: Overlap) -> Option<f64> {
        self.0.get(overlap as usize).copied().flatten()
    }
}

/// The counts from which figures of a response, and those of many together, are computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    bleu: BleuCounts,
    sacre: BleuCounts,
    chrf: ChrfCounts,
    chrf_plus: ChrfCounts,
}

impl Counts {
    /// Counts a response.
    pub(super) fn of(response: &Response) -> Self {
        Measured::of(response).counts
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.bleu.add(&other.bleu);
        self.sacre.add(&other.sacre);
        self.chrf.add(&other.chrf);
        self.chrf_plus.add(&other.chrf_plus);
    }

    /// The figure, as a share; none where it is not computed from counts.
    pub(super) fn score(&self, overlap: Overlap, means: &Means) -> Option<f64> {
        match overlap {
            Overlap::Bleu => Some(means.bleu().score(&self.bleu)),
            Overlap::SacreBleu => Some(means.sacre().score(&self.sacre).score / 100.0),
            Overlap::Chrf => Some(Chrf::Plain.score(&self.chrf) / 100.0),
            Overlap::ChrfPlus => Some(Chrf::PlusPlus.score(&self.chrf_plus) / 100.0),
            _ => None,
        }
    }
}

/// A response with its counts.
struct Measured {
    overlaps: Overlaps,
    counts: Counts,
}

impl Measured {
    fn of(response: &Response) -> Self {
        let means = Means::of(&response.language);
        let (response, references) = (response.text.as_str(), response.references.as_slice());
        // Each way of cutting once.
        let pair = Numbered::new(means.tokens, response, references);
        let f1 = match means.f1.tokenisation == means.tokens {
            true => F1::of(&pair),
            false => means.f1.sentence(response, references),
        };
        let rouge = match &means.rouge {
            Some(rouge) => rouge.sentence(response, references),
            None => LcsRouge::of(&pair),
        };
        let chrf_plus = Chrf::PlusPlus.counts(response, references);
        let counts = Counts {
            bleu: BleuCounts::of(&pair),
            sacre: means.sacre().counts(response, references),
            // Of several references another one may be the best without the words.
            chrf: match references {
                [_] => chrf_plus,
                _ => Chrf::Plain.counts(response, references),
            },
            chrf_plus,
        };
        let value = |overlap| match overlap {
            Overlap::F1 => Some(f1.f1),
            Overlap::RougeL => Some(rouge.f1),
            Overlap::DistinctOne => Some(means.distinct(1).of(&pair).value()),
            Overlap::DistinctTwo => Some(means.distinct(2).of(&pair).value()),
            counted => counts.score(counted, &means),
        };
        let known = |overlap: &Overlap| !references.is_empty() || !overlap.compares();
        let overlaps = Overlap::ALL.map(|overlap| Some(overlap).filter(known).and_then(value));
        Self { overlaps: Overlaps(overlaps), counts }
    }
}

/// Many responses of one language together.
#[derive(Clone, Debug)]
pub struct Corpus {
    language: String,
    responses: usize,
    compared: usize,
    sums: [f64; Overlap::ALL.len()],
    counts: Counts,
    distinct: [DistinctPool; 2],
}

impl Corpus {
    /// No responses of a language yet.
    pub fn new(language: &str) -> Self {
        let means = Means::of(language);
        Self {
            language: language.to_owned(),
            responses: 0,
            compared: 0,
            sums: [0.0; Overlap::ALL.len()],
            counts: Counts::default(),
            distinct: [1, 2].map(|order| means.distinct(order).pool()),
        }
    }

    /// Adds a response of the same language; one without references counts for Distinct only.
    pub fn add(&mut self, response: &Response) {
        let Measured { overlaps, counts } = Measured::of(response);
        for (sum, value) in self.sums.iter_mut().zip(overlaps.0) {
            *sum += value.unwrap_or_default();
        }
        self.responses += 1;
        for pool in &mut self.distinct {
            pool.add(&response.text);
        }
        if !response.references.is_empty() {
            self.compared += 1;
            self.counts.add(&counts);
        }
    }

    /// Number of responses.
    pub fn responses(&self) -> usize {
        self.responses
    }

    /// Number of those that have references.
    pub fn compared(&self) -> usize {
        self.compared
    }

    /// How many references they have.
    pub fn references(&self) -> References {
        self.counts.bleu.references()
    }

    /// The language.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The mean over the responses; none if no response says anything.
    pub fn mean(&self, overlap: Overlap) -> Option<f64> {
        let n = match overlap.compares() {
            true => self.compared,
            false => self.responses,
        };
        let sum = self.sums.get(overlap as usize)?;
        (n > 0).then(|| sum / n as f64)
    }

    /// The figure of all responses together, as a share; none where there is no such thing (F1, ROUGE-L).
    pub fn pooled(&self, overlap: Overlap) -> Option<f64> {
        let means = Means::of(&self.language);
        if self.responses == 0 || (overlap.compares() && self.compared == 0) {
            return None;
        }
        let pool = |place: usize| self.distinct.get(place).map(|pool| pool.counts().value());
        match overlap {
            Overlap::DistinctOne => pool(0),
            Overlap::DistinctTwo => pool(1),
            counted => self.counts.score(counted, &means),
        }
    }

    /// How the means are computed; the same holds for figures of all responses together, but for Distinct.
    pub fn signature(&self, overlap: Overlap) -> String {
        overlap.signature(&self.language, self.references())
    }

    /// How a figure of all responses together is computed.
    pub fn pooled_signature(&self, overlap: Overlap) -> String {
        overlap.pooled_signature(&self.language, self.references())
    }
}
