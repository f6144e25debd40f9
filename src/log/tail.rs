//! Reading a file of lines while somebody else appends to it.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::LogError;
use super::lines::{LINE_LIMIT, TornLine};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 20;

/// Reads what was appended since it was last asked: whole lines only. Memory is that of about a
/// megabyte, or of the longest line.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    file: Option<File>,
    buffer: Vec<u8>,
    /// Bytes of the buffer, and lines in them, that were handed out last time.
    handed: usize,
    lines: u64,
    /// Lines handed out before those.
    before: u64,
    read: u64,
}

/// Whole lines that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    first: u64,
    bytes: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The lines without their newlines, each with its number, from 1.
    pub fn lines(self) -> impl Iterator<Item = (u64, &'a [u8])> {
        let whole = self.bytes.strip_suffix(b"\n").unwrap_or(self.bytes);
        (self.first..).zip(whole.split(|byte| *byte == b'\n'))
    }
}

impl Tail {
    /// Begins at the start of the file, which need not be there yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            file: None,
            buffer: Vec::new(),
            handed: 0,
            lines: 0,
            before: 0,
            read: 0,
        }
    }

    /// The next lines, at most about a megabyte of them; nothing if there is no whole line yet.
    ///
    /// Fails if the file cannot be read, became shorter, or has a line beyond all measure.
    pub fn grown(&mut self) -> Result<Option<Chunk<'_>>, LogError> {
        self.buffer.drain(..self.handed);
        self.before += self.lines;
        (self.handed, self.lines) = (0, 0);
        let Some(mut file) = self.file()? else {
            return Ok(None);
        };
        // A line that is read for the second time is not searched for its end again.
        let mut searched = 0;
        loop {
            if let Some(end) = last_newline(&self.buffer[searched..]) {
                self.handed = searched + end + 1;
                break;
            }
            searched = self.buffer.len();
            if searched as u64 >= LINE_LIMIT {
                let line = self.before + 1;
                let reason = format!("longer than {LINE_LIMIT} bytes");
                return Err(LogError::line(&self.path, line, reason));
            }
            let limited = (&mut file).take(CHUNK as u64);
            let read = { limited }.read_to_end(&mut self.buffer);
            let read = read.map_err(|error| LogError::read(&self.path, &error))?;
            self.read += read as u64;
            if read == 0 {
                self.check_length(&file)?;
                self.file = Some(file);
                return Ok(None);
            }
        }
        self.file = Some(file);
        let bytes = &self.buffer[..self.handed];
        self.lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        Ok(Some(Chunk {
            first: self.before + 1,
            bytes,
        }))
    }

    /// What is there of a last line that is not whole. Once nobody writes any more, it was cut off.
    pub fn torn(&self) -> Option<TornLine> {
        let bytes = self.buffer.len() - self.handed;
        let line = self.before + self.lines + 1;
        (bytes > 0).then_some(TornLine { line, bytes })
    }

    fn file(&mut self) -> Result<Option<File>, LogError> {
        if let Some(file) = self.file.take() {
            return Ok(Some(file));
        }
        match File::open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LogError::read(&self.path, &error)),
        }
    }

    fn check_length(&self, file: &File) -> Result<(), LogError> {
        let length = file.metadata().map_or(self.read, |found| found.len());
        if length >= self.read {
            return Ok(());
        }
        let reason = "the file became shorter while it was read";
        Err(LogError::line(&self.path, self.before + 1, reason))
    }
}

fn last_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
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
        assert_eq!(
            rest(&mut tail),
            expected.map(|(number, line)| (number, line.to_owned()))
        );
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
