//! sacreBLEU's tokenisers: rewritings that put blanks between tokens.
//!
//! Each is a chain of replacements that go over the text from left to right without overlap, as the
//! original's regular expressions do; what one leaves is what the next sees.

use super::unicode::{is_number, is_punctuation, is_space, is_symbol};

/// `13a`: entities and line breaks of the evaluation's old file format, then Western punctuation.
pub(super) fn v13a(text: &str) -> String {
    let mut line = text.trim_end_matches(is_space).to_owned();
    let replacements =
        [("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];
    for (old, new) in replacements {
        if line.contains(old) {
            line = line.replace(old, new);
        }
    }
    western(&format!(" {line} "))
}

/// `zh`: Chinese characters apart, the rest as Western punctuation.
pub(super) fn zh(text: &str) -> String {
    let text = text.trim_matches(is_space);
    let mut line = String::with_capacity(text.len() * 2);
    for letter in text.chars() {
        if is_chinese(letter) {
            line.extend([' ', letter, ' ']);
        } else {
            line.push(letter);
        }
    }
    western(&line)
}

/// Chinese letters, as the original takes them. Its two ranges beyond the basic plane are written with too
/// short an escape: the first reads as U+2001 to U+2A6D, which holds typographic quotes, dashes,
/// arrows and symbols; the other lies within the Kangxi radicals.
fn is_chinese(letter: char) -> bool {
    matches!(letter,
        '\u{2001}'..='\u{2a6d}'
        | '\u{2e80}'..='\u{2eff}'
        | '\u{2f00}'..='\u{2fdf}'
        | '\u{2ff0}'..='\u{303f}'
        | '\u{3100}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31c0}'..='\u{31ef}'
        | '\u{3200}'..='\u{33ff}'
        | '\u{3400}'..='\u{4db5}'
        | '\u{4e00}'..='\u{9fbb}'
        | '\u{f900}'..='\u{fa2d}'
        | '\u{fa30}'..='\u{fa6a}'
        | '\u{fa70}'..='\u{fad9}'
        | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ffef}')
}

/// Punctuation of ASCII apart; point and comma not within a number, a dash behind a digit.
fn western(line: &str) -> String {
    let apart =
        |letter: char| (letter.is_ascii_punctuation() && !matches!(letter, '\'' | ',' | '-' | '.')) || letter == ' ';
    let digit = |letter: char| letter.is_ascii_digit();
    let point = |letter: char| matches!(letter, '.' | ',');
    let line = singles(line, apart);
    let line = pairs(&line, |letter| !digit(letter), point, Blanks::Behind);
    let line = pairs(&line, point, |letter| !digit(letter), Blanks::Before);
    pairs(&line, digit, |letter| letter == '-', Blanks::Behind)
}

/// `intl`: punctuation apart where no number is beside it, symbols always.
pub(super) fn intl(text: &str) -> String {
    let line = text.trim_end_matches(is_space);
    let other = |letter: char| !is_number(letter);
    let line = pairs(line, other, is_punctuation, Blanks::Behind);
    let line = pairs(&line, is_punctuation, other, Blanks::Before);
    singles(&line, is_symbol)
}

/// Blanks around each letter that is asked for.
fn singles(line: &str, apart: impl Fn(char) -> bool) -> String {
    let mut rewritten = String::with_capacity(line.len() * 2);
    for letter in line.chars() {
        if apart(letter) {
            rewritten.extend([' ', letter, ' ']);
        } else {
            rewritten.push(letter);
        }
    }
    rewritten
}

/// Where blanks are set, besides between the two letters of a pair.
#[derive(Clone, Copy, PartialEq)]
enum Blanks {
    Before,
    Behind,
}

/// Blanks between and beside two neighbours that are both asked for.
fn pairs(line: &str, first: impl Fn(char) -> bool, second: impl Fn(char) -> bool, blanks: Blanks) -> String {
    let mut rewritten = String::with_capacity(line.len() * 2);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let pair = if first(letter) { letters.next_if(|next| second(*next)) } else { None };
        match (pair, blanks) {
            (None, _) => rewritten.push(letter),
            (Some(next), Blanks::Before) => rewritten.extend([' ', letter, ' ', next]),
            (Some(next), Blanks::Behind) => rewritten.extend([letter, ' ', next, ' ']),
        }
    }
    rewritten
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::overlap::words;

    fn cut(line: &str) -> Vec<&str> {
        words(line).collect()
    }

    #[test]
    fn numbers_keep_their_points_and_lose_their_dashes() {
        let line = v13a("It cost 1,500.5 in 1998-1999, &quot;x&quot; don't... A-\nB\n");
        let expected = "It cost 1,500.5 in 1998 - 1999 , \" x \" don't . . . AB";
        assert_eq!(cut(&line), cut(expected));
    }

    #[test]
    fn quotes_are_chinese_and_rare_characters_are_not() {
        let line = zh("你好“x”𠀀𠀁。1.5,a ");
        assert_eq!(cut(&line), cut("你 好 “ x ” 𠀀𠀁 。 1.5 , a"));
    }

    #[test]
    fn international_punctuation_stays_within_numbers_and_behind_the_last() {
        let line = intl("«Ciao», 3.14€ e ½.5, nel 1998. ");
        assert_eq!(cut(&line), cut("« Ciao » , 3.14 € e ½.5 , nel 1998."));
    }
}
