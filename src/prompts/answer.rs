//! Texts of answers on one line.

use std::borrow::Cow;

/// A text as it is read from an answer, on one line: line feeds, carriage returns and the blanks around them are
/// one blank. What else may break a line stays as it was written, and breaks none where it is shown
/// ([`text::one_line`](crate::text::one_line)).
pub fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |letter: char| letter == '\n' || letter == '\r';
    let trimmed = text.trim();
    if !trimmed.contains(breaks) {
        return trimmed.into();
    }
    let lines = trimmed.split(breaks).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(" ").into()
}
