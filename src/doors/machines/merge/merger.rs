//! Adding episodes to a run that were played elsewhere, each once, however often it was played.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::error::{Differs, MergeError, Version};
use crate::machines::PlayedEpisode;
use rolecall_core::domain::{CellName, EpisodeId};
use rolecall_core::evaluation::Seal;
use rolecall_core::log::{Batch, Digest, EventEncoder, LogError, LogHandle, LogWriter, RunLog, with_worker};

/// What became of an episode that was to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The run has it now, or more of it than before.
    New,
    /// The run had it already, or more of it.
    Equal,
    /// The run has another version, with other answers from outside: that one counts, this one does not.
    Other,
}

/// Adds episodes to a run.
pub struct Merger {
    log: LogHandle,
    folder: PathBuf,
    present: FxHashMap<EpisodeId, Present>,
    /// Cells whose episodes nobody plays alike.
    external: FxHashSet<CellName>,
}

/// What the run has of an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Present {
    digest: Digest,
    events: u32,
    closed: bool,
}

impl Merger {
    /// Adds to a run by its writer, given its log as it was when the writer began.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn new(writer: &LogWriter, log: &RunLog) -> Result<Self, LogError> {
        let mut present = FxHashMap::default();
        for id in log.ids() {
            log.check_order(id)?;
            let digest = log.digest(id).unwrap_or_default();
            let own = Present {
                digest,
                events: u32::try_from(log.events_of(id)).unwrap_or(u32::MAX),
                closed: is_closed(log, id)?,
            };
            present.insert(id.clone(), own);
        }
        Ok(Self {
            log: writer.handle(),
            folder: writer.folder().to_owned(),
            present,
            external: log.record().external.iter().cloned().collect(),
        })
    }

    /// Whether the run has just these events of an episode.
    pub fn has(&self, id: &EpisodeId, events: Digest) -> bool {
        self.present.get(id).is_some_and(|own| own.digest == events)
    }

    /// Number of episodes that the run has closed.
    pub fn closed(&self) -> usize {
        self.present.values().filter(|own| own.closed).count()
    }

    /// Adds an episode that somebody of this name played, closed or open, if the run does not have it. Its
    /// lines are on their way to the log when this is done, and in it when the writer is closed.
    ///
    /// # Errors
    /// If its lines are not what they should be; if nothing in it comes from outside and the run has it
    /// otherwise; if the run has another beginning of it; if the log cannot be written.
    pub async fn add(&mut self, episode: &PlayedEpisode, worker: &str) -> Result<Added, MergeError> {
        let known = self.present.get(&episode.id).copied();
        let lines = Checked::of(episode, known.map_or(0, |own| own.events))?;
        let Some(known) = known else {
            return self.append(episode, &lines, worker).await;
        };
        if lines.whole.digest == known.digest {
            return Ok(Added::Equal);
        }
        let goes_on = lines.beginning == known.digest && lines.whole.events > known.events;
        if goes_on && !known.closed {
            return self.append(episode, &lines, worker).await;
        }
        if lines.whole.events < known.events && !lines.whole.closed {
            return Ok(Added::Equal);
        }
        if !self.is_from_outside(episode)? {
            let ours = self.read(&episode.id).await?;
            if !self.is_from_outside(&ours.0)? {
                return Err(differs(episode, &ours.0, &ours.1));
            }
        }
        match lines.whole.closed && !known.closed {
            true => Err(MergeError::Begun { folder: None, episode: episode.id.clone(), events: known.events }),
            false => Ok(Added::Other),
        }
    }

    /// Appends what the run does not have.
    async fn append(&mut self, episode: &PlayedEpisode, lines: &Checked, worker: &str) -> Result<Added, MergeError> {
        let rest = episode.lines.events.get(lines.start..);
        let before = self.present.get(&episode.id).map_or(0, |own| own.events);
        let batch = Batch {
            events: rest.unwrap_or_default().to_vec(),
            result: episode.lines.result.clone(),
            timing: timing(&episode.lines.timing, before, worker),
        };
        self.log.append(batch).await?;
        self.present.insert(episode.id.clone(), lines.whole);
        Ok(Added::New)
    }

    /// Whether something in the episode is not the same for everybody who plays it.
    fn is_from_outside(&self, episode: &PlayedEpisode) -> Result<bool, MergeError> {
        if self.external.contains(&episode.id.cell) {
            return Ok(true);
        }
        let events = episode.events().map_err(|error| damaged(episode, error))?;
        Ok(events.iter().any(|event| event.message.is_from_outside()))
    }

    /// What the run has of an episode, with its log.
    async fn read(&self, id: &EpisodeId) -> Result<(PlayedEpisode, RunLog), MergeError> {
        self.log.append_durably(Batch::default()).await?;
        let log = RunLog::open(&self.folder)?;
        let lines = log.lines_of([id])?.next().transpose()?;
        let mut own = PlayedEpisode::new(id.clone());
        own.lines.events = lines.unwrap_or_default();
        Ok((own, log))
    }
}

