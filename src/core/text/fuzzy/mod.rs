//! How alike two short texts are as sets of words: `token_set_ratio` of thefuzz 0.19 over Python's difflib.

mod matching;
mod partial;

pub use partial::partial_ratio;

use std::cmp::Ordering;

use super::overlap::{is_space, is_word};

/// Number of kinds of letters that are counted apart.
const KINDS: usize = 32;

/// The words of a text as a set, ready to be compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSet {
    /// The words, each once, in order, with a space between them.
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<u32>,
    /// Number of letters of `text`.
    letters: usize,
    /// How many letters of each kind `text` has, up to 255.
    kinds: [u8; KINDS],
}

impl TokenSet {
    /// The words of a text: without the characters from U+0080 to U+00FF, in small letters, split at all that
    /// is neither letter, number nor underscore.
    pub fn new(text: &str) -> Self {
        let mut plain = String::with_capacity(text.len());
        if text.is_ascii() {
            plain.extend(text.chars().map(|letter| if is_word(letter) { letter.to_ascii_lowercase() } else { ' ' }));
        } else {
            let spaced: String = text
                .chars()
                .filter(|it| !matches!(it, '\u{80}'..='\u{ff}'))
                .map(|it| if is_word(it) { it } else { ' ' })
                .collect();
            plain.push_str(&spaced.to_lowercase());
        }
        let mut words: Vec<&str> = plain.split(is_space).filter(|it| !it.is_empty()).collect();
        words.sort_unstable();
        words.dedup();
        Self::of_sorted(&words, plain.len())
    }

    fn of_sorted(words: &[&str], most: usize) -> Self {
        let mut text = String::with_capacity(most);
        let mut ends = Vec::with_capacity(words.len());
        for word in words {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
            ends.push(text.len() as u32);
        }
        let mut kinds = [0_u8; KINDS];
        let mut letters = 0;
        for letter in text.chars() {
            let kind = &mut kinds[kind(letter)];
            *kind = kind.saturating_add(1);
            letters += 1;
        }
        Self { text, ends, letters, kinds }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|end| *end as usize + 1));
        let ends = self.ends.iter().map(|end| *end as usize);
        starts.zip(ends).map(|(start, end)| &self.text[start..end])
    }

    /// How alike the two are, from 0 to 100. Which of them comes first may matter for long texts.
    pub fn ratio(&self, other: &Self) -> u8 {
        match self.quick(other) {
            100 => 100,
            score => score.max(self.ratio_of_texts(other)),
        }
    }

    /// Whether the two are more alike than `threshold`.
    pub fn exceeds(&self, other: &Self, threshold: u8) -> bool {
        self.quick(other) > threshold || (self.at_most(other) > threshold && self.ratio_of_texts(other) > threshold)
    }

    /// The ratio as far as the words in common alone show it: of them to all words of each side.
    fn quick(&self, other: &Self) -> u8 {
        let (mut count, mut letters) = (0, 0);
        self.merge(other, |word, of| {
            if of == Ordering::Equal {
                count += 1;
                letters += word.chars().count();
            }
        });
        if count == 0 {
            return 0;
        }
        if count == self.ends.len() || count == other.ends.len() {
            return 100;
        }
        let matching = letters + count - 1;
        match self.shorter(other) {
            ..matching::FREQUENT_FROM => matching::score(matching, matching + self.shorter(other)),
            _ => 0,
        }
    }

    /// The ratio of the texts of all words, those in common first; where frequent letters are left out, also that
    /// of the words in common to all words.
    fn ratio_of_texts(&self, other: &Self) -> u8 {
        if self.text.is_empty() || other.text.is_empty() {
            return 0;
        }
        let (mut common, mut rest, mut other_rest) = (Vec::new(), Vec::new(), Vec::new());
        self.merge(other, |word, of| match of {
            Ordering::Equal => common.push(word),
            Ordering::Less => rest.push(word),
            Ordering::Greater => other_rest.push(word),
        });
        let start = common.join(" ");
        let one = [&common[..], &rest[..]].concat().join(" ");
        let two = [&common[..], &other_rest[..]].concat().join(" ");
        let mut score = matching::ratio(&one, &two);
        if self.shorter(other) >= matching::FREQUENT_FROM {
            score = score.max(matching::ratio(&start, &one));
            score = score.max(matching::ratio(&start, &two));
        }
        score
    }

    /// Goes through the words of both in order: those of `self` alone are less, those of `other` alone greater.
    fn merge<'a>(&'a self, other: &'a Self, mut each: impl FnMut(&'a str, Ordering)) {
        let (mut words, mut others) = (self.words().peekable(), other.words().peekable());
        loop {
            let (word, order) = match (words.peek(), others.peek()) {
                (Some(word), Some(other)) => (if word <= other { word } else { other }, word.cmp(other)),
                (Some(word), None) => (word, Ordering::Less),
                (None, Some(other)) => (other, Ordering::Greater),
                (None, None) => break,
            };
            each(word, order);
            if order.is_le() {
                words.next();
            }
            if order.is_ge() {
                others.next();
            }
        }
    }

    /// A bound on `ratio_of_texts`: no more letters can match than both have.
    fn at_most(&self, other: &Self) -> u8 {
        if self.shorter(other) >= matching::FREQUENT_FROM {
            return 100;
        }
        let matching: usize = self.kinds.iter().zip(&other.kinds).map(|(one, two)| usize::from(*one.min(two))).sum();
        matching::score(matching, self.letters + other.letters)
    }

    /// Number of letters of the shorter one.
    fn shorter(&self, other: &Self) -> usize {
        self.letters.min(other.letters)
    }
}

