//! The three files that are written together.

use super::segments::Series;
use super::sink::{Appender, Sink, Syncing};
use super::syncer::FILES;
use super::{Batch, LogError};

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
