//! The kit with which worlds compare themselves with recordings of the original programs. Imports text.

mod lines;
mod tally;

use std::path::Path;

pub use lines::each_line;
pub use tally::Tally;

use crate::text::harmless;

/// The most differences that are printed; the last line counts all.
const MOST_SHOWN: usize = 20;

/// A world's report on recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The text to be printed: the first differences and, as the last line, how many there are.
    pub text: String,
    /// How many required values differ.
    pub differing: usize,
}

/// Compares the recordings of a folder, made with the data of another one.
pub type Compare = fn(oracle: &Path, data: &Path) -> anyhow::Result<Comparison>;

/// The first of many differences, a line each, and how many are left out.
pub fn shown(differences: impl ExactSizeIterator<Item = String>) -> String {
    let all = differences.len();
    let mut text = String::new();
    for difference in differences.take(MOST_SHOWN) {
        text.push_str(&harmless(&difference));
        text.push('\n');
    }
    if let Some(left_out) = all.checked_sub(MOST_SHOWN + 1) {
        text.push_str(&format!("... and {} more differences\n", left_out + 1));
    }
    text
}
