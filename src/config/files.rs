//! Reading the text files that a config consists of, with every way in which that can fail.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest config file and the largest persona card, in bytes.
pub(super) const LARGEST_CONFIG: u64 = 1024 * 1024;
/// The largest prompt and the largest exemplar, in bytes.
pub(super) const LARGEST_TEXT: u64 = 4 * 1024 * 1024;

/// Reads a regular file of at most `largest` bytes of UTF-8. The error says what is wrong with
/// it, without its name.
pub(super) fn read_text(path: &Path, largest: u64) -> Result<String, String> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    // Opening a pipe would wait for somebody to write into it.
    if !metadata.is_file() {
        return Err("is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(largest + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(format!("is larger than {} KiB", largest / 1024));
    }
    String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        format!("is not UTF-8: the bytes from {end} on are no text")
    })
}
