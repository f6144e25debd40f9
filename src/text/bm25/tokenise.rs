//! Cuts a text into tokens as Python does.

use std::borrow::Cow;

use crate::text::overlap::{is_space, is_word};

/// How texts and queries are cut into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tokeniser {
    /// Runs between white space: Python's `str.split()`.
    Ws,
    /// The same of the text in lower case.
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
        let rest = bytes.get(from..).unwrap_or_default().iter();
        let found = rest.copied().position(|byte| kind(char::from(byte)) == wanted);
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
    use super::*;

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
