//! Reading a run back.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::{fmt, iter};

use rustc_hash::FxHashMap;

use super::batches::{BATCH, in_order};
use super::gather::{self, Gatherer};
use super::index::{Index, Indexed};
use super::line::decode_event;
use super::segments::{Pieces, Source};
use super::{Digest, INDEX, LogError, ModelPause, RecordedEpisode, RunRecord, Timing, TornLine, timings};
use crate::domain::{EpisodeId, Message};

/// A run folder, opened for reading.
///
/// Holds an index of the events (32 bytes for those that were appended together), not the events.
/// Files that are written, closed or compressed after it was opened do not matter to it.
#[derive(Clone, Debug)]
pub struct RunLog {
    record: RunRecord,
    folder: PathBuf,
    pieces: Pieces,
    source: Arc<Mutex<Source>>,
    index: Index,
    /// Read when it is first asked for.
    recorded: OnceLock<FxHashMap<EpisodeId, Digest>>,
    watcher: Option<Watcher>,
}

/// Who is told how many of so many episodes were read.
#[derive(Clone)]
struct Watcher(Arc<dyn Fn(usize, usize) + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Watcher")
    }
}

impl RunLog {
    /// Reads `run.toml` and indexes the events, or reads their index as far as it goes.
    ///
    /// A last line that was cut off is left out and noted ([`RunLog::torn`]); any other line that
    /// is no event is an error that names it.
    pub fn open(folder: &Path) -> Result<Self, LogError> {
        Self::read(folder, |pieces, record| Index::open(folder, pieces, record))
    }

    /// Opens a run without looking at the index file.
    pub fn open_afresh(folder: &Path) -> Result<Self, LogError> {
        Self::read(folder, Index::build)
    }

