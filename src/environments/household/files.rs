//! Reads files that somebody else made: regular ones of a sensible size, and no others.
//!
//! A pipe would never end and a device would fill the memory; both can lie where a game is expected.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// No game is nearly as large; official ones take some 60 kB.
const BYTE_LIMIT: u64 = 16 << 20;

/// Opens a regular file.
///
/// # Errors
/// When it cannot be opened, or is something else.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::from(ErrorKind::IsADirectory));
    }
    if !found.is_file() {
        let why = "it is no regular file";
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    }
    File::open(path)
}

/// Reads a regular file.
///
/// # Errors
/// As [`open`]; and when the file is larger than any game is.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len().min(BYTE_LIMIT);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    // Asked of the bytes, not of the file's length, which may change or be none.
    let read = file.take(BYTE_LIMIT + 1).read_to_end(&mut bytes)? as u64;
    if read > BYTE_LIMIT {
        let why = format!("it is larger than {} MiB", BYTE_LIMIT >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}
