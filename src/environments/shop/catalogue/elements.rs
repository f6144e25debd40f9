//! Walks through a JSON array or object of any size, one element at a time.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::ShopError;
use rolecall_core::files;

/// The most bytes that one element may have. Beyond it a bracket or quotation mark is missing.
const LARGEST: usize = 64 << 20;
/// Bytes of a file that are read at a time.
const CHUNK: usize = 1 << 20;

/// Problem of a value that has to be a text, or a list of them.
pub(crate) const NO_TEXT: &str = "is no text";
pub(crate) const NO_LIST: &str = "is no list of texts";

/// The elements of an array or object. Only one is in memory at a time, and it is not looked into: what stands
/// between the commas may be anything whose brackets and quotation marks are in pairs.
pub(crate) struct Elements<R> {
    path: PathBuf,
    reader: R,
    /// The bytes that were read, and how many there are.
    progress: (u64, u64),
    /// The last bracket, and whether it was read.
    closing: (u8, bool),
    element: Vec<u8>,
    /// The number of the element, from 0.
    number: usize,
}

impl Elements<BufReader<Box<dyn Read>>> {
    /// Opens the array (`[`) or object (`{`) that a file holds.
    pub(crate) fn open(path: &Path, opening: u8) -> Result<Self, ShopError> {
        let (size, file) =
            files::unpacked(path).and_then(|file| Ok((path.metadata()?.len(), file))).map_err(ShopError::io(path))?;
        Self::begin(path, BufReader::with_capacity(CHUNK, file), size, opening)
    }
}

impl<R: BufRead> Elements<R> {
    fn begin(path: &Path, reader: R, size: u64, opening: u8) -> Result<Self, ShopError> {
        let mut elements = Self {
            path: path.to_owned(),
            reader,
            progress: (0, size),
            // Closing brackets come two places after opening ones.
            closing: (opening + 2, false),
            element: Vec::new(),
            number: 0,
        };
        if elements.after_blanks()? != Some(opening) {
            let opening = char::from(opening);
            return Err(elements.broken(&format!("it has to begin with `{opening}`")));
        }
        elements.consume(1);
        if elements.after_blanks()? == Some(elements.closing.0) {
            elements.close();
        }
        Ok(elements)
    }

    /// How many bytes were read, and how many there are.
    pub(super) fn progress(&self) -> (u64, u64) {
        self.progress
    }

