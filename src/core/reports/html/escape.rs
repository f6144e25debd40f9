//! Foreign text in a page.

use maud::Render;

use crate::text::visible;

/// Letters of a name or a title that are shown.
const LONGEST: usize = 300;

/// A text that may come from anywhere, on one line: what could steer a reader is written out, what
/// could be markup is escaped (by [`maud`], which escapes every text), and a text that is too long
/// is cut.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(pub &'a str);

impl Render for Shown<'_> {
    fn render_to(&self, page: &mut String) {
        let (text, missing) = cut(self.0, LONGEST);
        visible(text).as_ref().render_to(page);
        if missing > 0 {
            page.push('…');
        }
    }
}

/// The first letters of a text, and how many are missing.
pub(super) fn cut(text: &str, longest: usize) -> (&str, usize) {
    match text.char_indices().nth(longest) {
        None => (text, 0),
        Some((end, _)) => (&text[..end], text[end..].chars().count()),
    }
}

/// A text of several lines, cut after `longest` letters. Line breaks stay, everything else is as in
/// [`Shown`].
pub fn lines(text: &str, longest: usize) -> String {
    let (text, missing) = cut(text.trim_end_matches('\n'), longest);
    let shown: Vec<_> = text.split('\n').map(visible).collect();
    let mut shown = shown.join("\n");
    if missing > 0 {
        shown.push_str(&format!(" … ({missing} more characters)"));
    }
    shown
}

#[cfg(test)]
mod tests {
    use maud::html;
    use proptest::prelude::*;

    use super::*;

    fn unescaped(markup: &str) -> String {
        let markup = markup.replace("&lt;", "<").replace("&gt;", ">");
        markup.replace("&quot;", "\"").replace("&amp;", "&")
    }

    #[test]
    fn markup_stays_text() {
        let hostile = "</title><script>x</script>\" onload='y' \u{202e}\u{1b}[2J\n&lt;";
        let page = html! { p title=(Shown(hostile)) { (Shown(hostile)) } }.into_string();
        assert_eq!(page.matches('<').count(), 2, "{page}");
        assert_eq!(page.matches('"').count(), 2, "{page}");
        assert!(page.contains("\\u{202e}\\u{1b}[2J\\n&amp;lt;"), "{page}");
        assert_eq!(cut("äöü", 2), ("äö", 1));
        assert_eq!(lines("a\nb\u{7}\n", 9), "a\nb\\u{7}");
        assert_eq!(lines("abcd", 2), "ab … (2 more characters)");
    }

    proptest! {
        #[test]
        fn a_text_is_shown_and_is_no_markup(text in any::<String>()) {
            let markup = html! { (Shown(&text)) }.into_string();
            prop_assert!(!markup.contains(['<', '>', '"']));
            prop_assert_eq!(visible(&markup), markup.as_str());
            let (start, missing) = cut(&text, LONGEST);
            let rest = if missing > 0 { "…" } else { "" };
            prop_assert_eq!(unescaped(&markup), format!("{}{rest}", visible(start)));
        }
    }
}
