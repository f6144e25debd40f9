//! Reading files that somebody else made: regular ones of a sensible size, and no others; and putting
//! a whole file into the place of another one; and the files inside the program. Imports nothing else of
//! the crate.
//!
//! A pipe would never end and a device would fill the memory; both can lie where a file is expected.

pub mod shipped;

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
#[cfg(debug_assertions)]
use std::sync::LazyLock;
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// Why a file or folder of data cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file or folder could not be read.
    #[error("`{path}` cannot be read: {source}")]
    Io {
        /// The file or folder.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not what it has to be.
    #[error("`{path}`: {problem}")]
    Data {
        /// The file or folder.
        path: String,
        /// The problem with its line, column or key, and the remedy.
        problem: String,
    },
}

impl DataError {
    /// A file that could not be read.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }

    /// A file that is not what it has to be.
    pub fn data(path: &Path, problem: impl Into<String>) -> Self {
        Self::Data { path: path.display().to_string(), problem: problem.into() }
    }
}

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

/// Tells a file from all others, and from what it was before it was changed: its path, length and time of
/// change, as far as they can be had.
pub fn stamp(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let found = fs::metadata(path).ok();
    let length = found.as_ref().map(fs::Metadata::len);
    let changed = found.and_then(|found| found.modified().ok());
    format!("{whole:?} {length:?} {changed:?}")
}

/// Reads a regular file of at most `largest` bytes, or a [shipped] one.
///
/// # Errors
/// As [`open`], and [`ErrorKind::FileTooLarge`].
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    if let Some(content) = shipped::read(path) {
        return Ok(content.to_vec());
    }
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

/// Reads a file of text as [`read`] does, without its byte order mark.
///
/// # Errors
/// As [`read`], and [`ErrorKind::InvalidData`] for a text in UTF-16.
pub fn read_text(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = read(path, largest)?;
    bytes.drain(..mark_length(&bytes)?);
    Ok(bytes)
}

/// The bytes of a text behind its byte order mark.
///
/// # Errors
/// When the start cannot be read; [`ErrorKind::InvalidData`] for a text in UTF-16.
pub fn unmarked<R: Read>(mut text: R) -> io::Result<io::Chain<io::Cursor<Vec<u8>>, R>> {
    let mut start = Vec::new();
    text.by_ref().take(3).read_to_end(&mut start)?;
    start.drain(..mark_length(&start)?);
    Ok(io::Cursor::new(start).chain(text))
}

/// The number of bytes that the byte order mark at the start of a text takes.
fn mark_length(start: &[u8]) -> io::Result<usize> {
    let encoding = match start {
        [0xef, 0xbb, 0xbf, ..] => return Ok(3),
        [0xff, 0xfe, ..] => "UTF-16LE",
        [0xfe, 0xff, ..] => "UTF-16BE",
        _ => return Ok(0),
    };
    Err(io::Error::new(ErrorKind::InvalidData, format!("it is a text in {encoding}; save it as UTF-8")))
}

/// The content of what was opened or read; none if it is not there.
///
/// # Errors
/// As the result, but for [`ErrorKind::NotFound`].
pub fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The file of a name in a folder, as it is or packed (`.gz`); none if there is neither.
pub fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let candidates = [folder.join(name), folder.join(format!("{name}.gz"))];
    candidates.into_iter().find(|file| file.is_file())
}

/// Reads a regular file of text, unpacked if its name ends in `.gz`, without its byte order mark.
///
/// # Errors
/// As [`open`] and [`unmarked`].
pub fn unpacked(path: &Path) -> io::Result<Box<dyn Read>> {
    let open = open(path)?;
    let is_packed = path.extension().is_some_and(|ending| ending == "gz");
    Ok(match is_packed {
        true => Box::new(unmarked(MultiGzDecoder::new(BufReader::new(open)))?),
        false => Box::new(unmarked(open)?),
    })
}

