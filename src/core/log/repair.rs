//! Putting the files of a run right that a killed process or a failed machine left behind.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::de::IgnoredAny;

use super::LogError;
use super::lines::{LINE_LIMIT, Lines, is_unfilled};
use super::timings::is_timing;
use crate::domain::EpisodeId;
use crate::files::{self, if_there};

/// A repair in the folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// A last line that was cut off is gone.
    Torn {
        /// The name of the file.
        file: String,
        /// Number of the line, from 1.
        line: u64,
        /// Bytes of it that were there.
        bytes: u64,
    },
    /// A last line that was whole but for its newline has it now.
    Newline {
        /// The name of the file.
        file: String,
    },
    /// A file that was missing is there now, empty.
    Missing {
        /// The name of the file.
        file: String,
    },
    /// A file that was never finished is gone.
    Leftover {
        /// The name of the file.
        file: String,
    },
    /// A segment was there twice; the compressed file stays if it says the same as the other.
    Double {
        /// The name of the file that is gone.
        file: String,
    },
    /// The index file did not fit the events, or did not go as far. It does now, or is gone.
    Index,
    /// Lines that nobody can read, and that nothing is computed from, are gone.
    Unreadable {
        /// The name of the file.
        file: String,
        /// Number of the first, from 1.
        line: u64,
        /// Their number.
        lines: u64,
    },
    /// The ends of episodes were lost with the machine: the episodes are open again.
    Ends {
        /// The first of them.
        first: EpisodeId,
        /// Their number.
        episodes: u64,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Torn { file, line, bytes } => {
                format!("the last line of `{file}` (line {line}, {bytes} bytes) was cut off and is left out")
            }
            Self::Newline { file } => {
                format!("the newline at the end of `{file}` was missing and is added")
            }
            Self::Missing { file } => format!("`{file}` was missing and is begun anew"),
            Self::Leftover { file } => format!("`{file}` was never finished and is removed"),
            Self::Double { file } => {
                format!("`{file}` was there in two forms, of which one is kept")
            }
            Self::Unreadable { file, line, lines } => format!(
                "what cannot be read of `{file}` is left out: {}, the first is line {line}",
                some(*lines, "line")
            ),
            Self::Ends { first, episodes } => format!(
                "what was noted of the end of {} is left out (the first is `{first}`): the events \
                 were lost with the machine, and the rest is played again",
                some(*episodes, "episode")
            ),
            Self::Index => "the index was behind the events and is made again".to_owned(),
        };
        formatter.write_str(&text)
    }
}

