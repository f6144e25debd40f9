//! Reading a run back.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::folder::EVENTS;
use super::index::{Index, Indexed};
use super::{LogError, ModelPause, RecordedEpisode, RunRecord, Timing, TornLine, timings};
use crate::domain::EpisodeId;

/// A run folder, opened for reading.
///
/// Holds an index of the events (40 bytes for those that were appended together), not the events.
#[derive(Clone, Debug)]
pub struct RunLog {
    record: RunRecord,
    folder: PathBuf,
    events_path: PathBuf,
    index: Index,
}

impl RunLog {
    /// Reads `run.toml` and indexes `events.jsonl`.
    ///
    /// A last line that was cut off is left out and noted ([`RunLog::torn`]); any other line that
    /// is no event is an error that names it.
    pub fn open(folder: &Path) -> Result<Self, LogError> {
        let record = RunRecord::read(folder)?;
        let events_path = folder.join(EVENTS);
        let file = open(&events_path)?;
        let index = Index::build(
            &events_path,
            BufReader::with_capacity(1 << 16, file),
            &record,
        )?;
        Ok(Self {
            record,
            folder: folder.to_owned(),
            events_path,
            index,
        })
    }

    /// The folder, as it was named.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How long its episodes took, as far as `timings.jsonl` says so. Not deterministic.
    pub fn timings(&self) -> Vec<Timing> {
        timings::read_timings(&self.folder)
    }

    /// When its models did not answer. Not deterministic.
    pub fn pauses(&self) -> Vec<ModelPause> {
        timings::pauses(&self.folder)
    }

    /// What the run says about itself.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The last line, if it was cut off.
    pub fn torn(&self) -> Option<TornLine> {
        self.index.torn
    }

    /// Number of events.
    pub fn event_count(&self) -> u64 {
        self.index.episodes.iter().map(Indexed::events).sum()
    }

    /// The episodes that are in the log, in canonical order: cells as in the config, then task,
    /// then repeat.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &EpisodeId> {
        self.index.episodes.iter().map(|episode| &episode.id)
    }

    /// Reads one episode.
    pub fn episode(&self, id: &EpisodeId) -> Result<RecordedEpisode, LogError> {
        let order = |id: &EpisodeId| self.record.position(&id.cell);
        let sought = (order(id), id);
        let places = &self.index.episodes;
        let place = places.binary_search_by(|own| (order(&own.id), &own.id).cmp(&sought));
        let place = place.ok().and_then(|place| places.get(place));
        let place = place.ok_or_else(|| LogError::NoEpisode(id.clone()))?;
        RecordedEpisode::read(&self.events_path, &mut open(&self.events_path)?, place)
    }

    /// Reads the episodes one after the other, in canonical order. An episode with missing or
    /// double events is an error of its own; the iteration goes on after it.
    pub fn episodes(&self) -> Result<Episodes<'_>, LogError> {
        Ok(Episodes {
            path: &self.events_path,
            file: open(&self.events_path)?,
            places: self.index.episodes.iter(),
        })
    }
}

fn open(path: &Path) -> Result<File, LogError> {
    File::open(path).map_err(|error| LogError::read(path, &error))
}

/// The episodes of a run; one at a time is in memory.
#[derive(Debug)]
pub struct Episodes<'a> {
    path: &'a Path,
    file: File,
    places: std::slice::Iter<'a, Indexed>,
}

impl Iterator for Episodes<'_> {
    type Item = Result<RecordedEpisode, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = self.places.next()?;
        Some(RecordedEpisode::read(self.path, &mut self.file, place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl ExactSizeIterator for Episodes<'_> {}
