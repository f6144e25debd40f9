//! Adding episodes to a run that were played elsewhere, each once, however often it was played.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::capped;
use crate::machines::PlayedEpisode;
use rolecall_core::domain::{CellName, EpisodeId};
use rolecall_core::evaluation::Seal;
use rolecall_core::log::{Batch, Digest, EventEncoder, LogError, LogHandle, LogWriter, RunLog, with_worker};
use rolecall_core::text::visible;

/// Outcome of adding an episode.
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

/// State of an episode in the run.
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
            let entry = Present {
                digest: log.digest(id).unwrap_or_default(),
                events: capped(log.events_of(id)),
                closed: is_closed(log, id)?,
            };
            present.insert(id.clone(), entry);
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
        self.present.get(id).is_some_and(|known| known.digest == events)
    }

    /// Number of episodes that the run has closed.
    pub fn closed(&self) -> usize {
        self.present.values().filter(|known| known.closed).count()
    }

    /// Adds an episode that somebody of this name played, closed or open, if the run does not have it. Its
    /// lines are on their way to the log when this is done, and in it when the writer is closed.
    ///
    /// # Errors
    /// If its lines are not what they should be; if nothing in it comes from outside and the run has it
    /// otherwise; if the run has another beginning of it; if the log cannot be written.
    pub async fn add(&mut self, episode: &PlayedEpisode, worker: &str) -> Result<Added, MergeError> {
        let known = self.present.get(&episode.id).copied();
        let lines = Checked::of(episode, known.map_or(0, |known| known.events))?;
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
        if lines.whole.closed && !known.closed {
            Err(MergeError::Begun { folder: None, episode: episode.id.clone(), events: known.events })
        } else {
            Ok(Added::Other)
        }
    }

    /// Appends what the run does not have.
    async fn append(&mut self, episode: &PlayedEpisode, lines: &Checked, worker: &str) -> Result<Added, MergeError> {
        let rest = episode.lines.events.get(lines.start..);
        let before = self.present.get(&episode.id).map_or(0, |known| known.events);
        self.log
            .append(Batch {
                events: rest.unwrap_or_default().to_vec(),
                result: episode.lines.result.clone(),
                timing: timing(&episode.lines.timing, before, worker),
            })
            .await?;
        self.present.insert(episode.id.clone(), lines.whole);
        Ok(Added::New)
    }

    /// Whether something in the episode is not the same for everybody who plays it.
    fn is_from_outside(&self, episode: &PlayedEpisode) -> Result<bool, MergeError> {
        if self.external.contains(&episode.id.cell) {
            return Ok(true);
        }
        Ok(episode
            .events()
            .map_err(|error| damaged(episode, error))?
            .iter()
            .any(|event| event.message.is_from_outside()))
    }

    /// Reads an episode of the run, with its log.
    async fn read(&self, id: &EpisodeId) -> Result<(PlayedEpisode, RunLog), MergeError> {
        self.log.append_durably(Batch::default()).await?;
        let log = RunLog::open(&self.folder)?;
        let lines = log.lines_of([id])?.next().transpose()?;
        let mut episode = PlayedEpisode::new(id.clone());
        episode.lines.events = lines.unwrap_or_default();
        Ok((episode, log))
    }
}

/// Whether an episode of a run is closed.
pub(super) fn is_closed(log: &RunLog, id: &EpisodeId) -> Result<bool, LogError> {
    let noted = log.recorded_digest(id);
    if noted.is_some() && noted == log.digest(id) { Ok(true) } else { log.is_closed(id) }
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
        let mut checked = Self { whole: Present::default(), beginning: Digest::default(), start: 0 };
        let encoder = EventEncoder::new(&episode.id);
        for line in episode.lines.events.split_inclusive(|byte| *byte == b'\n') {
            let seq = checked.whole.events;
            if !line.ends_with(b"\n") || !encoder.begins(seq, line) {
                return Err(damaged(episode, format!("line {} is not that of its event {seq}", seq + 1)));
            }
            checked.whole.digest.add(line);
            checked.whole.events += 1;
            if checked.whole.events <= known {
                checked.beginning = checked.whole.digest;
                checked.start += line.len();
            }
        }
        checked.whole.closed = !episode.is_open();
        if checked.whole.events == 0 {
            return Err(damaged(episode, "it has no events"));
        }
        if checked.whole.closed
            && episode.lines.result.strip_suffix(b"\n").map_or(Seal::Absent, Seal::of)
                != Seal::Whole(checked.whole.digest)
        {
            return Err(damaged(episode, "its result is not that of its events"));
        }
        Ok(checked)
    }
}

