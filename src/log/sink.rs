//! The files behind the writer: each takes whole groups of lines or none any more.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::LogError;

/// Where lines go. Files in earnest; tests use one that fails.
pub(super) trait Sink: Write + Send + 'static {
    /// Makes what was written survive the end of the machine.
    fn sync(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()?;
        // A file that was removed takes lines as long as it is open; they end with the process.
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(&self.metadata()?) == 0 {
            return Err(io::Error::other("the file was removed meanwhile"));
        }
        Ok(())
    }
}

/// One file of the folder and the lines that are about to be written to it.
pub(super) struct Appender<S> {
    path: PathBuf,
    sink: S,
    group: Vec<u8>,
    written: u64,
}

/// A buffer that one huge group left behind is not kept for the rest of the run.
const KEPT_CAPACITY: usize = 4 << 20;

impl<S: Sink> Appender<S> {
    pub(super) fn new(path: &Path, sink: S) -> Self {
        Self {
            path: path.to_owned(),
            sink,
            group: Vec::new(),
            written: 0,
        }
    }

    pub(super) fn gather(&mut self, lines: &[u8]) {
        self.group.extend_from_slice(lines);
    }

    pub(super) fn gathered(&self) -> usize {
        self.group.len()
    }

    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Writes what was gathered, going on after short and interrupted writes.
    pub(super) fn write_group(&mut self) -> Result<(), LogError> {
        if self.group.is_empty() {
            return Ok(());
        }
        let result = self.sink.write_all(&self.group);
        result
            .and_then(|()| self.sink.flush())
            .map_err(|error| self.error(&error))?;
        self.written += self.group.len() as u64;
        self.discard_group();
        Ok(())
    }

    pub(super) fn discard_group(&mut self) {
        self.group.clear();
        self.group.shrink_to(KEPT_CAPACITY);
    }

    pub(super) fn sync(&mut self) -> Result<(), LogError> {
        self.sink.sync().map_err(|error| self.error(&error))
    }

    fn error(&self, error: &io::Error) -> LogError {
        LogError::Write {
            path: self.path.clone(),
            written: self.written,
            reason: error.to_string(),
        }
    }
}
