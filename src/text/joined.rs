//! Lists in one line.

use std::fmt::Display;

/// The items with a comma between them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for item in items {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&item.to_string());
    }
    text
}
