//! The reasons why episodes cannot become part of a run.

use std::path::PathBuf;

use rolecall_core::domain::EpisodeId;
use rolecall_core::log::LogError;
use rolecall_core::text::visible;

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
    /// That event in the run.
    pub here: Version,
    /// That event in the version that was to be added.
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
