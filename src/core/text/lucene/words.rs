//! Words by the rules of Unicode's annex 29, with what Lucene's standard tokenizer has of its own: scripts that are
//! written without spaces (Thai, Lao, Khmer, Burmese) stay in one piece, pictographs are words, and a long word is
//! cut.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// The most units of UTF-16 that a word has; what follows is another one.
const LONGEST: usize = 255;

/// Calls `each` with every word of the text, in order.
pub(super) fn each(text: &str, mut each: impl FnMut(&str)) {
    // No word holds a blank; most pieces between them are ASCII, which is quick.
    for piece in text.split(|letter: char| letter.is_ascii_whitespace()) {
        if piece.is_ascii() {
            piece.unicode_words().for_each(|word| cut(word, &mut each));
        } else {
            segments(piece, |segment| {
                if let Some(word) = word(segment) {
                    cut(word, &mut each);
                }
            });
        }
    }
}

/// The pieces between the borders of words, without borders between letters of unspaced scripts.
fn segments(text: &str, mut each: impl FnMut(&str)) {
    let mut from = 0;
    let mut last_unspaced = false;
    for (at, segment) in text.split_word_bound_indices() {
        let is_unspaced = segment.starts_with(unspaced);
        if at > from && !(is_unspaced && last_unspaced) {
            each(&text[from..at]);
            from = at;
        }
        last_unspaced = is_unspaced;
    }
    each(&text[from..]);
}

/// The word that a piece between two borders is; none for punctuation and blanks.
fn word(segment: &str) -> Option<&str> {
    if segment.chars().any(is_letter_or_digit) {
        return Some(segment);
    }
    let flag = segment.chars().filter(|letter| ('\u{1f1e6}'..='\u{1f1ff}').contains(letter)).count() == 2;
    let key = segment.starts_with(['#', '*']) && segment.contains('\u{20e3}');
    if flag || key {
        return Some(segment);
    }
    // What asks for a text form ends a pictograph.
    let pictograph = segment.split('\u{fe0e}').next()?;
    pictograph.contains(is_pictograph).then_some(pictograph)
}

/// Whether a letter makes a word of the piece that it stands in.
fn is_letter_or_digit(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric();
    }
    let mark = || letter.general_category_group() == GeneralCategoryGroup::Mark;
    unspaced(letter)
        || (letter.is_alphabetic() && !mark())
        || letter.general_category() == GeneralCategory::DecimalNumber
}

/// Letters of scripts that are written without spaces (line break class "complex context").
fn unspaced(letter: char) -> bool {
    matches!(
        letter,
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ebd}' | '\u{ec0}'..='\u{ecd}'
            | '\u{edc}'..='\u{edf}' | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' | '\u{109a}'..='\u{109f}'
            | '\u{1780}'..='\u{17d3}' | '\u{17d7}' | '\u{17dc}' | '\u{17dd}' | '\u{1950}'..='\u{19c9}'
            | '\u{19de}' | '\u{19df}' | '\u{1a20}'..='\u{1a7c}' | '\u{1aa0}'..='\u{1aad}'
            | '\u{a9e0}'..='\u{a9ef}' | '\u{a9fa}'..='\u{a9fe}' | '\u{aa60}'..='\u{aac2}'
            | '\u{aadb}'..='\u{aadf}' | '\u{11700}'..='\u{1172b}' | '\u{1173a}' | '\u{1173b}' | '\u{1173f}'
    )
}

/// Pictographs of Unicode 11 (`Extended_Pictographic`, and the modifiers of emoji), which Lucene 8 has.
#[rustfmt::skip]
const PICTOGRAPHS: &[(u32, u32)] = &[
    (0xa9, 0xa9), (0xae, 0xae), (0x203c, 0x203c), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
    (0x2194, 0x2199), (0x21a9, 0x21aa), (0x231a, 0x231b), (0x2328, 0x2328), (0x2388, 0x2388), (0x23cf, 0x23cf),
    (0x23e9, 0x23f3), (0x23f8, 0x23fa), (0x24c2, 0x24c2), (0x25aa, 0x25ab), (0x25b6, 0x25b6), (0x25c0, 0x25c0),
    (0x25fb, 0x25fe), (0x2600, 0x2605), (0x2607, 0x2612), (0x2614, 0x2685), (0x2690, 0x2705), (0x2708, 0x2712),
    (0x2714, 0x2714), (0x2716, 0x2716), (0x271d, 0x271d), (0x2721, 0x2721), (0x2728, 0x2728), (0x2733, 0x2734),
    (0x2744, 0x2744), (0x2747, 0x2747), (0x274c, 0x274c), (0x274e, 0x274e), (0x2753, 0x2755), (0x2757, 0x2757),
    (0x2763, 0x2767), (0x2795, 0x2797), (0x27a1, 0x27a1), (0x27b0, 0x27b0), (0x27bf, 0x27bf), (0x2934, 0x2935),
    (0x2b05, 0x2b07), (0x2b1b, 0x2b1c), (0x2b50, 0x2b50), (0x2b55, 0x2b55), (0x3030, 0x3030), (0x303d, 0x303d),
    (0x3297, 0x3297), (0x3299, 0x3299), (0x1f000, 0x1f0ff), (0x1f10d, 0x1f10f), (0x1f12f, 0x1f12f),
    (0x1f16c, 0x1f171), (0x1f17e, 0x1f17f), (0x1f18e, 0x1f18e), (0x1f191, 0x1f19a), (0x1f1ad, 0x1f1e5),
    (0x1f201, 0x1f20f), (0x1f21a, 0x1f21a), (0x1f22f, 0x1f22f), (0x1f232, 0x1f23a), (0x1f23c, 0x1f23f),
    (0x1f249, 0x1f53d), (0x1f546, 0x1f64f), (0x1f680, 0x1f6ff), (0x1f774, 0x1f77f), (0x1f7d5, 0x1f7ff),
    (0x1f80c, 0x1f80f), (0x1f848, 0x1f84f), (0x1f85a, 0x1f85f), (0x1f888, 0x1f88f), (0x1f8ae, 0x1f8ff),
    (0x1f90c, 0x1f93a), (0x1f93c, 0x1f945), (0x1f947, 0x1fffd),
];

