//! Names of colours in values of options.

use std::sync::LazyLock;

/// The colours, a line each, in alphabetical order.
static COLORS: &str = include_str!("colors.txt");

/// The colours by the [number] of their first two letters.
static BY_LETTERS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let mut colors = vec![Vec::new(); 1 << 10];
    for color in COLORS.lines() {
        if let [one, two, ..] = *color.as_bytes() {
            colors[number(one, two)].push(color);
        }
    }
    colors
});

/// A small number of two letters, which is that of other signs too.
fn number(one: u8, two: u8) -> usize {
    usize::from(one & 31) << 5 | usize::from(two & 31)
}

/// The alphabetically first colour that stands anywhere in the text (`standard` holds `tan`), or the text itself.
pub fn normalize_color(text: &str) -> &str {
    let (text_bytes, by_letters) = (text.as_bytes(), &*BY_LETTERS);
    let found = text_bytes.windows(2).enumerate().filter_map(|(at, pair)| {
        let mut colors = by_letters[number(pair[0], pair[1])].iter();
        colors.find(|color| text_bytes[at..].starts_with(color.as_bytes()))
    });
    found.min().copied().unwrap_or(text)
}

/// Whether the text is the name of a colour.
pub(super) fn is_color(text: &str) -> bool {
    COLORS.lines().any(|color| color == text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_colour_of_the_list_counts() {
        let cases = [
            ("standard", "tan"),
            ("white rose", "rose"),
            ("navy blue", "blue"),
            ("White", "White"),
            ("48 count", "48 count"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(normalize_color(text), expected);
        }
        assert!(COLORS.lines().is_sorted());
        assert_eq!(COLORS.lines().count(), 102);
    }

    proptest! {
        #[test]
        fn colours_are_found_as_in_the_whole_list(parts in prop::collection::vec(0_usize..102, 0..3), glue in "[a-z é]{0,3}") {
            let parts: Vec<&str> = parts.iter().map(|it| COLORS.lines().nth(*it).unwrap()).collect();
            let text = parts.join(&glue) + &glue;
            let plain = COLORS.lines().find(|it| text.contains(it)).unwrap_or(&text);
            prop_assert_eq!(normalize_color(&text), plain);
        }
    }
}