/// Whether an episode of a run is closed.
pub(super) fn is_closed(log: &RunLog, id: &EpisodeId) -> Result<bool, LogError> {
    let noted = log.recorded_digest(id);
    match noted.is_some() && noted == log.digest(id) {
        true => Ok(true),
        false => log.is_closed(id),
    }
}

/// An episode whose lines are what they say.
struct Checked {
    whole: Present,
    /// The digest of the events that the run has the number of, and where what follows them begins.
    beginning: Digest,
    start: usize,
}

impl Checked {
    /// Checks that the lines are those of the episode, numbered from 0, and that there is a result of them if
    /// they close it.
    fn of(episode: &PlayedEpisode, known: u32) -> Result<Self, MergeError> {
        let mut own = Self { whole: Present::default(), beginning: Digest::default(), start: 0 };
        let encoder = EventEncoder::new(&episode.id);
        for line in episode.lines.events.split_inclusive(|byte| *byte == b'\n') {
            let seq = own.whole.events;
            if !line.ends_with(b"\n") || !encoder.begins(seq, line) {
                let problem = format!("line {} is not that of its event {seq}", seq + 1);
                return Err(damaged(episode, problem));
            }
            own.whole.digest.add(line);
            own.whole.events += 1;
            if own.whole.events <= known {
                own.beginning = own.whole.digest;
                own.start += line.len();
            }
        }
        own.whole.closed = !episode.is_open();
        if own.whole.events == 0 {
            return Err(damaged(episode, "it has no events"));
        }
        let seal = episode.lines.result.strip_suffix(b"\n").map_or(Seal::Absent, Seal::of);
        if own.whole.closed && seal != Seal::Whole(own.whole.digest) {
            return Err(damaged(episode, "its result is not that of its events"));
        }
        Ok(own)
    }
}

fn damaged(episode: &PlayedEpisode, problem: impl ToString) -> MergeError {
    MergeError::Damaged { folder: None, episode: episode.id.clone(), problem: problem.to_string() }
}

/// The first event in which two versions differ.
fn differs(there: &PlayedEpisode, here: &PlayedEpisode, log: &RunLog) -> MergeError {
    let lines = |own: &PlayedEpisode| -> Vec<String> {
        let text = String::from_utf8_lossy(&own.lines.events);
        text.lines().map(str::to_owned).collect()
    };
    let (ours, theirs) = (lines(here), lines(there));
    let seq = ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
    let version = |lines: &[String], place| Version { place, line: lines.get(seq).cloned().unwrap_or_default() };
    MergeError::Differs(Box::new(Differs {
        here: version(&ours, log.line_of(&here.id, seq)),
        there: version(&theirs, None),
        episode: there.id.clone(),
        seq,
    }))
}

/// The lines of timings that tell of more than the events that the run had before, with who played them.
fn timing(lines: &[u8], before: u32, worker: &str) -> Vec<u8> {
    #[derive(Deserialize)]
    struct TimedEvents {
        events: Option<(u32, u32)>,
        digest: Option<String>,
    }
    let mut kept = Vec::new();
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        let timed: Option<TimedEvents> = serde_json::from_slice(line).ok();
        let is_new = timed.is_some_and(|timed| match timed.events {
            Some((_, end)) => end > before,
            None => before == 0 || timed.digest.is_some(),
        });
        if is_new {
            kept.extend(with_worker(line, worker));
        }
    }
    kept
}

impl MergeError {
    /// The same, which says that the version that was to be added is in this folder, and where.
    #[must_use]
    pub fn of_part(mut self, part: &Path, log: &RunLog) -> Self {
        match &mut self {
            Self::Damaged { folder, .. } | Self::Begun { folder, .. } => {
                folder.get_or_insert_with(|| part.to_owned());
            }
            Self::Differs(differs) => {
                let place = log.line_of(&differs.episode, differs.seq);
                differs.there.place = place;
            }
            Self::Log(_) => {}
        }
        self
    }
}
