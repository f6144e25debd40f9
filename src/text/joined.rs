//! Lists in one line.

use std::fmt::Display;

/// The items with a comma between them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items = items.into_iter().map(|item| item.to_string());
    items.collect::<Vec<_>>().join(", ")
}
