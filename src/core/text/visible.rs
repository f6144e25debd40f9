//! Makes foreign text harmless where it is shown: on terminals, in prompts, in reports.

use std::borrow::Cow;
use std::fmt::Write;

use super::joined_by;

/// The text with every character that could move a cursor, hide text or turn its direction
/// written out, such as `\u{1b}`. Line breaks become `\n`: the result is one line.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(hides) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            other if hides(other) => {
                // Writing to a text cannot fail.
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(other));
            }
            other => shown.push(other),
        }
    }
    shown.into()
}

/// The text with every line made harmless for a terminal.
pub fn harmless(text: &str) -> String {
    joined_by("\n", text.lines().map(visible))
}

/// Whether the letter could do or hide something: controls (C0, DEL, C1), marks of direction, letters without
/// width, separators of lines, tags.
pub fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Whether the letter is a picture: an emoji, an arrow, a symbol, or what joins them.
pub fn is_picture(letter: char) -> bool {
    matches!(letter, '\u{200d}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_could_do_something_is_written_out() {
        let text = "a\u{1b}[31mb\rc\u{8}\u{9b}2J\u{202e}d\u{200b}\tz\ny";
        let expected = r"a\u{1b}[31mb\rc\u{8}\u{9b}2J\u{202e}d\u{200b}\tz\ny";
        assert_eq!(visible(text), expected);
        assert_eq!(visible("Grüße, 世界 🙂"), "Grüße, 世界 🙂");
    }

    proptest! {
        #[test]
        fn nothing_that_hides_is_left(text in any::<String>()) {
            prop_assert!(!visible(&text).contains(hides));
        }
    }
}
