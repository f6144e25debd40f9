//! Words and scores as Lucene's English search has them (analysis of version 8.11, BM25 without the factor
//! `k1 + 1`), for rankings that must equal recorded ones: words of Unicode's annex 29, without the possessive `'s`,
//! in small letters, without stop words, cut to their stems by Porter's original algorithm.

mod porter;
mod similarity;
mod words;

pub use similarity::{Bm25, idf, length_code, length_of};

/// Words that no text is found by.
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// The longest stop word, in letters.
const LONGEST_STOP_WORD: usize = 5;

/// Cuts texts into terms, one after the other, in the same memory.
#[derive(Debug, Default)]
pub struct Analyzer {
    letters: Vec<u8>,
    /// The units of a word that has other letters than English ones: Lucene's stemmer counts those of UTF-16.
    units: Vec<u16>,
    term: String,
}

impl Analyzer {
    /// Calls `each` with every term of the text, in order.
    pub fn each(&mut self, text: &str, mut each: impl FnMut(&str)) {
        words::each(text, |word| {
            if let Some(term) = self.term(without_possessive(word)) {
                each(term);
            }
        });
    }

    /// The term of a word; none for a stop word.
    fn term(&mut self, word: &str) -> Option<&str> {
        if !word.is_ascii() {
            self.units.clear();
            for letter in word.chars().flat_map(small) {
                self.units.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
            }
            porter::stem(&mut self.units);
            self.term.clear();
            let letters = char::decode_utf16(self.units.iter().copied());
            self.term.extend(letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)));
            return Some(&self.term);
        }
        self.letters.clear();
        self.letters.extend_from_slice(word.as_bytes());
        self.letters.make_ascii_lowercase();
        let small = std::str::from_utf8(&self.letters).ok()?;
        if small.len() <= LONGEST_STOP_WORD && STOP_WORDS.binary_search(&small).is_ok() {
            return None;
        }
        porter::stem(&mut self.letters);
        std::str::from_utf8(&self.letters).ok()
    }
}

/// The terms of a text.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Analyzer::default().each(text, |term| terms.push(term.to_owned()));
    terms
}

/// A word without `'s` at its end, whichever apostrophe it has.
fn without_possessive(word: &str) -> &str {
    let owner = word.strip_suffix(['s', 'S']);
    let owner = owner.and_then(|owner| owner.strip_suffix(['\'', '\u{2019}', '\u{ff07}']));
    owner.unwrap_or(word)
}

/// The small letter, one for one as Java has it.
fn small(letter: char) -> Option<char> {
    letter.to_lowercase().next()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_cut_and_blanks_end_words(one in ".*", other in "[ -~\u{e9}\u{2019}\u{e01}\u{1f44d}]{0,300}") {
            let both = terms(&format!("{one} {other}"));
            prop_assert_eq!(both, [terms(&one), terms(&other)].concat());
            prop_assert!(terms(&other).iter().all(|term| !term.is_empty()));
        }
    }

    #[test]
    fn stop_words_are_in_order_and_no_longer_than_the_longest() {
        assert!(STOP_WORDS.is_sorted());
        let longest = STOP_WORDS.iter().map(|word| word.len()).max();
        assert_eq!(longest, Some(LONGEST_STOP_WORD));
    }

    #[test]
    fn words_become_terms() {
        assert_eq!(terms("The X-Large women\u{2019}s DON'T"), ["x", "larg", "women", "don't"]);
        assert_eq!(terms("3.5oz u.s.a. it's men's Caf\u{e9}s"), ["3.5oz", "u.s.a", "men", "caf\u{e9}"]);
        assert_eq!(terms("to be or not to be"), [""; 0]);
        assert_eq!(terms("\u{130}STANBUL \u{c9}TUDES"), ["istanbul", "\u{e9}tude"]);
    }
}
