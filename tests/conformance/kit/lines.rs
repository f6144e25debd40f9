//! Recordings as they are read: one object, or one object per line.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::de::DeserializeOwned;

use rolecall_core::text::json;

/// The object that a recording is.
///
/// # Errors
/// When the file cannot be read, or is no such object.
pub fn read<T: DeserializeOwned>(file: &Path) -> anyhow::Result<T> {
    let text = fs::read_to_string(file).map_err(anyhow::Error::from);
    let object = text.and_then(|text| Ok(json::read(&text)?));
    object.with_context(|| format!("`{}`", file.display()))
}

/// Does something with the object of each line that is not blank.
///
/// # Errors
/// When the file cannot be read, or a line is no such object or cannot be compared.
pub fn each_line<T: DeserializeOwned>(
    file: &Path,
    mut each: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let text = fs::read_to_string(file).context("cannot be read")?;
    for (line, number) in text.lines().zip(1..) {
        if line.trim().is_empty() {
            continue;
        }
        let object = json::read(line).map_err(anyhow::Error::from);
        object.and_then(&mut each).with_context(|| format!("line {number}"))?;
    }
    Ok(())
}
