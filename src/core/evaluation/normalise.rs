//! Texts compared by their words.

/// The words of a text in lower case with one space between two. Numbers are words and stay as they are;
/// an apostrophe inside a word stays, all other marks go.
pub fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split(|letter: char| !(letter.is_alphanumeric() || is_apostrophe(letter))) {
        let word = word.trim_matches(is_apostrophe);
        if word.is_empty() {
            continue;
        }
        if !normal.is_empty() {
            normal.push(' ');
        }
        if word.is_ascii() {
            let start = normal.len();
            normal.push_str(word);
            if let Some(word) = normal.get_mut(start..) {
                word.make_ascii_lowercase();
            }
            continue;
        }
        for letter in word.chars() {
            match is_apostrophe(letter) {
                true => normal.push('\''),
                false => normal.extend(letter.to_lowercase()),
            }
        }
    }
    normal
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’')
}

/// Whether words stand in others, one after the other; both as [`normalise`] writes them. With a star at
/// its end the last word may go on.
pub fn holds(words: &str, sought: &str) -> bool {
    let (sought, open) = match sought.strip_suffix('*') {
        Some(start) => (start, true),
        None => (sought, false),
    };
    let (words, sought) = (words.as_bytes(), sought.as_bytes());
    words.windows(sought.len().max(1)).enumerate().any(|(at, found)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let after = words.get(at + sought.len());
        found.first() == sought.first()
            && found == sought
            && before.is_none_or(|byte| *byte == b' ')
            && (open || after.is_none_or(|byte| *byte == b' '))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_compared_without_marks_and_case() {
        let table = [
            ("Where is the Mug 2?", "where is the mug 2"),
            ("  'I don’t'  --  KNOW!\n", "i don't know"),
            ("Größe: ÄÖ", "größe äö"),
            ("?!", ""),
        ];
        for (text, words) in table {
            assert_eq!(normalise(text), words);
        }
        assert!(holds("i think so", "think") && holds("i think so", "thin*"));
        assert!(holds("anew new new", "new new"));
        assert!(!holds("i rethink", "think") && !holds("i think", "thin") && !holds("i", ""));
    }

    proptest! {
        #[test]
        fn words_stay_as_they_are(text in any::<String>()) {
            let words = normalise(&text);
            prop_assert!(!words.contains("  ") && words.trim_matches(' ') == words);
            prop_assert!(words.is_empty() || holds(&words, &words));
        }
    }
}