fn damaged(episode: &PlayedEpisode, problem: impl ToString) -> MergeError {
    MergeError::Damaged { folder: None, episode: episode.id.clone(), problem: problem.to_string() }
}

/// The first event in which two versions differ.
fn differs(there: &PlayedEpisode, here: &PlayedEpisode, log: &RunLog) -> MergeError {
    let lines = |version: &PlayedEpisode| -> Vec<String> {
        String::from_utf8_lossy(&version.lines.events).lines().map(str::to_owned).collect()
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
        let is_new = timed
            .is_some_and(|timed| timed.events.map_or(before == 0 || timed.digest.is_some(), |(_, end)| end > before));
        if is_new {
            kept.extend(with_worker(line, worker));
        }
    }
    kept
}

impl MergeError {
    /// Adds to the error that the version that was to be added is in this folder, and where.
    #[must_use]
    pub fn of_part(mut self, part: &Path, log: &RunLog) -> Self {
        match &mut self {
            Self::Damaged { folder, .. } | Self::Begun { folder, .. } => {
                folder.get_or_insert_with(|| part.to_owned());
            }
            Self::Differs(differs) => {
                differs.there.place = log.line_of(&differs.episode, differs.seq);
            }
            Self::Log(_) => {}
        }
        self
    }
}

/// The longest part of an event that is shown, in bytes.
const SHOWN: usize = 600;

/// The reason why an episode cannot be added to a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A log cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The lines of an episode are not those of one that was played.
    #[error("{}episode `{episode}` cannot be used: {problem}", in_folder(folder.as_ref()))]
    Damaged {
        /// The folder that it is in; none if it came another way.
        folder: Option<PathBuf>,
        /// The episode.
        episode: EpisodeId,
        /// The problem, and what to do.
        problem: String,
    },
    /// Two versions of an episode that everybody must play alike.
    #[error("{0}")]
    Differs(Box<Differs>),
    /// The run began an episode with other answers from outside than the version that is to be added.
    #[error(
        "{}episode `{episode}` does not go on from the {events} events that the run has of it, for which its \
         models were asked: `rolecall resume` goes on with those; or merge all parts into a new run",
        in_folder(folder.as_ref())
    )]
    Begun {
        /// The folder of the other version; none if it came another way.
        folder: Option<PathBuf>,
        /// The episode.
        episode: EpisodeId,
        /// Number of events that the run has.
        events: u32,
    },
}

/// Two versions of an episode in which nothing comes from outside.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "episode `{episode}` was played in two ways, although nothing in it comes from outside: event {seq} \
     differs\n  {}: {}\n  {}: {}\n\
     one of them was changed, or played by a program, on a machine or with data that differ: find out which \
     (`rolecall logs verify`, `rolecall replay`), and merge without it",
    source_of(here), shown(&here.line), source_of(there), shown(&there.line)
)]
pub struct Differs {
    /// The episode.
    pub episode: EpisodeId,
    /// The number of the first event that differs.
    pub seq: usize,
    /// The event in the run.
    pub here: Version,
    /// The event in the version that was to be added.
    pub there: Version,
}

/// An event of one version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The file and the line; none if it is in no file, or the version ends before it.
    pub place: Option<(PathBuf, u64)>,
    /// The line; empty if the version ends before it.
    pub line: String,
}

fn in_folder(folder: Option<&PathBuf>) -> String {
    folder.map_or_else(String::new, |folder| format!("`{}`: ", folder.display()))
}

fn source_of(version: &Version) -> String {
    match &version.place {
        Some((path, line)) => format!("`{}` line {line}", path.display()),
        None => "a part".to_owned(),
    }
}

fn shown(line: &str) -> String {
    if line.is_empty() {
        return "no such event".to_owned();
    }
    let end = line.floor_char_boundary(SHOWN);
    let rest = if end < line.len() { "..." } else { "" };
    format!("{}{rest}", visible(&line[..end]))
}
