//! Names of raters.

/// The name under which the rules are a rater.
pub(super) const RULES: &str = "rules";

/// Checks a rater's name: it becomes part of a file's.
pub(super) fn rater(text: &str) -> Result<String, String> {
    let letter = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter)
    };
    let good = text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.len() <= 60
        && text.chars().all(letter);
    match text {
        RULES => Err("the rules have this name".to_owned()),
        name if good => Ok(name.to_owned()),
        _ => Err("write small letters, digits, `-` and `_`, beginning with a letter".to_owned()),
    }
}