/// The kind of a letter; rare ones share a kind.
fn kind(letter: char) -> usize {
    match letter {
        'a'..='z' => letter as usize - 'a' as usize,
        '0'..='9' => 26 + (letter as usize - '0' as usize) % 5,
        _ => KINDS - 1,
    }
}

/// How alike two texts are as sets of words, from 0 to 100.
pub fn token_set_ratio(one: &str, other: &str) -> u8 {
    TokenSet::new(one).ratio(&TokenSet::new(other))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// The formula word for word.
    fn slow_ratio(one: &str, other: &str) -> u8 {
        let words = |text: &str| -> BTreeSet<String> {
            let spaced: String = text
                .chars()
                .filter(|it| !('\u{80}'..='\u{ff}').contains(it))
                .map(|it| if is_word(it) { it } else { ' ' })
                .collect();
            let small = spaced.to_lowercase();
            small.split_whitespace().map(str::to_owned).collect()
        };
        let joined = |words: Vec<&String>| {
            let words: Vec<&str> = words.into_iter().map(String::as_str).collect();
            words.join(" ")
        };
        let (one, other) = (words(one), words(other));
        if one.is_empty() || other.is_empty() {
            return 0;
        }
        let common = joined(one.intersection(&other).collect());
        let with = |rest: String| format!("{common} {rest}").trim().to_owned();
        let first = with(joined(one.difference(&other).collect()));
        let second = with(joined(other.difference(&one).collect()));
        let pairs = [(&common, &first), (&common, &second), (&first, &second)];
        pairs.map(|(one, two)| matching::ratio(one, two)).into_iter().max().unwrap()
    }

    #[test]
    fn texts_are_compared_as_sets_of_words() {
        let cases = [
            ("soy free", "free soy", 100),
            ("high waist free", "high waist", 100),
            ("hair dye", "dry hair", 88),
            ("faux leather", "pu leather", 82),
            ("★", "★", 0),
            ("('size', 'medium')", "medium", 100),
            ("108 x 90\"", "108\" x 90\"", 100),
            ("caf\u{e9} noir", "caf noir", 100),
            ("", "medium", 0),
        ];
        for (one, other, expected) in cases {
            assert_eq!(token_set_ratio(one, other), expected, "{one} / {other}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn quick_ways_change_no_score(
            one in "([a-c]{1,3}[ -]){0,5}", other in "([a-cA-Cé世]{1,3}[ ,]){0,5}", threshold in 0_u8..=100,
        ) {
            let expected = slow_ratio(&one, &other);
            let (a, b) = (TokenSet::new(&one), TokenSet::new(&other));
            prop_assert_eq!(a.ratio(&b), expected);
            prop_assert_eq!(a.exceeds(&b, threshold), expected > threshold);
        }

    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn nor_do_they_for_long_texts(
            one in "([a-e]{1,9} ){10,60}", other in "([a-e]{1,9} ){10,60}", shared in "([f-h]{1,30} ){0,30}",
            threshold in 0_u8..=100,
        ) {
            let (one, other) = (format!("{one}{shared}"), format!("{shared}{other}"));
            let expected = slow_ratio(&one, &other);
            let (a, b) = (TokenSet::new(&one), TokenSet::new(&other));
            prop_assert_eq!(a.ratio(&b), expected);
            prop_assert_eq!(a.exceeds(&b, threshold), expected > threshold);
        }
    }
}
