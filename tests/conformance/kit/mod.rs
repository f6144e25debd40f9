//! The kit by which worlds are compared with recordings: tallies, readers of lines, recorded models and episodes.

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

use rolecall_core::text::harmless;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares recorded sums of two numbers.
    fn sums(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
        each_line(file, |[one, two, sum]: [u32; 3]| {
            tally.check(|| format!("{one} and {two}"), &sum, &(one + two));
            Ok(())
        })
    }

    #[test]
    fn recordings_are_compared_and_the_first_differences_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sums.jsonl");
        let compare = |text: String| {
            std::fs::write(&file, text).unwrap();
            compare_each([("sums".to_owned(), file.clone(), sums as Check)], folder.path(), folder.path(), "sums.jsonl")
        };
        let rows = |from: u32| (0..30).map(move |row| format!("[{row}, 1, {}]\n", row + from));
        let same = compare(rows(1).collect()).unwrap();
        assert_eq!((same.differing, same.text.lines().last()), (0, Some("30 values checked, 0 differ")));
        let other = compare(rows(2).collect()).unwrap();
        assert_eq!(other.differing, 30);
        let lines: Vec<&str> = other.text.lines().collect();
        assert_eq!(lines[..2], ["sums: 30 values checked, 30 differ", "0 and 1: recorded 2, got 1"]);
        assert_eq!(lines[21..], ["... and 10 more differences", "30 values checked, 30 differ"]);
        let broken = compare("[1, 1, 2]\n\n[1]\n".to_owned()).unwrap_err();
        assert!(format!("{broken:#}").contains("sums.jsonl`: line 3: "), "{broken:#}");
        let none = compare(String::new()).unwrap_err();
        assert!(none.to_string().ends_with("with `sums.jsonl` and others"), "{none}");
    }
}
