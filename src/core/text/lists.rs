//! Lists: of items in one line, of words, and of things that are counted.

use std::fmt::{Display, Write};

/// The items with a comma between them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    joined_by(", ", items)
}

/// The items with this text between them.
pub fn joined_by<T: Display>(between: &str, items: impl IntoIterator<Item = T>) -> String {
    let mut all = String::new();
    for (place, item) in items.into_iter().enumerate() {
        all.push_str(if place > 0 { between } else { "" });
        // Writing to a text cannot fail.
        let _ = write!(all, "{item}");
    }
    all
}

/// The items as a list in a sentence: `a, b and c`.
pub fn joined_and(items: &[String]) -> String {
    match items {
        [first @ .., before, last] => [first, &[format!("{before} and {last}")]].concat().join(", "),
        _ => items.concat(),
    }
}

/// The number with the word for one thing, or with the word for several.
pub fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Whether a list of words, with a blank between two of them, has this word.
///
/// Rules that read sentences ask this for every word of each rule: a scan over bytes, most of which differ from the
/// word in the first.
#[inline]
pub fn has_word(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else {
        return false;
    };
    let mut begins = true;
    for (position, letter) in list.iter().enumerate() {
        if begins && letter == first {
            let here = list.get(position..).unwrap_or_default();
            let after = here.strip_prefix(word);
            if after.is_some_and(|after| after.first().is_none_or(|next| *next == b' ')) {
                return true;
            }
        }
        begins = *letter == b' ';
    }
    false
}

/// The items, each once, in the order in which they first came. For short lists: each item is compared with
/// those before it.
pub fn unique<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_one_is_singular() {
        let shown = [0, 1, 2].map(|number| counted(number, "reply", "replies"));
        assert_eq!(shown, ["0 replies", "1 reply", "2 replies"]);
    }

    proptest! {
        #[test]
        fn a_list_has_what_stands_between_its_blanks(
            words in proptest::collection::vec("[abé]{1,3}", 0..6),
            word in "[abé]{0,3}",
        ) {
            let list = words.join(" ");
            prop_assert_eq!(has_word(&list, &word), words.contains(&word));
        }
    }

    #[test]
    fn the_first_of_equal_items_stays() {
        assert_eq!(unique(["b", "a", "b", "c", "a"]), ["b", "a", "c"]);
    }
}
