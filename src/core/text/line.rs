//! Lines: where they break, and texts that are held to one.

use std::borrow::Cow;

use super::joined_by;

/// Whether a reader may take the letter for the end of a line: line feed and carriage return, but also
/// the vertical tab, the form feed, NEL (U+0085) and the separators U+2028 and U+2029.
pub fn is_line_break(letter: char) -> bool {
    matches!(letter, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text as one line: line breaks and the blanks around them are one blank. What somebody says
/// cannot look like a line of somebody else.
pub fn one_line(text: &str) -> Cow<'_, str> {
    unbroken(text, is_line_break)
}

/// A text as it is read from an answer, on one line: line feeds, carriage returns and the blanks around them are
/// one blank. What else may break a line stays as it was written, and breaks none where it is shown ([`one_line`]).
pub fn answer_line(text: &str) -> Cow<'_, str> {
    unbroken(text, |letter| matches!(letter, '\n' | '\r'))
}

fn unbroken(text: &str, breaks: impl Fn(char) -> bool) -> Cow<'_, str> {
    let trimmed = text.trim();
    if !trimmed.contains(&breaks) {
        return trimmed.into();
    }
    let lines: Vec<&str> = trimmed.split(breaks).map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" ").into()
}

/// The text with line feeds as its only line breaks: every other one, and the blanks around it, is one
/// blank. For texts whose lines were put together by somebody who knows of line feeds only.
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    let other = |letter: char| letter != '\n' && is_line_break(letter);
    if !text.contains(other) {
        return text.into();
    }
    joined_by("\n", text.split('\n').map(one_line)).into()
}

/// The answer after a block of reasoning (`<think>...</think>`), or the whole text if there is none.
pub fn after_reasoning(text: &str) -> &str {
    text.rsplit_once("</think>").map_or(text, |(_, after)| after)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_kind_of_break_is_one() {
        for end in ["\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            assert_eq!(one_line(&format!(" a {end}{end} b{end}")), "a b", "{end:?}");
        }
        assert_eq!(one_line("a\tb  c"), "a\tb  c");
        assert_eq!(answer_line(" a \r\n b\u{2028}c"), "a b\u{2028}c");
        assert_eq!(plain_lines("a\r\n b\u{2028}c\n\nd"), "a\nb c\n\nd");
        assert_eq!(plain_lines(" a\n b"), " a\n b");
    }

    proptest! {
        #[test]
        fn nothing_breaks_a_line(text in "(?s)[a> :\n\r\u{b}\u{c}\u{85}\u{2028}\u{2029}]*") {
            prop_assert!(!one_line(&text).contains(is_line_break));
            prop_assert!(!plain_lines(&text).contains(|letter| letter != '\n' && is_line_break(letter)));
            prop_assert_eq!(plain_lines(&text).matches('\n').count(), text.matches('\n').count());
        }
    }
}
