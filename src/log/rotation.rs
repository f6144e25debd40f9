//! Where events go on once `events.jsonl` is large enough.

use std::fs::{self, File};
use std::path::Path;

use super::folder::EVENTS;
use super::segments::{self, Kind, Packer};
use super::{LogError, LogSettings, Sync};

/// Closes the file that is full and opens the next.
pub(super) type NextFile<S> = Box<dyn FnMut() -> Result<S, LogError> + Send>;

/// When to go on in another file, and how.
pub(super) struct Rotation<S> {
    /// The file is full once this writer has written more bytes than this.
    limit: u64,
    segment_bytes: u64,
    next: NextFile<S>,
}

impl Rotation<File> {
    /// Goes on with what is in the folder: numbers behind those that are there, and segments that
    /// were left uncompressed.
    pub(super) fn start(folder: &Path, settings: &LogSettings) -> Result<Self, LogError> {
        let read = |error| LogError::read(folder, &error);
        let listed = segments::list(folder).map_err(read)?;
        let closed = listed.iter().filter(|(_, kind)| *kind != Kind::Part);
        let mut number = closed.map(|(number, _)| *number).max().unwrap_or_default();
        let length = fs::metadata(folder.join(EVENTS)).map_err(read)?.len();
        let packer = Packer::start(folder)?;
        let (folder, sync) = (folder.to_owned(), settings.sync != Sync::Off);
        Ok(Self {
            limit: settings.segment_bytes.saturating_sub(length),
            segment_bytes: settings.segment_bytes,
            next: Box::new(move || {
                number += 1;
                let next = segments::close_tail(&folder, number, sync)?;
                packer.pack(number);
                Ok(next)
            }),
        })
    }
}

impl<S> Rotation<S> {
    /// Whether the file is full, given the bytes of events that were written in all.
    pub(super) fn is_due(&self, written: u64) -> bool {
        written > self.limit
    }

    /// The next file. What was written to the last one is to be on the disk.
    pub(super) fn next(&mut self, written: u64) -> Result<S, LogError> {
        let next = (self.next)()?;
        self.limit = written.saturating_add(self.segment_bytes);
        Ok(next)
    }
}
