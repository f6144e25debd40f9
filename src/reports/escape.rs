//! Making foreign text harmless in Markdown.

use crate::text::visible;

/// The text as one line of Markdown that shows it literally: no markup, no HTML, no cell border.
pub(super) fn markdown(text: &str) -> String {
    let shown = visible(text);
    let mut escaped = String::with_capacity(shown.len() + 8);
    for letter in shown.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!'
            | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // Neither a bare address nor a numbered list may come to life.
            ':' => escaped.push_str("&#58;"),
            '@' => escaped.push_str("&#64;"),
            '.' => escaped.push_str("&#46;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markdown_stays_text() {
        let escaped = markdown("<script>|[x](http://a.b)|**b**\n# h");
        for live in ["<", "|[", "](", "**", "http:", "\n"] {
            assert!(!escaped.contains(live), "{live} in {escaped}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_hides_is_left(text in any::<String>()) {
            let shown = markdown(&text);
            prop_assert_eq!(visible(&shown), shown.as_str());
        }
    }
}
