//! The files behind the writer: each takes whole groups of lines or none any more.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::segments::Series;
use super::{Batch, LogError};
use crate::files;

/// Makes what was written to a file survive the end of the machine. Works beside the one who writes.
pub(super) type Flush = Box<dyn FnMut() -> io::Result<()> + Send>;

/// A sink for lines: a file in earnest; tests use one that fails.
pub(super) trait Sink: Write + Send + 'static {
    /// The way to make what was written survive the end of the machine.
    fn syncing(&self) -> io::Result<Flush>;
}

impl Sink for File {
    fn syncing(&self) -> io::Result<Flush> {
        let file = self.try_clone()?;
        Ok(Box::new(move || {
            file.sync_data()?;
            // A file that was removed takes lines as long as it is open; they end with the process.
            #[cfg(unix)]
            if std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0 {
                return Err(io::Error::other("the file was removed meanwhile"));
            }
            Ok(())
        }))
    }
}

/// One file of the folder and the lines that are about to be written to it.
pub(super) struct Appender<S> {
    path: PathBuf,
    sink: S,
    sync: Flush,
    group: Vec<u8>,
    written: u64,
    /// Something was written that may not be on the disk.
    unsynced: bool,
}

/// A buffer that one huge group left behind is not kept for the rest of the run.
const KEPT_CAPACITY: usize = 4 << 20;

impl<S: Sink> Appender<S> {
    pub(super) fn new(path: &Path, sink: S) -> Result<Self, LogError> {
        let sync = sink.syncing();
        Ok(Self {
            path: path.to_owned(),
            sync: sync.map_err(|error| LogError::create(path, error))?,
            sink,
            group: Vec::new(),
            written: 0,
            unsynced: false,
        })
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
        self.unsynced = true;
        let result = files::write_in_steps(&mut self.sink, &self.group);
        result.and_then(|()| self.sink.flush()).map_err(|error| self.error(&error))?;
        self.written += self.group.len() as u64;
        self.discard_group();
        Ok(())
    }

    pub(super) fn discard_group(&mut self) {
        self.group.clear();
        self.group.shrink_to(KEPT_CAPACITY);
    }

    /// Makes what was written survive the end of the machine, unless that was done already.
    pub(super) fn sync(&mut self) -> Result<(), LogError> {
        if self.unsynced {
            self.sync_again()?;
        }
        Ok(())
    }

    /// Syncs even if that was done already.
    pub(super) fn sync_again(&mut self) -> Result<(), LogError> {
        (self.sync)().map_err(|error| self.error(&error))?;
        self.unsynced = false;
        Ok(())
    }

    /// A way to sync for a thread beside the writer.
    pub(super) fn syncing(&self) -> Result<Syncing, LogError> {
        let sync = self.sink.syncing();
        Ok(Syncing { path: self.path.clone(), sync: sync.map_err(|error| self.error(&error))? })
    }

    /// Goes on in another file.
    pub(super) fn go_on_in(&mut self, sink: S) -> Result<(), LogError> {
        self.sync = sink.syncing().map_err(|error| self.error(&error))?;
        self.sink = sink;
        self.unsynced = false;
        Ok(())
    }

    fn error(&self, error: &io::Error) -> LogError {
        LogError::write(&self.path, self.written, error)
    }
}

/// The way to make a file survive the end of the machine.
pub(super) struct Syncing {
    path: PathBuf,
    sync: Flush,
}

impl Syncing {
    /// Makes what was written before survive; `written` bytes, if it fails, are for the message.
    pub(super) fn sync(&mut self, written: u64) -> Result<(), LogError> {
        let synced = (self.sync)();
        synced.map_err(|error| LogError::write(&self.path, written, &error))
    }
}

/// The files, in the order in which they are made to survive: no result without its events.
pub(super) const FILES: usize = 3;

/// The three files that are written together.
pub(super) struct Outputs<S> {
    pub(super) events: Appender<S>,
    pub(super) results: Appender<S>,
    pub(super) timings: Appender<S>,
}

impl<S: Sink> Outputs<S> {
    pub(super) fn gather(&mut self, batch: &Batch) {
        self.events.gather(&batch.events);
        self.results.gather(&batch.result);
        self.timings.gather(&batch.timing);
    }

    pub(super) fn gathered(&self) -> usize {
        self.events.gathered() + self.results.gathered() + self.timings.gathered()
    }

    /// Events first: no result is there without its events.
    pub(super) fn write_group(&mut self) -> Result<(), LogError> {
        self.events.write_group()?;
        self.results.write_group()?;
        self.timings.write_group()
    }

    /// The file of a series, and its place among all.
    pub(super) fn of(&mut self, series: Series) -> (usize, &mut Appender<S>) {
        match series {
            Series::Events => (0, &mut self.events),
            Series::Results => (1, &mut self.results),
        }
    }

    /// Bytes written to each.
    pub(super) fn written(&self) -> [u64; FILES] {
        [self.events.written(), self.results.written(), self.timings.written()]
    }

    /// The way to make them survive the end of the machine, beside whoever writes them.
    pub(super) fn syncing(&self) -> Result<[Syncing; FILES], LogError> {
        Ok([self.events.syncing()?, self.results.syncing()?, self.timings.syncing()?])
    }

    pub(super) fn discard_group(&mut self) {
        self.events.discard_group();
        self.results.discard_group();
        self.timings.discard_group();
    }

    pub(super) fn sync(&mut self) -> Result<(), LogError> {
        self.events.sync()?;
        self.results.sync()?;
        self.timings.sync()
    }

    /// Makes all that was written survive the end of the machine, for the last time.
    pub(super) fn finish(&mut self) -> Result<(), LogError> {
        self.events.sync_again()?;
        self.results.sync_again()?;
        self.timings.sync_again()
    }
}