/// A number of things whose name takes an s.
fn some(number: u64, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

/// Bytes that are read at once.
const CHUNK: u64 = 1 << 16;

/// Has a file of lines end with a whole line, or makes it.
pub(super) fn end_with_a_line(path: &Path) -> Result<Option<Repair>, LogError> {
    let name = || name_of(path);
    let failed = |error| LogError::change(path, &error);
    let opened = files::open(path).and_then(|_| File::options().read(true).write(true).open(path));
    let Some(mut file) = if_there(opened).map_err(failed)? else {
        File::create_new(path).map_err(failed)?;
        return Ok(Some(Repair::Missing { file: name() }));
    };
    repair_end(&mut file, name()).map_err(failed)
}

fn repair_end(file: &mut File, name: String) -> io::Result<Option<Repair>> {
    let length = file.metadata()?.len();
    let mut end = length;
    // What was cut off, and lines before it that a machine that failed had made room for but not
    // filled.
    loop {
        let start = end_of_lines(file, end.saturating_sub(1))?;
        let mut last = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.take(end - start).read_to_end(&mut last)?;
        if last.is_empty() || (last.ends_with(b"\n") && !is_unfilled(&last)) {
            break;
        }
        // Every line is an object: cut off anywhere, it is none.
        if end == length && serde_json::from_slice::<IgnoredAny>(&last).is_ok() {
            file.seek(SeekFrom::End(0))?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            return Ok(Some(Repair::Newline { file: name }));
        }
        end = start;
    }
    if end == length {
        return Ok(None);
    }
    let line = 1 + newlines(file, end)?;
    file.set_len(end)?;
    file.sync_all()?;
    Ok(Some(Repair::Torn { file: name, line, bytes: length - end }))
}

/// The end of the last newline, looked for from the end.
fn end_of_lines(file: &mut File, length: u64) -> io::Result<u64> {
    let mut chunk = Vec::new();
    let mut end = length;
    while end > 0 {
        if length - end > LINE_LIMIT {
            let why = format!("its last line is longer than {LINE_LIMIT} bytes");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        let start = end.saturating_sub(CHUNK);
        chunk.clear();
        file.seek(SeekFrom::Start(start))?;
        file.take(end - start).read_to_end(&mut chunk)?;
        if let Some(place) = chunk.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + place as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

fn newlines(file: &mut File, length: u64) -> io::Result<u64> {
    let mut chunk = vec![0; CHUNK as usize];
    let mut count = 0;
    file.seek(SeekFrom::Start(0))?;
    let mut file = file.take(length);
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok(count);
        }
        let found = chunk.iter().take(read).filter(|byte| **byte == b'\n');
        count += found.count() as u64;
    }
}

/// Removes lines of timings that are none: each is told, and the rest can be read without them.
pub(super) fn remove_unreadable(path: &Path) -> Result<Option<Repair>, LogError> {
    let failed = |error| LogError::change(path, &error);
    let read = |kept: &mut dyn FnMut(u64, &[u8], bool)| {
        let mut lines = Lines::new(BufReader::new(files::open(path)?));
        while let Some(line) = lines.next()? {
            kept(line.number, line.whole, is_timing(line.bytes));
        }
        Ok(())
    };
    let (mut first, mut wrong) = (None, 0);
    read(&mut |number, _, good| {
        if !good {
            wrong += 1;
            first.get_or_insert(number);
        }
    })
    .map_err(failed)?;
    let Some(line) = first else {
        return Ok(None);
    };
    let mut rest = Vec::new();
    read(&mut |_, line, good| {
        if good {
            rest.extend_from_slice(line);
        }
    })
    .map_err(failed)?;
    files::replace(path, &rest).map_err(failed)?;
    Ok(Some(Repair::Unreadable { file: name_of(path), line, lines: wrong }))
}

/// The name of a file in the run's folder.
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Removes a file that was never finished, if it is there.
pub(super) fn remove_leftover(path: &Path) -> Result<Option<Repair>, LogError> {
    let removed = if_there(fs::remove_file(path)).map_err(|error| LogError::change(path, &error))?;
    Ok(removed.map(|()| Repair::Leftover { file: name_of(path) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "{\"a\":1}\n{\"b\":[{\"c\":\"}\"}]}\n";

    fn repaired(content: &[u8]) -> (Option<Repair>, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        fs::write(&path, content).unwrap();
        let repair = end_with_a_line(&path).unwrap();
        // What is right is left alone.
        assert_eq!(end_with_a_line(&path).unwrap(), None);
        (repair, fs::read(&path).unwrap())
    }

    #[test]
    fn a_line_that_was_cut_off_anywhere_is_removed() {
        let first = LINES.find('\n').unwrap() + 1;
        for cut in 0..=LINES.len() {
            let (repair, left) = repaired(&LINES.as_bytes()[..cut]);
            let file = "x.jsonl".to_owned();
            let (expected, rest) = if cut == 0 || cut == first || cut == LINES.len() {
                (None, &LINES[..cut])
            } else if cut == first - 1 || cut == LINES.len() - 1 {
                (Some(Repair::Newline { file }), &LINES[..=cut])
            } else {
                let start = if cut < first { 0 } else { first };
                let line = if cut < first { 1 } else { 2 };
                let bytes = (cut - start) as u64;
                (Some(Repair::Torn { file, line, bytes }), &LINES[..start])
            };
            assert_eq!(repair, expected, "{cut}");
            assert_eq!(left, rest.as_bytes(), "{cut}");
        }
    }

    #[test]
    fn lines_longer_than_a_chunk_and_foreign_bytes_are_found_as_well() {
        let long = format!("{LINES}{{\"x\":\"{}", "y".repeat(3 * CHUNK as usize));
        let (repair, left) = repaired(long.as_bytes());
        assert!(matches!(repair, Some(Repair::Torn { line: 3, .. })), "{repair:?}");
        assert_eq!(left, LINES.as_bytes());
        // As a file is that had grown when the machine failed but was not filled yet.
        let (repair, left) = repaired(&[LINES.as_bytes(), &[0; 99]].concat());
        assert!(matches!(repair, Some(Repair::Torn { line: 3, bytes: 99, .. })));
        assert_eq!(left, LINES.as_bytes());
        // Whatever stands in such room: newlines, and beginnings of lines.
        let room = b"{\"a\":\0\0\n\0\0\n\0\0{\"b\"";
        let (repair, left) = repaired(&[LINES.as_bytes(), room].concat());
        let Some(Repair::Torn { line, bytes, .. }) = repair else {
            panic!("{repair:?}");
        };
        assert_eq!((line, bytes), (3, room.len() as u64));
        assert_eq!(left, LINES.as_bytes());
    }

    #[test]
    fn what_is_no_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let missing = end_with_a_line(&path).unwrap();
        assert!(matches!(missing, Some(Repair::Missing { .. })) && path.exists());
        assert!(end_with_a_line(folder.path()).is_err());
    }
}
