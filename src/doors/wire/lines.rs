//! Lines of a bounded size out of pieces of any size.

/// The most bytes of a line.
pub const MOST_BYTES: usize = 16 << 20;

/// A line has more than [`MOST_BYTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a line has more than 16 MiB")]
pub struct LineTooLong;

/// Bytes that have come, of which whole lines are taken.
#[derive(Debug, Default)]
pub struct Lines {
    bytes: Vec<u8>,
    /// Where the line begins that is not yet taken, and how far it is known to have no end.
    begin: usize,
    searched: usize,
}

impl Lines {
    /// Room for what comes next; the bytes of lines that were taken are given up.
    pub fn room(&mut self) -> &mut Vec<u8> {
        /// Bytes that are kept of a buffer that a long line has made large.
        const KEPT: usize = 64 << 10;
        if self.begin > 0 {
            self.bytes.drain(..self.begin);
            self.searched -= self.begin;
            self.begin = 0;
        }
        if self.bytes.is_empty() {
            self.bytes.shrink_to(KEPT);
        }
        self.bytes.reserve(16 << 10);
        &mut self.bytes
    }

    /// The next whole line without its end; none if its end has not come.
    ///
    /// # Errors
    /// When it is too long.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LineTooLong> {
        let Some(found) = self.bytes[self.searched..].iter().position(|byte| *byte == b'\n') else {
            self.searched = self.bytes.len();
            let waiting = self.searched - self.begin;
            return if waiting > MOST_BYTES { Err(LineTooLong) } else { Ok(None) };
        };
        let end = self.searched + found;
        if end - self.begin > MOST_BYTES {
            return Err(LineTooLong);
        }
        let line = &self.bytes[self.begin..end];
        self.begin = end + 1;
        self.searched = self.begin;
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// The beginning of the line whose end has not come.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.begin..]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn taken(lines: &mut Lines) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| lines.next_line().unwrap().map(<[u8]>::to_vec)).collect()
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_come(
            written in proptest::collection::vec("[^\n\r]{0,30}", 0..20),
            sizes in proptest::collection::vec(1_usize..40, 1..100),
        ) {
            let bytes: Vec<u8> = written.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect();
            let (mut lines, mut found, mut rest) = (Lines::default(), Vec::new(), &bytes[..]);
            for size in sizes.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, later) = rest.split_at((*size).min(rest.len()));
                lines.room().extend_from_slice(piece);
                found.extend(taken(&mut lines));
                rest = later;
            }
            let written: Vec<Vec<u8>> = written.iter().map(|line| line.as_bytes().to_vec()).collect();
            prop_assert_eq!(found, written);
        }
    }

    #[test]
    fn a_line_beyond_the_bound_is_refused_with_and_without_its_end() {
        let mut lines = Lines::default();
        lines.room().extend(std::iter::repeat_n(b'x', MOST_BYTES));
        assert_eq!(lines.next_line(), Ok(None));
        lines.room().push(b'x');
        assert_eq!(lines.next_line(), Err(LineTooLong));
        lines.room().push(b'\n');
        assert_eq!(lines.next_line(), Err(LineTooLong));
        assert_eq!(lines.rest().first(), Some(&b'x'));
    }
}
