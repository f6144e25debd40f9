//! Names of episodes.

use std::fmt;
use std::str::FromStr;

use super::InvalidName;
use super::name::{Name, written_as_name, written_as_text};
use super::seat::keep_name;

/// The name of a cell: one cast that plays the tasks of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellName(Name);

impl CellName {
    /// Checks a name (same letters as a role's) and wraps it.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        keep_name(name).map(Self)
    }
}

written_as_name!(CellName);

/// Which episode: a cell plays a task for the n-th time.
///
/// Written `cell:task:repeat`, for instance `respact:12:0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpisodeId {
    /// The cast that plays.
    pub cell: CellName,
    /// Index of the task in the run, from 0.
    pub task: u32,
    /// How often this cell has played the task before.
    pub repeat: u32,
}

/// A text that names no episode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an episode: write `cell:task:repeat`, for instance `main:12:0`")]
pub struct InvalidId(pub String);

impl FromStr for EpisodeId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let read = || {
            let (rest, repeat) = text.rsplit_once(':')?;
            let (cell, task) = rest.split_once(':')?;
            Some(Self { cell: CellName::new(cell).ok()?, task: task.parse().ok()?, repeat: repeat.parse().ok()? })
        };
        read().ok_or_else(|| InvalidId(text.chars().take(80).collect()))
    }
}

written_as_text!(EpisodeId, InvalidId, EpisodeId::from_str);

impl fmt::Display for EpisodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.cell, self.task, self.repeat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_episode_is_read_as_it_is_written() {
        let id: EpisodeId = "respact:12:3".parse().unwrap();
        assert_eq!(id.to_string(), "respact:12:3");
        for wrong in ["", "a:1", "a:1:2:3", "a:-1:0", "A:1:0", "a:x:0"] {
            assert!(wrong.parse::<EpisodeId>().is_err(), "{wrong}");
        }
    }
}
