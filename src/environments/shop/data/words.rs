//! Words as the tokenizer of NLTK cuts them (`word_tokenize`), as far as instructions need it, and the words that its
//! list of English stop words has.

use std::mem;

/// Marks that are words of their own wherever they stand.
const MARKS: &str = ";@#$%&?![](){}<>\"“”«»‘’„`";
/// Marks that may stand behind the last full stop.
const CLOSING: &[char] = &[']', ')', '}', '>', '"', '\'', '»', '”', '’'];
/// Shortened words that stand for themselves at the end of a word.
const SHORTENED: [&str; 7] = ["n't", "'ll", "'re", "'ve", "'s", "'m", "'d"];
/// Words that are cut in two.
const JOINED: [(&str, usize); 4] = [("cannot", 3), ("gimme", 3), ("wanna", 3), ("gonna", 3)];

/// Whether the list has the word, in whatever letters.
pub(super) fn is_stop_word(word: &str) -> bool {
    let word = word.to_lowercase();
    let mut list = include_str!("stop.txt").split_ascii_whitespace();
    list.any(|listed| listed == word)
}

/// The words of a text. A sentence ends with a mark before a space; NLTK knows some abbreviations besides.
pub(super) fn words(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let mut words = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let ends = place + 1 == parts.len() || part.ends_with(['.', '?', '!']);
        cut(part, ends, &mut words);
    }
    words
}

/// Cuts what stands between spaces; `ends` tells that a sentence ends with it.
fn cut(part: &str, ends: bool, words: &mut Vec<String>) {
    let mut word = String::new();
    let mut rest = part;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let run = rest.len() - rest.trim_start_matches(letter).len();
        let length = match letter {
            '.' if run > 1 => run,
            '-' if run > 1 => 2,
            '.' if ends && after.trim_start_matches(CLOSING).is_empty() => 1,
            ',' | ':' if !after.starts_with(|next: char| next.is_ascii_digit()) => 1,
            _ if MARKS.contains(letter) => letter.len_utf8(),
            _ => {
                word.push(letter);
                rest = after;
                continue;
            }
        };
        finish(mem::take(&mut word), words);
        let (mark, others) = rest.split_at(length);
        words.push(mark.to_owned());
        rest = others;
    }
    finish(word, words);
}

/// Takes a word without marks, in two where it was made of two.
fn finish(whole: String, words: &mut Vec<String>) {
    let small = whole.to_lowercase();
    let joined = JOINED.iter().find(|(word, _)| *word == small);
    let shortened = SHORTENED.iter().find(|end| small.ends_with(*end));
    let at = match (joined, shortened) {
        (Some((_, at)), _) => *at,
        (_, Some(end)) => whole.len().saturating_sub(end.len()),
        _ if whole.ends_with('\'') => whole.len() - 1,
        _ => 0,
    };
    match whole.split_at_checked(at) {
        Some((before, end)) if at > 0 && !before.ends_with('\'') => {
            words.extend([before.to_owned(), end.to_owned()]);
        }
        _ if whole.is_empty() => {}
        _ => words.push(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_nltk_cuts_them() {
        let cut = |text| words(text).join("|");
        let cases = [
            ("i'm looking for it, ok.", "i|'m|looking|for|it|,|ok|."),
            ("it's 2.5 oz. i don't", "it|'s|2.5|oz|.|i|do|n't"),
            ("a 3,000 w (us) 12\" cannot", "a|3,000|w|(|us|)|12|\"|can|not"),
            ("x-large -- l'eau... men's 'd", "x-large|--|l'eau|...|men|'s|'d"),
            ("7:30, sizes: 8", "7:30|,|sizes|:|8"),
        ];
        for (text, expected) in cases {
            assert_eq!(cut(text), expected);
        }
        assert!(is_stop_word("The") && is_stop_word("don't") && !is_stop_word("sofa"));
    }
}
