//! Reading the text files that a config consists of, with every way in which that can fail.

use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;

use rolecall_core::files;

/// The largest config file and the largest persona card, in bytes.
pub(super) const LARGEST_CONFIG: u64 = 1024 * 1024;
/// The largest prompt and the largest exemplar, in bytes.
pub(super) const LARGEST_TEXT: u64 = 4 * 1024 * 1024;

/// Reads a regular file of at most `largest` bytes of UTF-8, or a shipped one. The error says what is wrong with
/// it, without its name.
pub(super) fn read_text(path: &Path, largest: u64) -> Result<String, String> {
    let bytes = files::read(path, largest).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "does not exist".to_owned(),
        ErrorKind::IsADirectory => "is a folder, not a file".to_owned(),
        ErrorKind::InvalidInput => "is not a regular file".to_owned(),
        ErrorKind::FileTooLarge => format!("is larger than {} KiB", largest / 1024),
        _ => format!("cannot be read: {error}"),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        format!("is not UTF-8: the bytes from {end} on are no text")
    })
}

/// A file that the run was resolved from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRecord {
    /// Its kind: `config`, `card`, `prompt` or `exemplars`.
    pub kind: &'static str,
    /// Its path, relative to the working folder if it lies below.
    pub path: String,
    /// Hash of its content.
    pub blake3: String,
}

impl FileRecord {
    pub(super) fn of(kind: &'static str, path: &str, content: &[u8]) -> Self {
        Self { kind, path: path.to_owned(), blake3: blake3::hash(content).to_hex().to_string() }
    }
}
