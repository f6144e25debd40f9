//! The shop beside recordings of the original programs.

mod search;

use std::path::Path;

use anyhow::bail;

use crate::conformance::{Comparison, Tally, shown};

/// Compares one kind of recordings of a folder, made with the data of another one.
type Check = fn(&Path, &Path) -> anyhow::Result<Tally>;

/// The kinds of recordings.
const CHECKS: &[(&str, Check)] = &[("search", search::compare)];

/// Compares every recording.
///
/// # Errors
/// When a recording cannot be read, or the folder holds none that is known.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let mut text = String::new();
    let mut all = Tally::default();
    for (name, check) in CHECKS {
        let tally = check(oracle, data)?;
        text.push_str(&format!("{name}: {tally}\n"));
        all.add(tally);
    }
    if all.is_empty() {
        bail!("`{}` holds no recording that is known", oracle.display());
    }
    text.push_str(&shown(all.differences.iter().cloned()));
    text.push_str(&all.to_string());
    Ok(Comparison {
        text,
        differing: all.differing,
    })
}
