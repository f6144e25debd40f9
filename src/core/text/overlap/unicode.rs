//! Classes of characters, as Python and regular expressions know them.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// White space as `str.isspace` and `str.split` know it: Unicode's, and the four separators of
/// ASCII (`\x1c` to `\x1f`).
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}')
}

/// A letter of a word as `\w` of Python's `re` knows it: letters, numbers and the underscore, but no
/// combining marks.
pub fn is_word(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric() || letter == '_';
    }
    matches!(letter.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// The words between white space, as `str.split()` gives them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// `\p{P}`.
pub(super) fn is_punctuation(letter: char) -> bool {
    letter.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// `\p{S}`.
pub(super) fn is_symbol(letter: char) -> bool {
    letter.general_category_group() == GeneralCategoryGroup::Symbol
}

/// `\p{N}`.
pub(super) fn is_number(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_digit();
    }
    letter.general_category_group() == GeneralCategoryGroup::Number
}
