//! The tokenisations, all in one place.

use super::rewriting;
use super::unicode::{is_space, is_word, words};
use crate::text::porter::Stemmer;

/// How a text is cut into tokens, and what is done to it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tokenisation {
    /// At white space (Python's `str.split()`).
    Ws,
    /// In lower case, at white space.
    LowerWs,
    /// Every character that is no white space.
    Char,
    /// sacreBLEU's `13a`: punctuation of ASCII apart, except within numbers.
    V13a,
    /// sacreBLEU's `intl`: punctuation and symbols of Unicode apart, except within numbers.
    Intl,
    /// sacreBLEU's `zh`: Chinese characters apart, else like `13a`.
    Zh,
    /// sacreBLEU's `none`: the same tokens as [`Tokenisation::Ws`].
    None,
    /// The words of chrF++: one character of punctuation at an end of a word is a word of its own.
    ChrfWords,
    /// SQuAD's answers: in lower case, without ASCII punctuation and English articles.
    Squad,
    /// ParlAI's answers: like SQuAD's, but punctuation separates words.
    Parlai,
    /// rouge-score: in lower case, runs of `a` to `z` and digits.
    Rouge,
    /// rouge-score with stems of words longer than three letters ([`super::stem`]).
    RougeStem,
    /// Chinese words as jieba cuts them, without white space.
    #[cfg(feature = "jieba")]
    Jieba,
}

names! { Tokenisation, name:
    Ws => "ws", LowerWs => "lower_ws", Char => "char", V13a => "13a", Intl => "intl", Zh => "zh",
    None => "none", ChrfWords => "chrf_words", Squad => "squad", Parlai => "parlai",
    Rouge => "rouge", RougeStem => "rouge_stem",
    #[cfg(feature = "jieba")]
    Jieba => "jieba",
}

impl Tokenisation {
    /// The tokens of a text.
    pub fn words(self, text: &str) -> Tokens {
        let mut found = Tokens::default();
        match self {
            Self::Ws | Self::None => found.extend(words(text)),
            Self::LowerWs => found.extend(words(&text.to_lowercase())),
            Self::Char => found.letters(text),
            Self::V13a => found.extend(words(&rewriting::v13a(text))),
            Self::Intl => found.extend(words(&rewriting::intl(text))),
            Self::Zh => found.extend(words(&rewriting::zh(text))),
            Self::ChrfWords => words(text).for_each(|word| found.chrf_word(word)),
            Self::Squad => found.answer(text, ""),
            Self::Parlai => found.answer(text, " "),
            Self::Rouge => found.alphanumeric(text, |word, found| found.push(word)),
            Self::RougeStem => {
                let mut stemmer = Stemmer::default();
                found.alphanumeric(text, |word, found| match word.len() {
                    ..=3 => found.push(word),
                    _ => found.letters_of_one(stemmer.stem(word)),
                });
            }
            #[cfg(feature = "jieba")]
            Self::Jieba => found.jieba(text),
        }
        found
    }
}

shown_as!(Tokenisation, name);

/// The tokens of one text, one behind the other in one allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    text: String,
    ends: Vec<usize>,
}

