//! How long something that a user says may be.

use crate::domain::Utterance;
use crate::ports::{Parameter, Parameters};

const fn most(name: &'static str, help: &'static str) -> Parameter {
    Parameter::integer(name, None, 1..=100_000, help)
}

/// The most words.
pub(crate) const MOST_WORDS: Parameter =
    most("most_words", "the most words of a reply (what blanks set apart); absent: any number");

/// The most tokens.
pub(crate) const MOST_TOKENS: Parameter = most(
    "most_tokens",
    "the most tokens of a reply: each run of letters and digits is one, and each other mark and each \
     Chinese, Japanese or Korean letter by itself, whatever the model counts; absent: any number",
);

/// The handling of a longer reply.
pub(crate) const TOO_LONG: Parameter = Parameter::choice(
    "too_long",
    &["ask", "cut"],
    "a longer reply is asked for again (a model once, then it is cut; a person until it fits), or \
     cut at once",
);

/// How long a reply may be, and what is done with a longer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Length {
    words: Option<usize>,
    tokens: Option<usize>,
    /// It is asked for again.
    pub(crate) asks: bool,
}

impl Length {
    pub(crate) fn of(parameters: &Parameters) -> Self {
        Self {
            words: parameters.whole("most_words"),
            tokens: parameters.whole("most_tokens"),
            asks: parameters.text("too_long") != Some("cut"),
        }
    }

    /// The text up to the limit, if it goes on beyond it.
    pub(crate) fn cut<'a>(&self, text: &'a str) -> Option<&'a str> {
        let over = |ends: Vec<usize>, most: Option<usize>| {
            let most = most.filter(|most| ends.len() > *most)?;
            ends.get(most.checked_sub(1)?).copied()
        };
        let (by_words, by_tokens) = (over(words(text), self.words), over(tokens(text), self.tokens));
        let end = by_words.into_iter().chain(by_tokens).min()?;
        text.get(..end)
    }

    /// The utterance, cut if it is longer.
    pub(crate) fn held(&self, said: Utterance) -> Utterance {
        let Some(text) = self.cut(&said.text).map(str::to_owned) else {
            return said;
        };
        Utterance { text, cut: true, ..said }
    }

    /// The limit in words, if there is one.
    pub(crate) fn limit(&self) -> Option<String> {
        let words = self.words.map(|most| format!("{most} words"));
        let tokens = self.tokens.map(|most| format!("{most} words and marks"));
        let limits: Vec<String> = words.into_iter().chain(tokens).collect();
        (!limits.is_empty()).then(|| limits.join(" and "))
    }
}

/// The text up to so many words and tokens.
pub fn shortened(text: &str, words: usize, tokens: usize) -> &str {
    let length = Length { words: Some(words), tokens: Some(tokens), asks: false };
    length.cut(text).unwrap_or(text)
}

/// Where each word ends.
fn words(text: &str) -> Vec<usize> {
    ends(text, |one, next| one.is_whitespace() || next.is_none_or(char::is_whitespace))
}

/// Where each token ends.
fn tokens(text: &str) -> Vec<usize> {
    let goes_on = |letter: char| letter.is_alphanumeric() && !stands_alone(letter);
    ends(text, |one, next| !goes_on(one) || !next.is_some_and(goes_on))
}

fn ends(text: &str, ends_after: impl Fn(char, Option<char>) -> bool) -> Vec<usize> {
    let mut letters = text.char_indices().peekable();
    let mut ends = Vec::new();
    while let Some((start, letter)) = letters.next() {
        let next = letters.peek().map(|(_, letter)| *letter);
        if !letter.is_whitespace() && ends_after(letter, next) {
            ends.push(start + letter.len_utf8());
        }
    }
    ends
}

/// Letters of scripts without blanks: Chinese, Japanese, Korean.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn length(words: Option<usize>, tokens: Option<usize>) -> Length {
        Length { words, tokens, asks: true }
    }

    #[test]
    fn what_is_longer_is_cut_after_the_last_word_or_token_that_fits() {
        let table = [
            (Some(3), None, "a red  shoe", None),
            (Some(2), None, " a red  shoe", Some(" a red")),
            (None, Some(3), "Yes, it's red.", Some("Yes, it")),
            (None, Some(7), "Yes, it's red.", None),
            (None, Some(2), "红色的鞋", Some("红色")),
            (Some(1), None, "红色 的鞋", Some("红色")),
            (Some(2), Some(2), "a, red shoe", Some("a,")),
        ];
        for (words, tokens, text, expected) in table {
            assert_eq!(length(words, tokens).cut(text), expected, "{text}");
        }
        assert_eq!(length(None, None).limit(), None);
        let both = length(Some(5), Some(9)).limit().unwrap();
        assert_eq!(both, "5 words and 9 words and marks");
    }

    proptest! {
        #[test]
        fn what_was_cut_fits(text in ".{0,60}", words in 1usize..6, tokens in 1usize..6) {
            for length in [length(Some(words), None), length(None, Some(tokens))] {
                if let Some(cut) = length.cut(&text) {
                    prop_assert!(text.starts_with(cut) && cut.len() < text.len());
                    prop_assert_eq!(length.cut(cut), None);
                }
            }
        }
    }
}
