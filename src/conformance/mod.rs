//! The kit with which worlds compare themselves with recordings of the original programs. Imports the ports.

mod episode;
mod lines;
mod recorded_model;
mod tally;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

pub use episode::{Cast, Episode, Step, at_once};
pub use lines::{each_line, read};
pub use recorded_model::RecordedModel;
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

/// Compares one recording: the file, the folder of official data, and the tally that counts.
pub type Check = fn(&Path, &Path, &mut Tally) -> anyhow::Result<()>;

/// Compares the recordings of a folder, each under the name by which it is reported; `example` is one that such a
/// folder holds.
///
/// # Errors
/// When a recording cannot be read, or there is none.
pub fn compare_each(
    recordings: impl IntoIterator<Item = (String, PathBuf, Check)>,
    oracle: &Path,
    data: &Path,
    example: &str,
) -> anyhow::Result<Comparison> {
    let mut text = String::new();
    let mut all = Tally::default();
    for (name, file, check) in recordings {
        let mut tally = Tally::default();
        check(&file, data, &mut tally).with_context(|| format!("`{}`", file.display()))?;
        text.push_str(&format!("{name}: {tally}\n"));
        all.add(tally);
    }
    if all.is_empty() {
        let folder = oracle.display();
        bail!("`{folder}` holds no recording that is known; name the folder with `{example}` and others");
    }
    text.push_str(&shown(all.differences.iter().cloned()));
    text.push_str(&all.to_string());
    Ok(Comparison { text, differing: all.differing })
}

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