    /// The bytes that may be held without asking for memory.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.element.capacity()
    }

    /// The next element: its number from 0, and its text.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, &[u8])>, ShopError> {
        if self.closing.1 {
            return match self.after_blanks()? {
                None => Ok(None),
                Some(_) => Err(self.broken("there is text behind its last bracket")),
            };
        }
        let (begin, number) = (self.progress.0, self.number);
        let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
        let end = self.read_until(|byte| {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_text => escaped = true,
                b'"' => in_text = !in_text,
                _ if in_text => {}
                b'{' | b'[' => depth += 1,
                b',' | b'}' | b']' if depth == 0 => return true,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            false
        })?;
        match end {
            Some(b',') => self.consume(1),
            Some(bracket) if bracket == self.closing.0 => self.close(),
            _ => {
                let problem = format!("entry {number} (from 0), which begins at byte {begin}, is not closed");
                return Err(self.broken(&problem));
            }
        }
        self.number += 1;
        Ok(Some((number, &self.element)))
    }

    /// The next byte that is no white space, which stays to be read; none at the end.
    fn after_blanks(&mut self) -> Result<Option<u8>, ShopError> {
        self.read_until(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    }

    /// Makes an element of what stands before the first such byte, which stays to be read; the byte is none if there
    /// is none, or it is too far away.
    fn read_until(&mut self, mut is_end: impl FnMut(u8) -> bool) -> Result<Option<u8>, ShopError> {
        self.element.clear();
        loop {
            let chunk = self.reader.fill_buf().map_err(ShopError::io(&self.path))?;
            let end = chunk.iter().position(|byte| is_end(*byte));
            let (before, rest) = chunk.split_at(end.unwrap_or(chunk.len()));
            let (read, found) = (before.len(), rest.first().copied());
            self.element.extend_from_slice(before);
            self.consume(read);
            if found.is_some() || read == 0 || self.element.len() > LARGEST {
                return Ok(found);
            }
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
        self.progress.0 += bytes as u64;
    }

    /// Reads the last bracket. Only white space may follow.
    fn close(&mut self) {
        self.consume(1);
        self.closing.1 = true;
    }

    fn broken(&self, problem: &str) -> ShopError {
        let problem = format!(
            "{problem} (read up to byte {}); it is no whole JSON file, download it again or repair it",
            self.progress.0
        );
        ShopError::data(&self.path, problem)
    }
}

/// The elements of an array; none if it is no array.
pub(crate) fn list(json: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut elements = Elements::begin(Path::new(""), json, 0, b'[').ok()?;
    let mut all = Vec::new();
    while let Some((_, element)) = elements.next().ok()? {
        all.push(element.to_vec());
    }
    Some(all)
}

/// The values of a JSON object by their keys, of which the last one counts, as texts that are looked into when they
/// are asked for.
#[derive(Debug, Default)]
pub(crate) struct Object {
    texts: Vec<u8>,
    /// Where each stands.
    pub(crate) places: HashMap<String, Range<usize>>,
}

impl Object {
    /// Reads the object of a file.
    pub(crate) fn read(path: &Path) -> Result<Self, ShopError> {
        Self::of(Elements::open(path, b'{')?)
    }

    /// Parses the object of a text; the error says what is wrong with it.
    pub(crate) fn parse(json: &[u8]) -> Result<Self, String> {
        let elements = Elements::begin(Path::new(""), json, 0, b'{');
        elements.and_then(Self::of).map_err(|_| "it is no JSON object".to_owned())
    }

    fn of(mut elements: Elements<impl BufRead>) -> Result<Self, ShopError> {
        let mut all = Self::default();
        while let Some((_, element)) = elements.next()? {
            // What has no key belongs to nothing.
            if let Some((key, value)) = key_and_value(element) {
                let begin = all.texts.len();
                all.texts.extend_from_slice(value);
                all.places.insert(key, begin..all.texts.len());
            }
        }
        Ok(all)
    }

    /// The text of a value.
    pub(crate) fn get(&self, key: &str) -> Option<&[u8]> {
        self.texts.get(self.places.get(key)?.clone())
    }

    /// A value, if it is there; `or` says what is wrong with one that is of another type: `is no text`.
    pub(crate) fn optional<T: DeserializeOwned>(&self, key: &str, or: &str) -> Result<Option<T>, String> {
        self.get(key).map(serde_json::from_slice).transpose().map_err(|_| format!("`{key}` {or}"))
    }

    /// A value that has to be there.
    pub(crate) fn field<T: DeserializeOwned>(&self, key: &str, or: &str) -> Result<T, String> {
        let value = self.optional(key, or)?;
        value.ok_or_else(|| format!("`{key}` is missing"))
    }
}

/// The key and the value of an element of an object; none if it has no key.
fn key_and_value(element: &[u8]) -> Option<(String, &[u8])> {
    let mut keys = serde_json::Deserializer::from_slice(element).into_iter::<String>();
    let key = keys.next()?.ok()?;
    let value = element.get(keys.byte_offset()..)?.trim_ascii_start().strip_prefix(b":")?;
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
            true => Elements::open(file.path(), b'{'),
            false => Elements::open(file.path(), b'['),
        };
        let mut elements = opened.map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        while let Some((number, element)) = elements.next().map_err(|error| error.to_string())? {
            assert_eq!(number, all.len());
            all.push(String::from_utf8_lossy(element).trim().to_owned());
        }
        assert_eq!(elements.progress(), (content.len() as u64, content.len() as u64));
        Ok(all)
    }

    #[test]
    fn elements_are_found_whatever_they_hold() {
        assert_eq!(elements(" [ ]\n").unwrap(), Vec::<String>::new());
        let found = elements("[1, \"a,]\\\"[\" ,{\"b\": [2, {}], \"c\": \"}\"},\n[[]], nul]").unwrap();
        let all = ["1", "\"a,]\\\"[\"", "{\"b\": [2, {}], \"c\": \"}\"}", "[[]]", "nul"];
        assert_eq!(found, all);
        let found = elements("{\"a\\u0062\" : {\"b\": 1}, \"c\":2, d}").unwrap();
        let pairs: Vec<_> = found.iter().map(|one| key_and_value(one.as_bytes())).collect();
        assert_eq!(pairs[0], Some(("ab".to_owned(), &b"{\"b\": 1}"[..])));
        assert_eq!(pairs[1], Some(("c".to_owned(), &b"2"[..])));
        assert_eq!(pairs[2], None);
    }

    #[test]
    fn a_byte_order_mark_is_no_text_and_utf_16_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "\u{feff}[1]").unwrap();
        let mut elements = Elements::open(file.path(), b'[').unwrap();
        assert_eq!(elements.next().unwrap(), Some((0, &b"1"[..])));
        std::fs::write(file.path(), b"\xff\xfe[\0]\0").unwrap();
        let error = Elements::open(file.path(), b'[').err().unwrap().to_string();
        assert!(error.contains("UTF-16LE"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_whole_is_an_error_with_the_place() {
        let cases = [
            ("", "it has to begin with `[` (read up to byte 0)"),
            ("nothing", "it has to begin with `[`"),
            ("[1, {\"a\": 2", "entry 1 (from 0), which begins at byte 3, is not closed"),
            ("[1, \"a]", "entry 1 (from 0)"),
            ("[1}", "entry 0 (from 0)"),
            ("[1] 2", "there is text behind its last bracket (read up to byte 4)"),
            ("{\"a\": 1]", "entry 0 (from 0)"),
        ];
        for (content, problem) in cases {
            let error = elements(content).unwrap_err();
            assert!(error.contains(problem) && error.contains("download it again"), "{error}");
        }
    }
}
