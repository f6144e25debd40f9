//! The errors of a log.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::domain::EpisodeId;

/// The remedy for events that are not as they were written.
pub(super) const REMEDY: &str = "; `rolecall logs verify` names everything that is wrong with a run: \
     restore the file from a copy, or undo the change";

/// The reason why a log cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// A run is never written over another one.
    #[error("`{}` exists already: choose another run name or remove the folder", .folder.display())]
    FolderExists {
        /// The folder that was to be made.
        folder: PathBuf,
    },
    /// A write failed, for instance because the disk is full. Nothing was written after it.
    #[error("`{}` cannot be written after {written} bytes: {reason}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Bytes of whole groups that were written before.
        written: u64,
        /// The system's words.
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
    /// The writer was closed before this batch arrived.
    #[error("the log is closed; nothing can be appended to it any more")]
    Closed,
    /// A file of the run, or its folder, cannot be read, used, changed, locked or created.
    #[error("`{}` cannot be {done}: {reason}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The participle of what was to be done with it, such as `read`.
        done: &'static str,
        /// The system's words, and a remedy.
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
    /// A process was killed before it had begun the run.
    #[error(
        "`{}` holds a run that ended before it began: nothing was played; give the command again that \
         was to begin it, with the same name, or remove the folder",
        .folder.display()
    )]
    NotBegun {
        /// The folder.
        folder: PathBuf,
    },
    /// A line makes no sense.
    #[error("`{}` line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// The problem.
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
        /// Their number.
        episodes: u64,
    },
    /// The run has no such episode.
    #[error("the run has no episode `{0}`: `rolecall show RUN` lists those it has")]
    NoEpisode(EpisodeId),
}

impl LogError {
    /// How [`LogError::File`] says that a file could be read but makes no sense, or not yet.
    pub const USED: &str = "used";

    pub(super) fn create(path: &Path, reason: impl ToString) -> Self {
        let reason = reason.to_string() + "; choose another folder for the logs";
        Self::file(path, "created", reason)
    }

    pub(super) fn lock(path: &Path, source: &io::Error) -> Self {
        Self::file(path, "locked", with_remedy(source))
    }

    pub(super) fn change(path: &Path, source: &io::Error) -> Self {
        Self::file(path, "changed", with_remedy(source))
    }

    pub(super) fn read(path: &Path, source: &io::Error) -> Self {
        Self::file(path, "read", source.to_string())
    }

    pub(super) fn file(path: &Path, done: &'static str, reason: String) -> Self {
        Self::File { path: path.to_owned(), done, reason }
    }

    pub(super) fn write(path: &Path, written: u64, source: &io::Error) -> Self {
        Self::Write { path: path.to_owned(), written, reason: source.to_string() }
    }

    /// A line that is not as it was written.
    pub(super) fn damaged(path: &Path, line: u64, reason: impl ToString) -> Self {
        Self::line(path, line, reason.to_string() + REMEDY)
    }

    pub(super) fn line(path: &Path, line: u64, reason: impl ToString) -> Self {
        Self::Line { path: path.to_owned(), line, reason: reason.to_string() }
    }
}

/// The system's words about a run that is to be changed, with a remedy if it can only be read.
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
    process.map(|number| format!("process {number}")).unwrap_or_else(|| "another process".to_owned())
}

fn and_more(episodes: u64) -> String {
    match episodes {
        0 | 1 => String::new(),
        2 => ", and those of 1 more episode".to_owned(),
        more => format!(", and those of {} more episodes", more - 1),
    }
}

/// The reason why an event cannot become a line that can be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} {problem}")]
pub struct EncodeError {
    /// The event.
    pub seq: u32,
    /// The problem, such as `has the reward ...`.
    pub problem: String,
}
