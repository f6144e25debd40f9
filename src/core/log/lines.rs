//! Reading a file line by line, with the place of each line.

use std::io::{self, BufRead, Read};

/// A line longer than this is no line of ours.
pub(super) const LINE_LIMIT: u64 = 256 << 20;

/// A last line that was cut off while it was being written, as a killed process leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TornLine {
    /// Number of the line, from 1.
    pub line: u64,
    /// Bytes of it that are there.
    pub bytes: usize,
}

/// One line.
pub(super) struct Line<'a> {
    /// Number of the line, from 1.
    pub(super) number: u64,
    /// The line without its newline.
    pub(super) bytes: &'a [u8],
    /// The line with its newline, if that is there.
    pub(super) whole: &'a [u8],
    /// Whether the newline is there; only the last line may lack it.
    pub(super) complete: bool,
}

impl<'a> Line<'a> {
    /// A line with its newline, if that is there.
    pub(super) fn new(number: u64, whole: &'a [u8]) -> Self {
        let bytes = whole.strip_suffix(b"\n");
        Self { number, bytes: bytes.unwrap_or(whole), whole, complete: bytes.is_some() }
    }
}

/// Whether there are bytes in a line that no text has, as where a file had grown when the machine
/// failed and was not filled yet.
pub(super) fn is_unfilled(line: &[u8]) -> bool {
    line.contains(&0)
}

/// The lines of a file. Memory is that of the longest line.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self::behind(input, 0)
    }

    /// The lines that come after so many others.
    pub(super) fn behind(input: R, number: u64) -> Self {
        Self { input, buffer: Vec::new(), number }
    }

    /// The next line, or nothing at the end of the file.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let read = self.input.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut self.buffer)? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        let line = Line::new(self.number, &self.buffer);
        if !line.complete && read == LINE_LIMIT {
            let text = format!("line {} is longer than {LINE_LIMIT} bytes", self.number);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(Some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_places() {
        let mut lines = Lines::new(&b"one\n\nthree"[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            let text = String::from_utf8(line.bytes.to_vec()).unwrap();
            seen.push((line.number, line.whole.len(), text, line.complete));
        }
        let expected = [(1, 4, "one", true), (2, 1, "", true), (3, 5, "three", false)];
        let owned =
            |(number, length, text, complete): (u64, usize, &str, bool)| (number, length, text.to_owned(), complete);
        assert_eq!(seen, expected.map(owned));
    }
}