/// The end of the name of a file that is not whole yet.
pub const PART: &str = ".part";

/// The file beside another one in which its next content is written.
pub fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(PART);
    part.into()
}

/// Puts a content into the place of a file, or makes it. Half a content never stands there, not even
/// after the machine has failed, and an older file stays if this fails.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let part = part_of(path);
    step();
    File::create(&part)
        .and_then(|mut file| {
            step();
            write_in_steps(&mut file, content)?;
            file.sync_all()?;
            fs::rename(&part, path)?;
            step();
            sync_folder(path.parent().unwrap_or(Path::new("")))
        })
        .inspect_err(|_| {
            // What cannot be written can perhaps not be removed; the error of writing is told.
            let _ = fs::remove_file(&part);
        })
}

/// The step of writing at which this process is to end as if it was killed: in builds with debug assertions
/// the one that `ROLECALL_DIE_AT` names, in others none.
#[cfg(debug_assertions)]
static LAST_STEP: LazyLock<Option<u64>> = LazyLock::new(|| std::env::var("ROLECALL_DIE_AT").ok()?.parse().ok());

/// A place before or after something is written, where a process may be killed, and is if tests ask for it.
#[inline]
pub fn step() {
    #[cfg(debug_assertions)]
    if let Some(last) = *LAST_STEP {
        static STEPS: AtomicU64 = AtomicU64::new(0);
        if STEPS.fetch_add(1, Ordering::Relaxed) + 1 >= last {
            die();
        }
    }
}

/// Ends as by `kill -9`: nothing is written, closed or told any more.
#[cfg(debug_assertions)]
fn die() -> ! {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::abort()
}

/// Writes all of it, with [steps](step) before, amid and after.
///
/// # Errors
/// As [`Write::write_all`].
pub fn write_in_steps(file: &mut impl Write, content: &[u8]) -> io::Result<()> {
    step();
    #[cfg(debug_assertions)]
    if LAST_STEP.is_some() {
        let (first, rest) = content.split_at(content.len() / 2);
        file.write_all(first)?;
        step();
        file.write_all(rest)?;
        step();
        return Ok(());
    }
    file.write_all(content)
}

/// Makes the names in a folder survive the end of the machine.
///
/// # Errors
/// When the folder cannot be opened or written.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let here = folder.as_os_str().is_empty();
    let folder = if here { Path::new(".") } else { folder };
    // Elsewhere folders cannot be opened as files, and need not be.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn byte_order_marks_are_no_text_and_utf_16_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, packed) = (folder.path().join("text"), folder.path().join("text.gz"));
        let read_all = |bytes: &[u8]| {
            fs::write(&plain, bytes).unwrap();
            let mut gz = GzEncoder::new(File::create(&packed).unwrap(), Compression::fast());
            gz.write_all(bytes).unwrap();
            gz.finish().unwrap();
            let unpacked = [&plain, &packed].map(|path| unpacked(path).and_then(io::read_to_string));
            let [first, second] = unpacked.map(|text| text.map(String::into_bytes).map_err(|error| error.to_string()));
            assert_eq!(first, second);
            assert_eq!(first, read_text(&plain, 100).map_err(|error| error.to_string()));
            first
        };
        for text in ["", "a", "[1]", "\u{e9}\u{feff}"] {
            assert_eq!(read_all(text.as_bytes()).unwrap(), text.as_bytes());
            assert_eq!(read_all(format!("\u{feff}{text}").as_bytes()).unwrap(), text.as_bytes());
        }
        assert!(read_all(b"\xff\xfe[\0").unwrap_err().contains("UTF-16LE"));
        assert!(read_all(b"\xfe\xff\0[").unwrap_err().contains("UTF-16BE"));
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(!part_of(&path).exists());
        fs::create_dir(part_of(&path)).unwrap();
        assert!(replace(&path, b"three").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(replace(&folder.path().join("none/file"), b"x").is_err());
    }
}
