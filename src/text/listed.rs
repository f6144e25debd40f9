//! Words in lists.

/// Whether a list of words, with a blank between two of them, has this word.
///
/// Rules that read sentences ask this for every word of each rule: a scan over bytes, most of which differ from the
/// word in the first.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
}
