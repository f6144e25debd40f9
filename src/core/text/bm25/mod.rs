//! Ranks short texts for a query: BM25 in the Okapi variant of the Python package `rank_bm25` 0.2.2
//! (`BM25Okapi` with k1 = 1.5, b = 0.75, epsilon = 0.25), score for score. What is particular to it:
//!
//! - the mean of the inverse document frequencies is over distinct terms and holds negative ones;
//! - each negative one is then replaced by a quarter of that mean (which can be negative itself);
//! - a term of the query counts as often as it occurs there.
//!
//! An index is made anew for each few texts, so making one is as quick as asking it.

mod terms;

use std::borrow::Cow;

use terms::Terms;

use crate::text::overlap::{is_space, is_word};

/// How soon more occurrences of a term in a text stop counting.
const K1: f64 = 1.5;
/// How much the length of a text counts.
const B: f64 = 0.75;
/// The share of the mean inverse document frequency that replaces a negative one.
const EPSILON: f64 = 0.25;
/// No further entry.
const NONE: u32 = u32::MAX;

/// In which order texts with equal scores are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The earlier text first (the default).
    #[default]
    IndexAsc,
    /// The later text first: a stable ascending sort read backwards, which is what the library's
    /// `get_top_n` would do if its sort were stable.
    StableReversed,
}

/// An index over texts.
#[derive(Clone, Debug)]
pub struct Bm25 {
    tokeniser: Tokeniser,
    texts: usize,
    mean_length: f64,
    mean_idf: f64,
    terms: Terms,
    /// The last entry of each term.
    last: Vec<u32>,
    entries: Vec<Entry>,
}

/// A term in a text.
#[derive(Clone, Copy, Debug)]
struct Entry {
    text: u32,
    /// Occurrences; once the index is complete, what one occurrence in a query adds to the score.
    weight: f64,
    /// The term's entry for an earlier text.
    earlier: u32,
}

impl Bm25 {
    /// An index over the texts. If all of them are without any token, every query scores zero everywhere
    /// (the Python library divides by zero there).
    pub fn new<T: AsRef<str>>(texts: &[T], tokeniser: Tokeniser) -> Self {
        let letters = texts.iter().map(|text| text.as_ref().len()).sum::<usize>();
        let size = letters / 6 + 1;
        let mut index = Self {
            tokeniser,
            texts: texts.len(),
            mean_length: 0.0,
            mean_idf: 0.0,
            terms: Terms::with_capacity(size, letters),
            last: Vec::with_capacity(size),
            entries: Vec::with_capacity(size),
        };
        let mut spare = String::new();
        let mut lengths = Vec::with_capacity(texts.len());
        for (place, text) in (0..).zip(texts) {
            let mut length = 0_u32;
            tokeniser.each(text.as_ref(), &mut spare, |token| {
                length += 1;
                index.count(place, token);
            });
            lengths.push(f64::from(length));
        }
        index.weigh(&lengths);
        index
    }

    /// Notes an occurrence of a token in a text; texts come one after another.
    fn count(&mut self, text: u32, token: &str) {
        let term = self.terms.number_or_new(token);
        if term == self.last.len() {
            self.last.push(NONE);
        }
        let Some(last) = self.last.get_mut(term) else {
            return;
        };
        match self.entries.get_mut(*last as usize) {
            Some(entry) if entry.text == text => entry.weight += 1.0,
            _ => {
                let earlier = std::mem::replace(last, number(self.entries.len()));
                self.entries.push(Entry { text, weight: 1.0, earlier });
            }
        }
    }

    /// Turns occurrences into what they add to a score.
    fn weigh(&mut self, lengths: &[f64]) {
        if self.last.is_empty() {
            return;
        }
        let texts = self.texts as f64;
        self.mean_length = lengths.iter().sum::<f64>() / texts;
        // Few numbers of texts hold most terms, and logarithms take most of the time.
        let by_number: Vec<f64> =
            (0..=self.texts).map(|with| (texts - with as f64 + 0.5).ln() - (with as f64 + 0.5).ln()).collect();
        let mut idfs: Vec<f64> = self
            .last
            .iter()
            .map(|last| {
                let with = chain(&self.entries, *last).count();
                by_number.get(with).copied().unwrap_or(0.0)
            })
            .collect();
        // Terms are numbered as they first occur, which is the order in which the library sums.
        self.mean_idf = idfs.iter().sum::<f64>() / idfs.len() as f64;
        let floor = EPSILON * self.mean_idf;
        for idf in &mut idfs {
            if *idf < 0.0 {
                *idf = floor;
            }
        }
        let damping = |length| K1 * (1.0 - B + B * length / self.mean_length);
        let dampings: Vec<f64> = lengths.iter().copied().map(damping).collect();
        for (last, idf) in self.last.iter().zip(idfs) {
            let mut at = *last;
            while let Some(entry) = self.entries.get_mut(at as usize) {
                let damping = dampings.get(entry.text as usize).copied().unwrap_or(K1);
                entry.weight = idf * (entry.weight * (K1 + 1.0) / (entry.weight + damping));
                at = entry.earlier;
            }
        }
    }

