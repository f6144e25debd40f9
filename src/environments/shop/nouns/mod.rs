//! Nouns of titles, by which the reward compares the kinds of two products.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::catalogue::Product;
use crate::ShopError;
use rolecall_core::files;
use rolecall_core::text::json;

/// Finds the nouns of a product's title.
pub trait Tagger: Send + Sync {
    /// The name under which a run records it.
    fn name(&self) -> &'static str;

    /// The nouns and names in a title, in small letters, in order, each as often as it stands there. `asin` is
    /// that of the product, for lists that were recorded.
    fn nouns(&self, asin: &str, title: &str) -> Vec<String>;

    /// Nouns of a product's title.
    fn nouns_of(&self, product: &Product) -> Vec<String> {
        self.nouns(&product.asin, &product.title)
    }
}

/// The largest file of nouns that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The nouns of each title as a tagger found them, by ASIN. A product that is not among them has none.
#[derive(Clone, Debug, Default)]
pub struct RecordedNouns(HashMap<String, Vec<String>>);

impl RecordedNouns {
    /// The nouns of a JSON file: an object with a list of nouns for each ASIN.
    ///
    /// # Errors
    /// When it cannot be read or is not such an object.
    pub fn read(file: &Path) -> Result<Self, ShopError> {
        let bytes = files::read_text(file, LARGEST).map_err(ShopError::io(file))?;
        let nouns = serde_json::from_slice(&bytes).map_err(|error| {
            let (line, reason) = (error.line(), json::reason(&error));
            let remedy = "it must be an object with a list of nouns for each ASIN";
            ShopError::data(file, format!("line {line}: {reason}; {remedy}"))
        })?;
        Ok(Self(nouns))
    }
}

impl Tagger for RecordedNouns {
    fn name(&self) -> &'static str {
        "recorded"
    }

    fn nouns(&self, asin: &str, _title: &str) -> Vec<String> {
        self.0.get(asin).cloned().unwrap_or_default()
    }
}

/// Finds nouns by lists of words and by endings.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleTagger;

impl Tagger for RuleTagger {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn nouns(&self, _asin: &str, title: &str) -> Vec<String> {
        words(title).into_iter().map(str::to_lowercase).filter(|word| is_noun(word)).collect()
    }
}

/// Words that are no nouns: small words, numbers, adjectives and verbs, with a line before each kind that says so.
static OTHERS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("others.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Nouns that end as other words do.
static STILL_NOUNS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("still_nouns.txt").split_whitespace().collect());

/// Whether a word in small letters is a noun or a name, as far as the word alone tells.
fn is_noun(word: &str) -> bool {
    let number = word.trim_start_matches(['.', ',', '+', '-', '\'']);
    if number.starts_with(|letter: char| letter.is_numeric()) || OTHERS.contains(word) {
        return false;
    }
    let ending = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let other = ending(&["able", "ible", "less", "ful", "ous", "proof", "ly", "friendly"])
        || (word.len() > 4 && ending(&["ed"]));
    !other || STILL_NOUNS.contains(word)
}

/// The words of a title, without punctuation: cut at blanks, at marks around words, and at hyphens, slashes and the
/// like inside.
fn words(title: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for chunk in title.split_whitespace() {
        if POSSESSIVES.contains(&chunk) {
            continue;
        }
        let chunk = chunk.trim_matches(|letter: char| !letter.is_alphanumeric());
        let (mut start, mut before) = (0, None);
        for ((at, letter), after) in chunk.char_indices().zip(chunk.chars().skip(1)) {
            if before.is_some_and(|before| separates(before, letter, after)) {
                words.extend(word(&chunk[start..at]));
                start = at + letter.len_utf8();
            }
            before = Some(letter);
        }
        words.extend(word(&chunk[start..]));
    }
    words
}

/// Whether a letter between two others separates two words.
fn separates(before: char, letter: char, after: char) -> bool {
    let (word, number) = (after.is_alphabetic(), after.is_ascii_digit());
    match letter {
        '-' | '–' | '—' | '~' => before.is_alphanumeric() && (word || (before.is_ascii_digit() && number)),
        ':' | '<' | '>' | '=' | '/' => before.is_alphanumeric() && word,
        ',' => before.is_alphabetic() && word,
        '.' => before.is_lowercase() && after.is_uppercase(),
        '+' | '*' | '^' => before.is_ascii_digit() && number,
        '(' | ')' | '[' | ']' | '"' | '“' | '”' | '|' | '（' | '）' => true,
        _ => false,
    }
}

/// Units that are cut off the number before them.
const UNITS: &[&str] = &[
    "mm", "cm", "dm", "km", "m", "yd", "in", "ft", "kg", "mg", "g", "t", "lb", "oz", "mph", "MB", "mb", "KB", "kb",
    "GB", "gb", "TB", "tb",
];

/// Possessive endings.
const POSSESSIVES: [&str; 4] = ["'s", "’s", "'S", "’S"];

/// The word of a piece, if there is one: without a possessive ending, or without the number before a unit.
fn word(piece: &str) -> Option<&str> {
    let word = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
    let owner = POSSESSIVES.iter().find_map(|it| word.strip_suffix(it));
    if owner.is_some() {
        return owner;
    }
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let is_measure = unit.len() < word.len() && UNITS.contains(&unit);
    Some(if is_measure { unit } else { word }).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_and_names_are_left() {
        let cases = [
            (
                "Canditree Modern 4-Tier Bookcase with Drawers, Tall Storage Cabinet (White)",
                "canditree tier bookcase drawers storage cabinet",
            ),
            ("Spyder Men’s Waterproof Pull-On Shoe, 1.5mm Thick, 24x24, Pack of 6", "spyder men pull shoe mm pack"),
            (
                "Shea Butter Lotion|Paraben-Free, 12.5oz (2 Pack, Lightly Scented) for the Family",
                "shea butter lotion paraben oz pack family",
            ),
            ("", ""),
            ("- & ’s () 100%", ""),
        ];
        for (title, expected) in cases {
            assert_eq!(RuleTagger.nouns("", title).join(" "), expected, "{title}");
        }
    }
}
