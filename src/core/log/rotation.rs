//! The next file of events, or of results, once one is large enough.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use super::segments::{self, Packer, SegmentForm, Series};
use super::{LogError, LogSettings, Sync};

/// Closes the file that is full and opens the next.
pub(super) type NextFile<S> = Box<dyn FnMut() -> Result<Next<S>, LogError> + Send>;

/// The file in which lines go on.
pub(super) struct Next<S> {
    pub(super) file: S,
    /// Says that nobody holds the last file any more: from then on its name may be taken away. Whoever
    /// syncs a file without a name takes it for one that a stranger removed.
    pub(super) let_go: Box<dyn FnOnce() + Send>,
}

/// The series of a run that go on in other files.
pub(super) struct Rotations<S> {
    pub(super) each: Vec<Rotation<S>>,
    /// Whether the last files are closed, too, when the run ends.
    pub(super) to_the_end: bool,
}

impl Rotations<File> {
    /// Goes on with what is in the folder.
    pub(super) fn start(folder: &Path, settings: &LogSettings) -> Result<Self, LogError> {
        let packer = Arc::new(Packer::start(folder)?);
        let series = match settings.many {
            true => &Series::ALL[..],
            false => &[Series::Events],
        };
        let each = series.iter().map(|series| Rotation::start(folder, *series, &packer, settings));
        Ok(Self { each: each.collect::<Result<_, _>>()?, to_the_end: settings.many })
    }
}

/// When to go on in another file, and how.
pub(super) struct Rotation<S> {
    pub(super) series: Series,
    /// The file is full once this writer has written more bytes than this.
    limit: u64,
    segment_bytes: u64,
    next: NextFile<S>,
}

impl Rotation<File> {
    /// Goes on with what is in the folder: numbers behind those that are there, and segments that
    /// were left uncompressed.
    fn start(folder: &Path, series: Series, packer: &Arc<Packer>, settings: &LogSettings) -> Result<Self, LogError> {
        let listed = segments::list(folder, series)?;
        let closed = listed.iter().filter(|(_, kind)| *kind != SegmentForm::Part);
        let mut number = closed.map(|(number, _)| *number).max().unwrap_or_default();
        let growing = fs::metadata(folder.join(series.growing()));
        let length = growing.map_err(|error| LogError::read(folder, &error))?.len();
        let packer = Arc::clone(packer);
        let (folder, sync) = (folder.to_owned(), settings.sync != Sync::Off);
        let next = move || {
            number += 1;
            let file = segments::close_tail(&folder, series, number, sync)?;
            let (packer, closed) = (Arc::clone(&packer), number);
            Ok(Next { file, let_go: Box::new(move || packer.pack(series, closed)) })
        };
        let limit = settings.segment_bytes.saturating_sub(length);
        Ok(Self::new(series, limit, settings.segment_bytes, Box::new(next)))
    }
}

impl<S> Rotation<S> {
    /// The first file is full after `limit` bytes, and each of the next after `segment_bytes`.
    pub(super) fn new(series: Series, limit: u64, segment_bytes: u64, next: NextFile<S>) -> Self {
        Self { series, limit, segment_bytes, next }
    }

    /// Whether the file is full, given the bytes that were written of this series in all.
    pub(super) fn is_due(&self, written: u64) -> bool {
        written > self.limit
    }

    /// Whether the file holds nothing yet.
    pub(super) fn is_empty(&self, written: u64) -> bool {
        self.limit.saturating_sub(written) >= self.segment_bytes
    }

    /// The next file. What was written to the last one is to be on the disk.
    pub(super) fn next(&mut self, written: u64) -> Result<Next<S>, LogError> {
        let next = (self.next)()?;
        self.limit = written.saturating_add(self.segment_bytes);
        Ok(next)
    }
}
