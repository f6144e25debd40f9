//! The household beside recordings of its original program.

use std::path::Path;

use super::shown;
use crate::environments::household;

/// Replays the recordings: what is printed, and how many steps differ.
pub(super) fn compare(oracle: &Path, data: &Path) -> anyhow::Result<(String, usize)> {
    let report = household::conformance::replay(oracle, data)?;
    let mut text = shown(report.differences.iter().map(ToString::to_string));
    let (steps, differing) = (report.steps, report.differing);
    text.push_str(&format!("{steps} steps checked, {differing} differ"));
    Ok((text, differing))
}