fn is_pictograph(letter: char) -> bool {
    let letter = u32::from(letter);
    let at = PICTOGRAPHS.partition_point(|(_, last)| *last < letter);
    PICTOGRAPHS.get(at).is_some_and(|(first, _)| *first <= letter)
}

/// Cuts a word that is too long: each part is the longest word in as much of it as Lucene looks at.
fn cut(word: &str, each: &mut impl FnMut(&str)) {
    if word.len() <= LONGEST {
        return each(word);
    }
    let mut rest = word;
    while rest.len() > LONGEST {
        let mut units = 0;
        let fitting = rest.chars().take_while(|letter| {
            units += letter.len_utf16();
            units <= LONGEST
        });
        let seen = &rest[..fitting.map(char::len_utf8).sum()];
        if seen.len() == rest.len() {
            break;
        }
        let mut first = None;
        segments(seen, |segment| {
            first.get_or_insert(segment.len());
        });
        let (part, after) = rest.split_at(first.unwrap_or(seen.len()));
        if let Some(part) = self::word(part) {
            each(part);
        }
        rest = after;
    }
    segments(rest, |segment| {
        if let Some(part) = self::word(segment) {
            each(part);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn words_are_those_of_the_standard_tokenizer() {
        for (text, expected) in [
            ("3.5oz u.s.a. don't _a_b_ __ x-large", "3.5oz|u.s.a|don't|_a_b_|x|large"),
            ("a:b 1,000.5 a.1 6'2\" 1;2 50% #5 me@x.com", "a:b|1,000.5|a|1|6'2|1;2|50|5|me|x.com"),
            ("caf\u{e9}s\u{a0}5\u{b2} \u{bd} 10\u{b0}\u{d7}2 cafe\u{301}", "caf\u{e9}s|5|10|2|cafe\u{301}"),
            (
                "\u{6771}\u{4eac} \u{3072}\u{3089} \u{30ab}\u{30bf}\u{30ab}\u{30ca} \u{d55c}\u{ad6d}",
                "\u{6771}|\u{4eac}|\u{3072}|\u{3089}|\u{30ab}\u{30bf}\u{30ab}\u{30ca}|\u{d55c}\u{ad6d}",
            ),
            ("\u{e2a}\u{e27}\u{e31}\u{e2a}\u{e14}\u{e35}a", "\u{e2a}\u{e27}\u{e31}\u{e2a}\u{e14}\u{e35}|a"),
            ("Brand\u{ae}X \u{2605}5\u{2605}", "Brand|\u{ae}|X|\u{2605}|5|\u{2605}"),
            (
                "ok\u{1f44d}\u{1f3fd}\u{1f44d} \u{2764}\u{fe0f} \u{2764}\u{fe0e}",
                "ok|\u{1f44d}\u{1f3fd}|\u{1f44d}|\u{2764}\u{fe0f}|\u{2764}",
            ),
            (
                "\u{1f1eb}\u{1f1f7}\u{1f1e9} #\u{fe0f}\u{20e3} # \u{ff11}\u{ff12}",
                "\u{1f1eb}\u{1f1f7}|#\u{fe0f}\u{20e3}|\u{ff11}\u{ff12}",
            ),
        ] {
            assert_eq!(words(text).join("|"), expected, "{text}");
        }
    }

    #[test]
    fn a_long_word_is_cut_where_the_longest_word_ends() {
        let lengths = |text: &str| words(text).iter().map(|word| word.chars().count()).collect::<Vec<_>>();
        assert_eq!(lengths(&"x".repeat(600)), [255, 255, 90]);
        assert_eq!(lengths(&"x".repeat(255)), [255]);
        assert_eq!(lengths(&"\u{e9}".repeat(256)), [255, 1]);
        // The 255th is a dot, which ends no word.
        let dotted = format!("{}.{}", "x".repeat(254), "y".repeat(9));
        assert_eq!(lengths(&dotted), [254, 9]);
        assert_eq!(lengths(&"x".repeat(100_000)).len(), 393);
    }
}
