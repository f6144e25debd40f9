//! Reading files that somebody else made: regular ones of a sensible size, and no others. Imports
//! nothing else of the crate.
//!
//! A pipe would never end and a device would fill the memory; both can lie where a file is expected.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file.
///
/// # Errors
/// When it cannot be opened; [`ErrorKind::IsADirectory`] for a folder, [`ErrorKind::InvalidInput`]
/// for anything else that is no file.
pub fn open(path: &Path) -> io::Result<File> {
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

/// Reads a regular file of at most `largest` bytes.
///
/// # Errors
/// As [`open`], and [`ErrorKind::FileTooLarge`].
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Asked of the bytes, not of the file's length, which may change or be none.
    let mut limited = open(path)?.take(largest.saturating_add(1));
    if limited.read_to_end(&mut bytes)? as u64 > largest {
        let why = match largest >> 20 {
            0 => format!("it is larger than {} KiB", largest >> 10),
            megabytes => format!("it is larger than {megabytes} MiB"),
        };
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}
