//! Names of colours in values of options.

use std::sync::LazyLock;

/// The colours, a line each, in alphabetical order.
static COLORS: &str = include_str!("colors.txt");

/// The colours, and for each two letters which of them begin so.
struct Table {
    colors: Vec<&'static str>,
    begin: Vec<(u8, u8)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let colors: Vec<&str> = COLORS.lines().collect();
    let mut begin = vec![(0, 0); 26 * 26];
    for (number, color) in (0_u8..).zip(&colors) {
        if let [one, two, ..] = color.as_bytes()
            && let Some(letters) = letters(*one, *two)
        {
            let (first, after) = &mut begin[letters];
            if after == first {
                *first = number;
            }
            *after = number + 1;
        }
    }
    Table { colors, begin }
});

/// The number of two small letters.
fn letters(one: u8, two: u8) -> Option<usize> {
    let number = |letter: u8| {
        letter
            .is_ascii_lowercase()
            .then(|| usize::from(letter - b'a'))
    };
    Some(number(one)? * 26 + number(two)?)
}

/// The alphabetically first colour that stands anywhere in the text (`standard` holds `tan`), or the text itself.
pub fn normalize_color(text: &str) -> &str {
    let table = &*TABLE;
    let bytes = text.as_bytes();
    let mut best: Option<u8> = None;
    for (at, pair) in bytes.windows(2).enumerate() {
        let Some(letters) = letters(pair[0], pair[1]) else {
            continue;
        };
        let (first, after) = table.begin[letters];
        let mut numbers = first..after.min(best.unwrap_or(u8::MAX));
        let found =
            numbers.find(|it| bytes[at..].starts_with(table.colors[usize::from(*it)].as_bytes()));
        best = found.or(best);
    }
    best.map_or(text, |best| table.colors[usize::from(best)])
}

/// Whether the text is the name of a colour.
pub(super) fn is_color(text: &str) -> bool {
    TABLE.colors.binary_search(&text).is_ok()
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
            let parts: Vec<&str> = parts.iter().map(|it| TABLE.colors[*it]).collect();
            let text = parts.join(&glue) + &glue;
            let plain = COLORS.lines().find(|it| text.contains(it)).unwrap_or(&text);
            prop_assert_eq!(normalize_color(&text), plain);
        }
    }
}
