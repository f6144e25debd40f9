//! What can go wrong with a log.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::domain::EpisodeId;

/// What to do about events that are not as they were written.
pub(super) const REMEDY: &str = "; `rolecall logs verify` names everything that is wrong with a run: \
     restore the file from a copy, or undo the change";

/// Why a log cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// A run is never written over another one.
    #[error("`{}` exists already: choose another run name or remove the folder", .folder.display())]
    FolderExists {
        /// The folder that was to be made.
        folder: PathBuf,
    },
    /// The folder or a file in it cannot be made.
    #[error("`{}` cannot be created: {reason}; choose another folder for the logs", .path.display())]
    Create {
        /// What was to be made.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A write failed, for instance because the disk is full. Nothing was written after it.
    #[error("`{}` cannot be written after {written} bytes: {reason}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Bytes of whole groups that were written before.
        written: u64,
        /// What the system says.
        reason: String,
    },
    /// Somebody else is writing the run.
    #[error(
        "`{}` is being written by {}; wait until that has ended, or end it, and try again",
        .folder.display(), shown(*.process)
    )]
    Busy {
        /// The run's folder.
        folder: PathBuf,
        /// The process that writes it, if its file says so.
        process: Option<u32>,
    },
    /// The run cannot be kept for oneself, for instance because its folder can only be read.
    #[error("`{}` cannot be locked: {reason}", .path.display())]
    Lock {
        /// The file that is to be locked.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A file of the run cannot be put right or replaced.
    #[error("`{}` cannot be changed: {reason}", .path.display())]
    Change {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The writer was closed before this batch arrived.
    #[error("the log is closed; nothing can be appended to it any more")]
    Closed,
    /// A file cannot be read.
    #[error("`{}` cannot be read: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The folder is not that of a run.
    #[error(
        "`{}` is no run: there is no `run.toml` in it; name a folder that `rolecall run` made, or \
         its name below `logs`",
        .folder.display()
    )]
    NoRun {
        /// The folder.
        folder: PathBuf,
    },
    /// `run.toml` makes no sense.
    #[error("`{}` cannot be used: {reason}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A line makes no sense.
    #[error("`{}` line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// A closed segment is not there, but later ones are.
    #[error(
        "`{}` is missing, but later segments are there: restore it from a copy; without it the \
         run can neither be read nor gone on with",
        .path.display()
    )]
    Missing {
        /// The compressed segment.
        path: PathBuf,
    },
    /// Episodes were closed, and the events do not say so any more.
    #[error(
        "`{}` line {line}: episode `{episode}` was closed when this was written, but its last \
         events are gone{more}; restore the files of events from a copy or, if there is none, remove \
         the lines of such episodes from `results.jsonl` and `timings.jsonl`: then they are played \
         again",
        .path.display(), more = and_more(*.episodes)
    )]
    Lost {
        /// The file that notes the end of the first of them.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// The first episode.
        episode: EpisodeId,
        /// How many they are.
        episodes: u64,
    },
    /// Events of an episode are missing.
    #[error(
        "`{}` line {line}: episode `{episode}` has event {found} where event {expected} belongs: \
         events are missing{REMEDY}",
        .path.display()
    )]
    Gap {
        /// The file in which the next one is, and its line, from 1.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The episode.
        episode: EpisodeId,
        /// The position that is empty.
        expected: u32,
        /// The next one that is there.
        found: u32,
    },
    /// An event of an episode is there twice.
    #[error("`{}` line {line}: episode `{episode}` has event {seq} twice{REMEDY}", .path.display())]
    Duplicate {
        /// The file in which it is for the second time.
        path: PathBuf,
        /// The line there, from 1.
        line: u64,
        /// The episode.
        episode: EpisodeId,
        /// The position.
        seq: u32,
    },
    /// An event is said to be brought about by itself or by a later one.
    #[error(
        "`{}` line {line}: episode `{episode}` event {seq} names event {cause} as its cause, which \
         is no earlier one{REMEDY}",
        .path.display()
    )]
    Cause {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// The episode.
        episode: EpisodeId,
        /// The event.
        seq: u32,
        /// Its cause.
        cause: u32,
    },
    /// The run has no such episode.
    #[error("the run has no episode `{0}`: `rolecall show RUN` lists those it has")]
    NoEpisode(EpisodeId),
}

impl LogError {
    pub(super) fn create(path: &Path, source: &io::Error) -> Self {
        Self::Create {
            path: path.to_owned(),
            reason: source.to_string(),
        }
    }

    pub(super) fn lock(path: &Path, source: &io::Error) -> Self {
        Self::Lock {
            path: path.to_owned(),
            reason: with_remedy(source),
        }
    }

    pub(super) fn change(path: &Path, source: &io::Error) -> Self {
        Self::Change {
            path: path.to_owned(),
            reason: with_remedy(source),
        }
    }

    pub(super) fn write(path: &Path, written: u64, source: &io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            written,
            reason: source.to_string(),
        }
    }

    pub(super) fn read(path: &Path, source: &io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            reason: source.to_string(),
        }
    }

    /// A line that is not as it was written.
    pub(super) fn damaged(path: &Path, line: u64, reason: impl ToString) -> Self {
        Self::line(path, line, reason.to_string() + REMEDY)
    }

    pub(super) fn line(path: &Path, line: u64, reason: impl ToString) -> Self {
        Self::Line {
            path: path.to_owned(),
            line,
            reason: reason.to_string(),
        }
    }
}

/// What the system says of a run that is to be changed, and what to do if it can only be read.
fn with_remedy(source: &io::Error) -> String {
    match source.kind() {
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => format!(
            "{source}; the run is to be written: make its folder writable, or copy it to where you may \
             write and name the copy"
        ),
        _ => source.to_string(),
    }
}

fn shown(process: Option<u32>) -> String {
    process.map_or_else(
        || "another process".to_owned(),
        |number| format!("process {number}"),
    )
}

fn and_more(episodes: u64) -> String {
    match episodes {
        0 | 1 => String::new(),
        2 => ", and those of 1 more episode".to_owned(),
        more => format!(", and those of {} more episodes", more - 1),
    }
}

/// Why an event cannot become a line that can be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A reward is infinite or not a number.
    #[error("event {seq} has the reward `{reward}`, which is no finite number")]
    Reward {
        /// The event.
        seq: u32,
        /// The reward as text.
        reward: String,
    },
    /// Structured data inside the event is nested too deeply.
    #[error("event {seq} holds data nested deeper than {limit} levels")]
    TooDeep {
        /// The event.
        seq: u32,
        /// The number of levels that is allowed.
        limit: usize,
    },
    /// The event holds something that JSON has no form for.
    #[error("event {seq} cannot be written as JSON: {reason}")]
    Json {
        /// The event.
        seq: u32,
        /// What is wrong.
        reason: String,
    },
}
