//! Reading lines while somebody else appends to them.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::LogError;
use super::folder::EVENTS;
use super::lines::{LINE_LIMIT, TornLine};
use super::segments::{self, Piece, Series};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 20;

/// Reads what was appended since it was last asked: whole lines only. Memory is that of about a
/// megabyte, or of the longest line.
#[derive(Default)]
pub struct Tail {
    followed: Followed,
    /// The file that is read, or is to be.
    path: PathBuf,
    input: Option<Input>,
    buffer: Vec<u8>,
    /// Bytes of the buffer, and lines in them, that were handed out last time.
    handed: usize,
    lines: u64,
    /// Lines of the file that were handed out before those.
    before: u64,
    /// Bytes of the file that were read.
    read: u64,
}

/// The file or files that are followed.
#[derive(Default)]
enum Followed {
    /// One file.
    #[default]
    File,
    /// The events or results of a run: segments from this number on, then the file that grows.
    Series { folder: PathBuf, series: Series, next: u32 },
}

/// An open file.
struct Input {
    piece: Piece,
    reader: Box<dyn Read + Send>,
    /// Nobody appends to it any more.
    closed: bool,
}

/// Whole lines of one file that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    path: &'a Path,
    first: u64,
    bytes: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The file.
    pub fn path(self) -> &'a Path {
        self.path
    }

    /// The lines without their newlines, each with its number, from 1.
    pub fn lines(self) -> impl Iterator<Item = (u64, &'a [u8])> {
        let whole = self.bytes.strip_suffix(b"\n").unwrap_or(self.bytes);
        (self.first..).zip(whole.split(|byte| *byte == b'\n'))
    }
}

impl Tail {
    /// Begins at the start of a file, which need not be there yet.
    pub fn new(path: &Path) -> Self {
        Self::of(Followed::File, path.to_owned())
    }

    /// Begins at the first event of a run, in whatever file it is, and goes on from file to file.
    pub fn events(folder: &Path) -> Self {
        Self::series(folder, Series::Events)
    }

    /// Begins at the first result of a run, and goes on from file to file.
    pub fn results(folder: &Path) -> Self {
        Self::series(folder, Series::Results)
    }

    fn series(folder: &Path, series: Series) -> Self {
        let followed = Followed::Series { folder: folder.to_owned(), series, next: 1 };
        Self::of(followed, folder.join(series.growing()))
    }

    fn of(followed: Followed, path: PathBuf) -> Self {
        Self { followed, path, ..Self::default() }
    }

    /// The next lines, at most about a megabyte of them; nothing if there is no whole line yet.
    ///
    /// Fails if the file cannot be read, became shorter, or has a line beyond all measure.
    pub fn grown(&mut self) -> Result<Option<Chunk<'_>>, LogError> {
        self.buffer.drain(..self.handed);
        self.before += self.lines;
        (self.handed, self.lines) = (0, 0);
        // A line that is read for the second time is not searched for its end again.
        let mut searched = 0;
        loop {
            let new = &self.buffer[searched..];
            if let Some(end) = new.iter().rposition(|byte| *byte == b'\n') {
                self.handed = searched + end + 1;
                break;
            }
            searched = self.buffer.len();
            if searched as u64 >= LINE_LIMIT {
                let line = self.before + 1;
                let reason = format!("longer than {LINE_LIMIT} bytes");
                return Err(LogError::line(&self.path, line, reason));
            }
            if self.read_some()? == 0 && !self.goes_on()? {
                return Ok(None);
            }
        }
        let bytes = &self.buffer[..self.handed];
        self.lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        Ok(Some(Chunk { path: &self.path, first: self.before + 1, bytes }))
    }

    /// The part of a last line that is not whole. Once nobody writes any more, it was cut off.
    pub fn torn(&self) -> Option<TornLine> {
        let bytes = self.buffer.len() - self.handed;
        let line = self.before + self.lines + 1;
        (bytes > 0).then_some(TornLine { line, bytes })
    }

    fn read_some(&mut self) -> Result<usize, LogError> {
        if self.input.is_none() {
            self.input = self.followed.open(&self.path)?;
        }
        let Some(input) = &mut self.input else {
            return Ok(0);
        };
        self.path.clone_from(&input.piece.path);
        let limited = (&mut input.reader).take(CHUNK as u64);
        let read = { limited }.read_to_end(&mut self.buffer);
        let read = read.map_err(|error| LogError::read(&self.path, &error))?;
        self.read += read as u64;
        Ok(read)
    }

    /// Whether there may be more, although the file is at its end.
    fn goes_on(&mut self) -> Result<bool, LogError> {
        let Some(input) = &mut self.input else {
            return Ok(false);
        };
        if input.closed {
            if !self.buffer.is_empty() {
                let why = "cut off, although the file is closed";
                return Err(LogError::line(&self.path, self.before + 1, why));
            }
            if let Followed::Series { next, .. } = &mut self.followed {
                *next = next.saturating_add(1);
            }
            self.input = None;
            (self.before, self.read) = (0, 0);
            return Ok(true);
        }
        // What was `events.jsonl` when it was opened may be a segment by now. Then nothing is
        // appended any more, but something may have been since it was read.
        input.closed = self.followed.is_passed();
        let length = input.piece.length().unwrap_or(self.read);
        if length < self.read {
            let reason = "the file became shorter while it was read";
            return Err(LogError::line(&self.path, self.before + 1, reason));
        }
        Ok(input.closed)
    }
}

