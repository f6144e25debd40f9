//! Lists in one line.

use std::fmt::Display;

/// The items with a comma between them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items = items.into_iter().map(|item| item.to_string());
    items.collect::<Vec<_>>().join(", ")
}

/// The items as a list in a sentence: `a, b and c`.
pub fn joined_and(items: &[String]) -> String {
    match items {
        [first @ .., before, last] => [first, &[format!("{before} and {last}")]].concat().join(", "),
        _ => items.concat(),
    }
}