    /// Opens the log again: of a run that is still written, only what was appended since is read.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn refreshed(&self) -> Result<Self, LogError> {
        Self::read(&self.folder, |pieces, record| self.index.extended(pieces, record))
    }

    fn read(
        folder: &Path,
        index: impl FnOnce(&Pieces, &RunRecord) -> Result<Index, LogError>,
    ) -> Result<Self, LogError> {
        let record = RunRecord::read(folder)?;
        let pieces = Pieces::open(folder)?;
        let index = index(&pieces, &record)?;
        Ok(Self {
            record,
            folder: folder.to_owned(),
            source: Arc::new(Mutex::new(Source::new(pieces.clone()))),
            pieces,
            index,
            recorded: OnceLock::new(),
            watcher: None,
        })
    }

    /// Makes the log tell how many of so many episodes were read whenever several are.
    #[must_use]
    pub fn watched(mut self, watcher: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Watcher(Arc::new(watcher)));
        self
    }

    /// The folder, as it was named.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The times that its episodes took, as far as `timings.jsonl` has them. Not deterministic.
    pub fn timings(&self) -> Vec<Timing> {
        timings::read_timings(&self.folder)
    }

    /// The times in which its models did not answer. Not deterministic.
    pub fn model_outages(&self) -> Vec<ModelPause> {
        timings::model_outages(&self.folder)
    }

    /// The record of the run.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The last line, if it was cut off.
    pub fn torn(&self) -> Option<TornLine> {
        self.index.torn
    }

    /// Whether the last line has its newline.
    pub fn ends_whole(&self) -> bool {
        !self.index.is_cut_off
    }

    /// Number of events.
    pub fn event_count(&self) -> u64 {
        self.index.episodes.iter().map(Indexed::events).sum()
    }

    /// Bytes of events that the index file did not know.
    pub fn unindexed_bytes(&self) -> u64 {
        self.index.scanned
    }

    /// Writes the index file, so that the run is opened faster. Does nothing if the last line is
    /// not whole.
    ///
    /// Fails if the folder cannot be written, which does no harm.
    pub fn write_index(&self) -> Result<(), LogError> {
        let stored = self.index.store(&self.folder, &self.pieces);
        stored.map_err(|error| LogError::change(&self.folder.join(INDEX), &error))
    }

    /// The episodes that are in the log, in canonical order: cells as in the config, then task,
    /// then repeat.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &EpisodeId> {
        self.index.episodes.iter().map(|episode| &episode.id)
    }

    /// Whether the run has any event of the episode.
    pub fn has(&self, id: &EpisodeId) -> bool {
        self.find(id).is_some()
    }

    /// Whether the episode is over. Reads no more than its last turn.
    pub fn is_closed(&self, id: &EpisodeId) -> Result<bool, LogError> {
        let entry = self.indexed(id)?;
        let Some(last) = entry.spans.last() else {
            return Ok(false);
        };
        let mut lines = vec![0; usize::try_from(last.length).unwrap_or_default()];
        self.source().read(last.offset, &mut lines)?;
        let lines = lines.strip_suffix(b"\n").unwrap_or(&lines);
        let line = lines.rsplit(|byte| *byte == b'\n').next();
        let number = last.line + u64::from(last.count.saturating_sub(1));
        let path = self.pieces.path(last.offset);
        let (_, event) = decode_event(path, number, line.unwrap_or_default())?;
        Ok(matches!(event.message, Message::Closed(_)))
    }

    /// The number of an episode's events; 0 if the run has no such episode.
    pub fn events_of(&self, id: &EpisodeId) -> u64 {
        self.find(id).map_or(0, Indexed::events)
    }

    /// The digest of an episode's event lines; none if the run has no such episode, or if its
    /// lines are not in the order of their numbers, as no writer leaves them.
    pub fn digest(&self, id: &EpisodeId) -> Option<Digest> {
        self.find(id).and_then(|entry| entry.digest)
    }

    /// Their digest when the episode closed, as the one who played it noted in
    /// `timings.jsonl`; none if nothing was noted.
    pub fn recorded_digest(&self, id: &EpisodeId) -> Option<Digest> {
        let recorded = self.recorded.get_or_init(|| {
            let recorded = self.timings().into_iter().filter_map(|timing| Some((timing.episode, timing.digest?)));
            recorded.collect()
        });
        recorded.get(id).copied()
    }

    /// The digest of the first event lines of an episode, so many of them, or all if it has fewer.
    /// Lines that were written once stay as they are, so this does, too, if the episode goes on.
    pub fn digest_of_first(&self, id: &EpisodeId, events: u32) -> Result<Digest, LogError> {
        let lines = ended(self.lines(self.indexed(id)?)?);
        let mut digest = Digest::default();
        let lines = lines.split_inclusive(|byte| *byte == b'\n');
        lines.take(events as usize).for_each(|line| digest.add(line));
        Ok(digest)
    }

    /// Reads one episode.
    pub fn episode(&self, id: &EpisodeId) -> Result<RecordedEpisode, LogError> {
        self.read_one(id, false)
    }

    /// Reads one episode, every line of which must be, byte for byte, what writing its event again
    /// gives: an episode that is gone on with has a digest of these lines.
    ///
    /// Fails with the first line that is not.
    pub fn episode_as_written(&self, id: &EpisodeId) -> Result<RecordedEpisode, LogError> {
        self.read_one(id, true)
    }

    /// The file and the line of an event; none if the run has no such event.
    pub fn line_of(&self, id: &EpisodeId, seq: usize) -> Option<(PathBuf, u64)> {
        let seq = u32::try_from(seq).ok()?;
        let span = self.find(id)?.spans.iter().find(|span| (span.seq..span.seq + span.count).contains(&seq))?;
        let line = span.line + u64::from(seq - span.seq);
        Some((self.pieces.path(span.offset).to_owned(), line))
    }

    /// Checks that the lines of the episode are in the order of its events, as every writer leaves them.
    ///
    /// Fails with the first line that is not.
    pub fn check_order(&self, id: &EpisodeId) -> Result<(), LogError> {
        let path = |offset| self.pieces.path(offset).to_owned();
        self.indexed(id)?.check_order(path)
    }

    fn read_one(&self, id: &EpisodeId, exact: bool) -> Result<RecordedEpisode, LogError> {
        let entry = self.indexed(id)?;
        self.decode(entry, &self.lines(entry)?, exact)
    }

    fn lines(&self, entry: &Indexed) -> Result<Vec<u8>, LogError> {
        let mut read = gather::read(&mut self.source(), &[entry]);
        read.pop_front().unwrap_or(Ok(Vec::new()))
    }

    /// Reads the episodes one after the other, in canonical order. An episode with missing or
    /// double events is an error of its own; the iteration goes on after it.
    pub fn episodes(&self) -> Result<impl ExactSizeIterator<Item = Result<RecordedEpisode, LogError>>, LogError> {
        Ok(self.decoding(self.index.episodes.iter().collect()))
    }

    /// Reads these episodes in their order, which is much faster than one by one where segments are
    /// compressed. Fails if the run has not all of them.
    pub fn episodes_of<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a EpisodeId>,
    ) -> Result<impl ExactSizeIterator<Item = Result<RecordedEpisode, LogError>>, LogError> {
        let entries = ids.into_iter().map(|id| self.indexed(id));
        Ok(self.decoding(entries.collect::<Result<_, _>>()?))
    }

    /// The event lines of these episodes in their order, each whole and with its newline.
    ///
    /// # Errors
    /// If the run has not all of them; each episode whose lines cannot be read is one of its own.
    pub fn lines_of<'a>(
        &'a self,
        ids: impl IntoIterator<Item = &'a EpisodeId>,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>, LogError>> + 'a, LogError> {
        let entries = ids.into_iter().map(|id| self.indexed(id));
        let reading = self.reading(entries.collect::<Result<_, _>>()?);
        Ok(reading.map(|(_, lines)| lines.map(ended)))
    }

    /// Does `work` with each of these episodes, on all cores, and hands what comes of it to `take`, on this
    /// thread and in their order. In memory are some megabytes of their lines, and of each core the events
    /// of one.
    ///
    /// Fails if the run has not all of them, and with the first error of `take`.
    pub fn over_episodes<'a, T: Send, E: From<LogError>>(
        &self,
        ids: impl IntoIterator<Item = &'a EpisodeId>,
        work: impl Fn(&EpisodeId, Result<RecordedEpisode, LogError>) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let entries = ids.into_iter().map(|id| self.indexed(id));
        let mut lines = self.reading(entries.collect::<Result<_, _>>()?);
        let batches = iter::from_fn(|| {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            while bytes < BATCH
                && let Some((entry, lines)) = lines.next()
            {
                bytes += lines.as_ref().map_or(0, Vec::len);
                batch.push((entry, lines));
            }
            (!batch.is_empty()).then_some(batch)
        });
        let decoded = |(entry, lines): (&Indexed, Result<Vec<u8>, LogError>)| {
            work(&entry.id, lines.and_then(|lines| self.decode(entry, &lines, false)))
        };
        let work = |batch: Vec<_>| batch.into_iter().map(decoded).collect::<Vec<T>>();
        let take = |batch: Vec<T>| batch.into_iter().try_for_each(&mut take);
        in_order(batches, work, take)
    }

    /// The lines of these episodes, of which some megabytes are in memory.
    fn reading<'a>(
        &'a self,
        entries: Vec<&'a Indexed>,
    ) -> impl ExactSizeIterator<Item = (&'a Indexed, Result<Vec<u8>, LogError>)> + 'a {
        let mut gatherer = Gatherer::new();
        (0..entries.len()).map(move |next| {
            let left = &entries[next..];
            let lines = gatherer.next(&mut self.source(), left);
            if let Some(Watcher(tell)) = &self.watcher {
                tell(next + 1, entries.len());
            }
            (left[0], lines.unwrap_or(Ok(Vec::new())))
        })
    }

    /// Reads and decodes these episodes.
    fn decoding<'a>(
        &'a self,
        entries: Vec<&'a Indexed>,
    ) -> impl ExactSizeIterator<Item = Result<RecordedEpisode, LogError>> + 'a {
        let decoded = |(entry, lines): (&Indexed, Result<Vec<u8>, _>)| self.decode(entry, &lines?, false);
        self.reading(entries).map(decoded)
    }

    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    fn indexed(&self, id: &EpisodeId) -> Result<&Indexed, LogError> {
        self.find(id).ok_or_else(|| LogError::NoEpisode(id.clone()))
    }

    fn find(&self, id: &EpisodeId) -> Option<&Indexed> {
        let order = |id: &EpisodeId| self.record.position(&id.cell);
        let sought = (order(id), id);
        let entries = &self.index.episodes;
        let found = entries.binary_search_by(|entry| (order(&entry.id), &entry.id).cmp(&sought));
        found.ok().and_then(|index| entries.get(index))
    }

    fn decode(&self, entry: &Indexed, lines: &[u8], exact: bool) -> Result<RecordedEpisode, LogError> {
        RecordedEpisode::decode(entry, lines, |position| self.pieces.path(position), exact)
    }

    fn source(&self) -> MutexGuard<'_, Source> {
        // What a panic left behind are files and frames, each of them whole.
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The very last line of a log may be missing its newline as yet.
fn ended(mut lines: Vec<u8>) -> Vec<u8> {
    if !lines.is_empty() && !lines.ends_with(b"\n") {
        lines.push(b'\n');
    }
    lines
}
