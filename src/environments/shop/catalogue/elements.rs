//! Walks through a JSON array or object of any size, one element at a time.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::environments::shop::ShopError;
use crate::files;

/// The most bytes that one element may have. Beyond it a bracket or quotation mark is missing.
const LARGEST: usize = 64 << 20;
/// Bytes that are read at a time.
const CHUNK: usize = 1 << 20;

/// The elements of the array or object that a file holds. Only one is in memory at a time, and it is not
/// looked into: what stands between the commas may be anything whose brackets and quotation marks are in pairs.
pub(super) struct Elements {
    path: PathBuf,
    reader: BufReader<File>,
    /// The bytes that were read.
    position: u64,
    size: u64,
    closing: u8,
    element: Vec<u8>,
    /// The number of the element, from 0.
    number: usize,
    ended: bool,
}

impl Elements {
    /// Those of an array.
    pub(super) fn of_array(path: &Path) -> Result<Self, ShopError> {
        Self::open(path, b'[', b']')
    }

    /// Those of an object.
    pub(super) fn of_object(path: &Path) -> Result<Self, ShopError> {
        Self::open(path, b'{', b'}')
    }

    fn open(path: &Path, opening: u8, closing: u8) -> Result<Self, ShopError> {
        let unreadable = |source| ShopError::Io {
            path: path.display().to_string(),
            source,
        };
        let file = files::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let mut elements = Self {
            path: path.to_owned(),
            reader: BufReader::with_capacity(CHUNK, file),
            position: 0,
            size,
            closing,
            element: Vec::new(),
            number: 0,
            ended: false,
        };
        if elements.after_blanks()? != Some(opening) {
            let opening = char::from(opening);
            return Err(elements.broken(&format!("it has to begin with `{opening}`")));
        }
        elements.consume(1);
        if elements.after_blanks()? == Some(closing) {
            elements.end()?;
        }
        Ok(elements)
    }

    /// How many bytes were read, and how many there are.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.position, self.size)
    }

    /// The bytes that may be held without asking for memory.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.element.capacity()
    }

    /// The next element: its number from 0, and its text.
    pub(super) fn next(&mut self) -> Result<Option<(usize, &[u8])>, ShopError> {
        if self.ended {
            return Ok(None);
        }
        let begin = self.position;
        let last = self.read_element(begin)?;
        if last {
            self.end()?;
        } else {
            self.consume(1);
        }
        self.number += 1;
        Ok(Some((self.number - 1, &self.element)))
    }

    /// Reads up to the comma behind an element or the bracket that closes all; says whether it was the bracket.
    fn read_element(&mut self, begin: u64) -> Result<bool, ShopError> {
        let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
        self.element.clear();
        loop {
            let chunk = self.reader.fill_buf();
            let chunk = chunk.map_err(|source| unreadable(&self.path, source))?;
            let mut end = None;
            for (index, byte) in chunk.iter().enumerate() {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if in_text => escaped = true,
                    b'"' => in_text = !in_text,
                    _ if in_text => {}
                    b'{' | b'[' => depth += 1,
                    b',' | b'}' | b']' if depth == 0 => {
                        end = Some((index, *byte));
                        break;
                    }
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
            }
            let length = end.map_or(chunk.len(), |(index, _)| index);
            self.element.extend(chunk.iter().take(length));
            let is_empty = chunk.is_empty();
            self.consume(length);
            match end {
                Some((_, b',')) => return Ok(false),
                Some((_, bracket)) if bracket == self.closing => return Ok(true),
                None if !is_empty && self.element.len() <= LARGEST => {}
                _ => {
                    let number = self.number;
                    let problem = format!(
                        "entry {number} (from 0), which begins at byte {begin}, is not closed"
                    );
                    return Err(self.broken(&problem));
                }
            }
        }
    }

    /// Reads the last bracket; only white space may follow.
    fn end(&mut self) -> Result<(), ShopError> {
        self.consume(1);
        self.ended = true;
        match self.after_blanks()? {
            None => Ok(()),
            Some(_) => Err(self.broken("there is text behind its last bracket")),
        }
    }

    /// The next byte that is no white space, which stays to be read; none at the end of the file.
    fn after_blanks(&mut self) -> Result<Option<u8>, ShopError> {
        loop {
            let chunk = self.reader.fill_buf();
            let chunk = chunk.map_err(|source| unreadable(&self.path, source))?;
            let blanks = chunk.iter().take_while(|byte| is_blank(**byte)).count();
            let next = chunk.get(blanks).copied();
            let is_empty = chunk.is_empty();
            self.consume(blanks);
            if next.is_some() || is_empty {
                return Ok(next);
            }
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
        self.position += bytes as u64;
    }

    fn broken(&self, problem: &str) -> ShopError {
        let position = self.position;
        ShopError::Data {
            path: self.path.display().to_string(),
            problem: format!(
                "{problem} (read up to byte {position}); it is no whole JSON file, download it again or repair it"
            ),
        }
    }
}