    /// The score of each text, in the order in which the texts were given.
    pub fn scores(&self, query: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.texts];
        let mut spare = String::new();
        self.tokeniser.each(query, &mut spare, |token| {
            let Some(term) = self.terms.number(token) else {
                return;
            };
            let last = self.last.get(term).copied().unwrap_or(NONE);
            for entry in chain(&self.entries, last) {
                if let Some(score) = scores.get_mut(entry.text as usize) {
                    *score += entry.weight;
                }
            }
        });
        scores
    }

    /// The `k` best texts (fewer if there are fewer), best first: which text, and its score.
    pub fn top(&self, query: &str, k: usize, ties: Ties) -> Vec<(usize, f64)> {
        let scores = self.scores(query);
        rank(&scores, ties).into_iter().take(k).filter_map(|place| Some((place, *scores.get(place)?))).collect()
    }

    /// Tokens per text on average; zero if there are none.
    pub fn mean_length(&self) -> f64 {
        self.mean_length
    }

    /// The mean inverse document frequency of the terms, negative ones among them.
    pub fn mean_idf(&self) -> f64 {
        self.mean_idf
    }
}

/// The entries of a term.
fn chain(entries: &[Entry], last: u32) -> impl Iterator<Item = &Entry> {
    let mut at = last;
    std::iter::from_fn(move || {
        let entry = entries.get(at as usize)?;
        at = entry.earlier;
        Some(entry)
    })
}

/// A place as the number that is kept; texts that many do not fit in memory.
fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(NONE)
}

/// The places of the scores, highest score first.
pub fn rank(scores: &[f64], ties: Ties) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    // Adding zero makes -0 equal to 0.
    let score = |place: usize| scores.get(place).copied().unwrap_or(0.0) + 0.0;
    places.sort_by(|one, other| {
        let equal = match ties {
            Ties::IndexAsc => one.cmp(other),
            Ties::StableReversed => other.cmp(one),
        };
        score(*other).total_cmp(&score(*one)).then(equal)
    });
    places
}

/// How texts and queries are cut into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tokeniser {
    /// Runs between white space: Python's `str.split()`.
    Ws,
    /// Words between blanks of the text in lower case.
    LowerWs,
    /// Runs of letters, digits and `_` of the text in lower case: Python's `\w+` (the default).
    #[default]
    LowerWord,
}

names! { Tokeniser, name: Ws => "ws", LowerWs => "lower_ws", LowerWord => "lower_word" }

impl Tokeniser {
    /// Says each token; `spare` is memory that can be used again for the next text.
    pub(super) fn each(self, text: &str, spare: &mut String, mut say: impl FnMut(&str)) {
        let text = match self {
            Self::Ws => Cow::Borrowed(text),
            Self::LowerWs | Self::LowerWord => lower(text, spare),
        };
        match self {
            Self::Ws | Self::LowerWs => runs(&text, |letter| !is_space(letter), &mut say),
            Self::LowerWord => runs(&text, is_word, &mut say),
        }
    }
}

/// Says each run of letters of a kind.
fn runs(text: &str, kind: impl Fn(char) -> bool, say: &mut impl FnMut(&str)) {
    if !text.is_ascii() {
        for run in text.split(|letter| !kind(letter)) {
            if !run.is_empty() {
                say(run);
            }
        }
        return;
    }
    // The same without decoding letters, which takes most of the time.
    let bytes = text.as_bytes();
    let find = |from: usize, wanted: bool| {
        let found =
            bytes.get(from..).unwrap_or_default().iter().copied().position(|byte| kind(char::from(byte)) == wanted);
        found.map_or(bytes.len(), |place| from + place)
    };
    let mut from = find(0, true);
    while from < bytes.len() {
        let to = find(from, false);
        say(text.get(from..to).unwrap_or_default());
        from = find(to, true);
    }
}