impl Followed {
    /// Opens the file that is next; none if it is not there yet.
    fn open(&self, path: &Path) -> Result<Option<Input>, LogError> {
        let (piece, closed) = match self {
            Self::File => (Piece::open(path, 0)?, false),
            Self::Series { folder, series, next } => loop {
                if let Some(segment) = segments::open_segment(folder, *series, *next, 0)? {
                    break (Some(segment), true);
                }
                let tail = Piece::open(&folder.join(series.growing()), 0)?;
                // Closed in the meantime: then what was opened may be what comes after it.
                if !self.is_passed() {
                    break (tail, false);
                }
            },
        };
        let Some(piece) = piece else {
            return Ok(None);
        };
        Ok(Some(Input { reader: piece.reader(0)?, piece, closed }))
    }

    /// Whether the file that is read is a closed one by now.
    fn is_passed(&self) -> bool {
        match self {
            Self::File => false,
            Self::Series { folder, series, next } => segments::is_there(folder, *series, *next),
        }
    }
}

/// Whether the events of a run are there and end with a whole line.
pub fn ends_whole(folder: &Path) -> bool {
    let last = || {
        let mut file = crate::files::open(&folder.join(EVENTS))?;
        if file.seek(SeekFrom::End(0))? == 0 {
            // What came before it was closed with a whole line.
            return Ok(segments::is_there(folder, Series::Events, 1));
        }
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        Ok::<_, std::io::Error>(last == *b"\n")
    };
    last().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn rest(tail: &mut Tail) -> Vec<(u64, String)> {
        let mut all = Vec::new();
        while let Some(chunk) = tail.grown().unwrap() {
            let text = |line: &[u8]| String::from_utf8(line.to_vec()).unwrap();
            all.extend(chunk.lines().map(|(number, line)| (number, text(line))));
        }
        all
    }

    #[test]
    fn a_file_may_come_late_and_lose_nothing_but_what_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let mut tail = Tail::new(&path);
        assert!(rest(&mut tail).is_empty());
        let mut file = File::create(&path).unwrap();
        assert!(rest(&mut tail).is_empty());
        file.write_all(b"one\ntw").unwrap();
        assert_eq!(rest(&mut tail), [(1, "one".to_owned())]);
        assert_eq!(tail.torn(), Some(TornLine { line: 2, bytes: 2 }));
        file.write_all(b"o\n\nfour\n").unwrap();
        let expected = [(2, "two"), (3, ""), (4, "four")];
        assert_eq!(rest(&mut tail), expected.map(|(number, line)| (number, line.to_owned())));
        assert_eq!(tail.torn(), None);
        file.set_len(3).unwrap();
        let error = tail.grown().unwrap_err().to_string();
        assert!(error.contains("became shorter"), "{error}");
    }

    #[test]
    fn lines_longer_than_a_chunk_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let long = "x".repeat(3 * CHUNK + 7);
        std::fs::write(&path, format!("a\n{long}\nb\n")).unwrap();
        let lines = rest(&mut Tail::new(&path));
        let lengths: Vec<usize> = lines.iter().map(|(_, line)| line.len()).collect();
        assert_eq!(lengths, [1, long.len(), 1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn however_it_is_written_the_lines_are_those_of_the_whole(
            pieces in proptest::collection::vec("[a\n]{0,12}", 0..12),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("lines");
            let mut tail = Tail::new(&path);
            let mut seen = Vec::new();
            for piece in &pieces {
                let mut file = OpenOptions::new().append(true).create(true).open(&path).unwrap();
                file.write_all(piece.as_bytes()).unwrap();
                seen.extend(rest(&mut tail));
            }
            let whole = pieces.concat();
            let ended = whole.rfind('\n').map_or("", |end| &whole[..=end]);
            let expected: Vec<(u64, String)> =
                (1..).zip(ended.lines().map(str::to_owned)).collect();
            prop_assert_eq!(seen, expected);
            prop_assert_eq!(tail.torn().map_or(0, |torn| torn.bytes), whole.len() - ended.len());
        }
    }
}
