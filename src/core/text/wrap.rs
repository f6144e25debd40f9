//! Breaking a foreign text into lines of a given width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::visible;

/// Columns that a text takes on a terminal.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text made visible and broken at its own line breaks, at spaces, and inside words that are
/// too long. After `longest` lines it is cut, and the last line says how much is missing.
pub fn lines(text: &str, width: usize, longest: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = Vec::new();
    for paragraph in text.trim_end_matches('\n').split('\n') {
        break_line(&visible(paragraph), width, &mut lines);
    }
    if lines.len() > longest {
        let missing: usize = lines.drain(longest..).map(|line| line.chars().count()).sum();
        lines.push(format!("... ({missing} more characters)"));
    }
    lines
}

fn break_line(text: &str, width: usize, lines: &mut Vec<String>) {
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches(' ').width();
        if used > 0 && used + bare > width {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0;
        }
        for letter in word.chars() {
            let letter_width = letter.width().unwrap_or(0);
            if used + letter_width > width && letter != ' ' {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(letter);
            used += letter_width;
        }
    }
    lines.push(line.trim_end().to_owned());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_at_spaces_and_inside_long_words() {
        assert_eq!(lines("one two three four", 9, 100), ["one two", "three", "four"]);
        assert_eq!(lines("aaaaaaaaaaaa b", 8, 100), ["aaaaaaaa", "aaaa b"]);
        assert_eq!(lines("a\n\nb\n", 8, 100), ["a", "", "b"]);
        assert_eq!(lines("世界世界世界", 8, 100), ["世界世界", "世界"]);
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        let cut = lines(&"word ".repeat(100), 20, 2);
        assert_eq!(cut.len(), 3);
        assert!(cut[2].starts_with("... ("), "{cut:?}");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked(text in any::<String>(), width in 8_usize..80) {
            for line in lines(&text, width, usize::MAX) {
                let letters: usize = line.chars().map(|letter| letter.width().unwrap_or(0)).sum();
                prop_assert!(letters <= width, "{line:?}");
            }
        }
    }
}