/// The text in lower case.
fn lower<'a>(text: &str, spare: &'a mut String) -> Cow<'a, str> {
    if !text.is_ascii() {
        return Cow::Owned(text.to_lowercase());
    }
    spare.clear();
    spare.push_str(text);
    spare.make_ascii_lowercase();
    Cow::Borrowed(spare)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXTS: [&str; 3] = ["The old harbour", "a harbour, the harbour", "Wind in the reeds"];

    #[test]
    fn scores_are_those_of_the_formula() {
        let index = Bm25::new(&TEXTS, Tokeniser::LowerWord);
        // Seven terms in texts of 3, 4 and 4 tokens; `the` is in all of them, `harbour` in two.
        let all = 0.5_f64.ln() - 3.5_f64.ln();
        let two = 1.5_f64.ln() - 2.5_f64.ln();
        let one = 2.5_f64.ln() - 1.5_f64.ln();
        let mean = (all + two + 5.0 * one) / 7.0;
        // Five terms occur in one text: old, a, wind, in, reeds.
        assert!((index.mean_idf() - mean).abs() < 1e-12);
        let length = |tokens: f64| 1.5 * (0.25 + 0.75 * tokens / (11.0 / 3.0));
        let expected = [
            0.25 * mean * 2.5 / (1.0 + length(3.0)) + one * 2.5 / (1.0 + length(3.0)),
            0.25 * mean * 5.0 / (2.0 + length(4.0)),
            0.0,
        ];
        let found = index.scores("OLD harbour!");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let twice = index.scores("old old");
        assert!((twice[0] - 2.0 * index.scores("old")[0]).abs() < 1e-12);
    }

    #[test]
    fn equal_scores_are_ranked_as_asked() {
        let scores = [0.0, 2.0, -0.0, 2.0, f64::NEG_INFINITY];
        assert_eq!(rank(&scores, Ties::IndexAsc), [1, 3, 0, 2, 4]);
        assert_eq!(rank(&scores, Ties::StableReversed), [3, 1, 2, 0, 4]);
    }

    #[test]
    fn the_best_are_given_with_their_scores() {
        let index = Bm25::new(&TEXTS, Tokeniser::LowerWord);
        let scores = index.scores("reeds and old");
        assert_eq!(index.top("reeds and old", 2, Ties::IndexAsc), [(0, scores[0]), (2, scores[2])]);
        assert_eq!(index.top("reeds", 9, Ties::IndexAsc).len(), 3);
        assert!(index.top("reeds", 0, Ties::IndexAsc).is_empty());
    }

    #[test]
    fn texts_without_tokens_score_zero() {
        assert_eq!(Bm25::new(&["", " ", "!"], Tokeniser::LowerWord).scores("x"), [0.0; 3]);
        assert!(Bm25::new(&[""; 0], Tokeniser::Ws).scores("x").is_empty());
        let some = Bm25::new(&["", "tower", "bridge"], Tokeniser::Ws);
        assert_eq!(some.scores("tower")[0], 0.0);
        assert!(some.scores("tower")[1] > 0.0);
    }

    proptest! {
        #[test]
        fn every_text_is_ranked_once_and_scores_are_numbers(
            texts in prop::collection::vec("[a-dé世 ,]{0,12}", 0..6), query in any::<String>(),
        ) {
            for tokeniser in [Tokeniser::Ws, Tokeniser::LowerWs, Tokeniser::LowerWord] {
                let index = Bm25::new(&texts, tokeniser);
                let both = format!("{query} {}", texts.concat());
                let scores = index.scores(&both);
                prop_assert!(scores.iter().all(|score| score.is_finite()));
                for ties in [Ties::IndexAsc, Ties::StableReversed] {
                    let mut ranked = rank(&scores, ties);
                    prop_assert!(ranked.windows(2).all(|two| scores[two[0]] >= scores[two[1]]));
                    ranked.sort_unstable();
                    prop_assert!(ranked.into_iter().eq(0..texts.len()));
                }
            }
        }
    }

    fn tokens(tokeniser: Tokeniser, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        tokeniser.each(text, &mut String::new(), |token| tokens.push(token.to_owned()));
        tokens
    }

    #[test]
    fn tokens_are_those_of_python() {
        let text = "È l'ÉTÉ_2 — 你好，世界!\u{1c}x² ΟΔΟΣ नमस्ते";
        let ws = ["È", "l'ÉTÉ_2", "—", "你好，世界!", "x²", "ΟΔΟΣ", "नमस्ते"];
        assert_eq!(tokens(Tokeniser::Ws, text), ws);
        let lower = ["è", "l'été_2", "—", "你好，世界!", "x²", "οδος", "नमस्ते"];
        assert_eq!(tokens(Tokeniser::LowerWs, text), lower);
        // Vowel signs are marks, which end a word there.
        let word = ["è", "l", "été_2", "你好", "世界", "x²", "οδος", "नमस", "त"];
        assert_eq!(tokens(Tokeniser::LowerWord, text), word);
    }

    #[test]
    fn names_are_known() {
        assert_eq!(Tokeniser::named("lower_ws"), Some(Tokeniser::LowerWs));
        assert_eq!(Tokeniser::named("word"), None);
    }
}
