//! Files of JSON that are written entry by entry.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::path::Path;

use serde_json::{Value, json};

/// A file of JSON that is written entry by entry, each on a line of its own.
pub struct Listing {
    file: BufWriter<File>,
    before: &'static str,
    end: &'static str,
}

impl Listing {
    /// A list of entries, or an object of entries with keys.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path, is_object: bool) -> io::Result<Self> {
        let (before, end) = if is_object { ("{\n", "}") } else { ("[\n", "]") };
        let file = BufWriter::new(File::create(path)?);
        Ok(Self { file, before, end })
    }

    /// Adds an entry of a list.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, entry: &Value) -> io::Result<()> {
        write!(self.file, "{}{entry}", mem::replace(&mut self.before, ",\n"))
    }

    /// Adds an entry of an object.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add_under(&mut self, key: &str, entry: &Value) -> io::Result<()> {
        let before = mem::replace(&mut self.before, ",\n");
        write!(self.file, "{before}{}: {entry}", json!(key))
    }

    /// Must be called for the file to be whole; there must be an entry.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        writeln!(self.file, "\n{}", self.end)?;
        self.file.flush()
    }
}