impl Tokens {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let ranges = std::iter::once(0).chain(self.ends.iter().copied()).zip(self.ends.iter().copied());
        // The ends were taken behind whole tokens: the text is never cut within a letter.
        ranges.map(|(start, end)| self.text.get(start..end).unwrap_or_default())
    }

    fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.ends.push(self.text.len());
    }

    fn extend<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        words.for_each(|word| self.push(word));
    }

    fn letters(&mut self, text: &str) {
        for letter in text.chars().filter(|letter| !is_space(*letter)) {
            self.text.push(letter);
            self.ends.push(self.text.len());
        }
    }

    fn letters_of_one(&mut self, letters: &[char]) {
        self.text.extend(letters);
        self.ends.push(self.text.len());
    }

    fn chrf_word(&mut self, word: &str) {
        let ends = |letter: &char| letter.is_ascii_punctuation();
        let (mut from_start, mut from_end) = (word.chars(), word.chars());
        let (first, last) = (from_start.next(), from_end.next_back());
        if from_start.as_str().is_empty() {
            self.push(word);
        } else if let Some(last) = last.filter(ends) {
            self.push(from_end.as_str());
            self.letters_of_one(&[last]);
        } else if let Some(first) = first.filter(ends) {
            self.letters_of_one(&[first]);
            self.push(from_start.as_str());
        } else {
            self.push(word);
        }
    }

    /// Normalised answers: punctuation gives way to `instead`, English articles to a blank.
    fn answer(&mut self, text: &str, instead: &str) {
        let mut stripped = String::with_capacity(text.len());
        for letter in text.to_lowercase().chars() {
            if letter.is_ascii_punctuation() {
                stripped.push_str(instead);
            } else {
                stripped.push(letter);
            }
        }
        let mut without = String::with_capacity(stripped.len());
        let mut rest = stripped.as_str();
        while !rest.is_empty() {
            let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            without.push_str(match word {
                "a" | "an" | "the" => " ",
                other => other,
            });
            let next = behind.find(is_word).unwrap_or(behind.len());
            let (between, next) = behind.split_at(next);
            without.push_str(between);
            rest = next;
        }
        self.extend(words(&without));
    }

    fn alphanumeric(&mut self, text: &str, mut push: impl FnMut(&str, &mut Self)) {
        let text = text.to_lowercase();
        let inside = |letter: char| matches!(letter, 'a'..='z' | '0'..='9');
        for word in text.split(|letter| !inside(letter)) {
            if !word.is_empty() {
                push(word, self);
            }
        }
    }

    #[cfg(feature = "jieba")]
    fn jieba(&mut self, text: &str) {
        static SEGMENTER: std::sync::LazyLock<jieba_rs::Jieba> = std::sync::LazyLock::new(jieba_rs::Jieba::new);
        for token in SEGMENTER.cut(text, true) {
            if !token.word.chars().all(is_space) {
                self.push(token.word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(tokenisation: Tokenisation, text: &str) -> Vec<String> {
        let words = tokenisation.words(text);
        assert_eq!(words.len(), words.iter().count());
        words.iter().map(str::to_owned).collect()
    }

    #[test]
    fn articles_are_left_out_of_answers_but_marks_end_a_word() {
        let text = "The l'a, an a-b\u{301} the\u{301}!";
        assert_eq!(cut(Tokenisation::Squad, text), ["la", "ab\u{301}", "\u{301}"]);
        assert_eq!(cut(Tokenisation::Parlai, text), ["l", "b\u{301}", "\u{301}"]);
    }

    #[test]
    fn one_mark_of_punctuation_is_cut_off_a_word() {
        let text = "\"red\" (a) ... - don't “x”";
        let expected = ["\"red", "\"", "(a", ")", "..", ".", "-", "don't", "“x”"];
        assert_eq!(cut(Tokenisation::ChrfWords, text), expected);
    }

    #[test]
    fn accents_separate_words_of_rouge() {
        let text = "È dentro la città, Kelvin \u{212a}elvin 20th";
        let expected = ["dentro", "la", "citt", "kelvin", "kelvin", "20th"];
        assert_eq!(cut(Tokenisation::Rouge, text), expected);
    }

    #[test]
    fn words_are_split_where_python_splits_them() {
        let text = "\u{1c}a\u{a0}b\u{3000}c\u{200b}d\u{85}e\u{2009}\u{feff}\t";
        let found: Vec<&str> = words(text).collect();
        assert_eq!(found, ["a", "b", "c\u{200b}d", "e", "\u{feff}"]);
    }

    #[test]
    fn a_combining_mark_is_no_letter_of_a_word() {
        let found = ['é', 'e', '\u{301}', '_', '٣', '½', '世', '’', '🙂'].map(is_word);
        let expected = [true, true, false, true, true, true, true, false, false];
        assert_eq!(found, expected);
    }
}
