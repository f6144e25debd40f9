//! Words and scores as Lucene's English search has them (analysis of version 8.11, BM25 without the factor
//! `k1 + 1`), for rankings that must equal recorded ones: words of Unicode's annex 29, without the possessive `'s`,
//! in small letters, without stop words, cut to their stems by Porter's original algorithm.

mod words;

use super::porter::cut_to_stem;

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
            cut_to_stem(&mut self.units, false);
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
        cut_to_stem(&mut self.letters, false);
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
    owner.and_then(|owner| owner.strip_suffix(['\'', '\u{2019}', '\u{ff07}'])).unwrap_or(word)
}

/// The small letter, one for one as Java has it.
fn small(letter: char) -> Option<char> {
    letter.to_lowercase().next()
}

/// Lengths below this have codes of their own.
const FREE: u32 = 24;

/// The byte in which the length of a text is kept: exact up to 40, then rounded down to four significant bits above
/// `FREE`.
pub const fn length_code(length: u32) -> u8 {
    let Some(rest) = length.checked_sub(FREE) else {
        return length as u8;
    };
    let bits = u32::BITS - rest.leading_zeros();
    let code = match bits.checked_sub(4) {
        None => rest,
        Some(shift) => (rest >> shift) & 7 | (shift + 1) << 3,
    };
    (FREE + code) as u8
}

/// The length for which a byte stands.
pub const fn length_of(code: u8) -> u32 {
    let Some(rest) = (code as u32).checked_sub(FREE) else {
        return code as u32;
    };
    match (rest >> 3).checked_sub(1) {
        None => FREE + rest,
        Some(shift) => FREE + ((rest & 7 | 8) << shift),
    }
}

/// How rare a term is that `having` of `texts` texts have.
pub fn idf(texts: u64, having: u64) -> f32 {
    let (texts, having) = (texts as f64, having as f64);
    (1.0 + (texts - having + 0.5) / (having + 0.5)).ln() as f32
}

/// Effect of the length of a text on the scores of its terms.
#[derive(Clone, Debug)]
pub struct Bm25 {
    by_length: Vec<f32>,
}

impl Bm25 {
    /// With the two parameters, for texts that have so many terms in all. Texts without any term do not count.
    pub fn new(k1: f32, b: f32, texts: u64, terms: u64) -> Self {
        let average = (terms as f64 / texts.max(1) as f64) as f32;
        let factor = |code| 1.0 / (k1 * ((1.0 - b) + b * length_of(code) as f32 / average));
        Self { by_length: (0..=u8::MAX).map(factor).collect() }
    }

    /// How well a term is present that occurs `count` times in a text of this [length](length_code): from 1 on, the
    /// more the better. This and the term's weight give its [score](Self::score).
    pub fn presence(&self, count: u32, length: u8) -> f32 {
        1.0 + count as f32 * self.by_length[usize::from(length)]
    }

    /// Score that a term adds to a text: its weight is its [`idf`] times its count in the query.
    pub fn score(weight: f32, presence: f32) -> f32 {
        weight - weight / presence
    }
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

    #[test]
    fn lengths_are_exact_up_to_forty_and_rounded_down_above() {
        for length in 0..=40 {
            assert_eq!(length_of(length_code(length)), length);
        }
        for (length, kept) in [(41, 40), (42, 42), (57, 56), (100, 96), (152, 152), (160, 152), (1_000, 984)] {
            assert_eq!(length_of(length_code(length)), kept, "{length}");
        }
        assert_eq!(length_code(i32::MAX as u32), u8::MAX);
        for code in 0..=u8::MAX {
            assert_eq!(length_code(length_of(code)), code);
        }
    }

    #[test]
    fn a_term_scores_by_its_rarity_count_and_length() {
        let bm25 = Bm25::new(0.9, 0.4, 2, 20);
        let weight = idf(2, 1);
        assert_eq!(weight, 2_f32.ln());
        // Of average length: 1 + 1 / 0.9.
        let score = Bm25::score(weight, bm25.presence(1, length_code(10)));
        assert!((score - weight * (1.0 - 0.9 / 1.9)).abs() < 1e-6);
        assert!(bm25.presence(2, 10) > bm25.presence(1, 10));
        assert!(bm25.presence(1, 9) > bm25.presence(1, 10));
    }
}