fn unreadable(path: &Path, source: std::io::Error) -> ShopError {
    ShopError::Io {
        path: path.display().to_string(),
        source,
    }
}

/// White space of JSON.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The key and the value of an element of an object; none if it has no key.
pub(super) fn key_and_value(element: &[u8]) -> Option<(String, &[u8])> {
    let mut keys = serde_json::Deserializer::from_slice(element).into_iter::<String>();
    let key = keys.next()?.ok()?;
    let rest = element.get(keys.byte_offset()..)?;
    let value = rest.trim_ascii_start().strip_prefix(b":")?;
    Some((key, value.trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements of a file with this content, or the message of the error.
    fn elements(content: &str) -> Result<Vec<String>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        let opened = match content.trim_start().starts_with('{') {
            true => Elements::of_object(file.path()),
            false => Elements::of_array(file.path()),
        };
        let mut elements = opened.map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        while let Some((number, element)) = elements.next().map_err(|error| error.to_string())? {
            assert_eq!(number, all.len());
            all.push(String::from_utf8_lossy(element).trim().to_owned());
        }
        assert_eq!(
            elements.progress(),
            (content.len() as u64, content.len() as u64)
        );
        Ok(all)
    }

    #[test]
    fn elements_are_found_whatever_they_hold() {
        assert_eq!(elements(" [ ]\n").unwrap(), Vec::<String>::new());
        let found =
            elements("[1, \"a,]\\\"[\" ,{\"b\": [2, {}], \"c\": \"}\"},\n[[]], nul]").unwrap();
        let all = [
            "1",
            "\"a,]\\\"[\"",
            "{\"b\": [2, {}], \"c\": \"}\"}",
            "[[]]",
            "nul",
        ];
        assert_eq!(found, all);
        let found = elements("{\"a\\u0062\" : {\"b\": 1}, \"c\":2, d}").unwrap();
        let pairs: Vec<_> = found
            .iter()
            .map(|one| key_and_value(one.as_bytes()))
            .collect();
        assert_eq!(pairs[0], Some(("ab".to_owned(), &b"{\"b\": 1}"[..])));
        assert_eq!(pairs[1], Some(("c".to_owned(), &b"2"[..])));
        assert_eq!(pairs[2], None);
    }

    #[test]
    fn a_file_that_is_not_whole_is_an_error_with_the_place() {
        let cases = [
            ("", "it has to begin with `[` (read up to byte 0)"),
            ("nothing", "it has to begin with `[`"),
            (
                "[1, {\"a\": 2",
                "entry 1 (from 0), which begins at byte 3, is not closed",
            ),
            ("[1, \"a]", "entry 1 (from 0)"),
            ("[1}", "entry 0 (from 0)"),
            (
                "[1] 2",
                "there is text behind its last bracket (read up to byte 4)",
            ),
            ("{\"a\": 1]", "entry 0 (from 0)"),
        ];
        for (content, problem) in cases {
            let error = elements(content).unwrap_err();
            assert!(
                error.contains(problem) && error.contains("download it again"),
                "{error}"
            );
        }
    }
}
