//! Names of cells, episodes, shards of a run, and answer formats.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_64;

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

/// The name of an answer format, such as `source-plan`: the table of formats
/// ([`ports::Format`](crate::ports::Format)) says how it is written and read. A brief names it;
/// whoever has to read the answer refuses a name that the table does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Notation(Name);

impl Notation {
    /// Checks a name (same letters as a role's) and wraps it.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        keep_name(name).map(Self)
    }
}

written_as_name!(Notation);

/// A share of a run's episodes: those whose hash leaves this remainder. The same on every machine and in every
/// version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no shard: write its number, from 0 up to one less than there are, and how many there are, for \
     instance 0/3, 1/3 and 2/3"
)]
pub struct InvalidShard(pub String);

impl Shard {
    /// Whether the episode belongs to it.
    pub fn has(&self, id: &EpisodeId) -> bool {
        let hash = xxh3_64(id.to_string().as_bytes());
        hash % u64::from(self.count.max(1)) == u64::from(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = InvalidShard;

    fn from_str(text: &str) -> Result<Self, InvalidShard> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let read = || {
            let (index, count) = text.split_once('/').filter(|(one, other)| digits(one) && digits(other))?;
            let shard = Self { index: index.parse().ok()?, count: count.parse().ok()? };
            (shard.index < shard.count).then_some(shard)
        };
        read().ok_or_else(|| InvalidShard(text.chars().take(40).collect()))
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

    #[test]
    fn every_episode_is_in_one_shard_and_stays_there() {
        let index = |id: &str, count: u32| {
            let id: EpisodeId = id.parse().unwrap();
            let shards = (0..count).map(|index| Shard { index, count });
            let found: Vec<u32> = shards.filter(|shard| shard.has(&id)).map(|shard| shard.index).collect();
            assert_eq!(found.len(), 1, "{id}");
            found[0]
        };
        // Shards that one version played are merged by another.
        let ids = ["main:0:0", "main:1:0", "main:2:0", "respact:12:3", "react:999999:0"];
        assert_eq!(ids.map(|id| index(id, 16)), [4, 6, 6, 2, 3]);
        assert_eq!(ids.map(|id| index(id, 1)), [0; 5]);
    }

    #[test]
    fn a_shard_is_read_as_it_is_written() {
        for good in ["0/1", "3/16", "15/16"] {
            assert_eq!(good.parse::<Shard>().unwrap().to_string(), good);
        }
        for wrong in ["", "x", "3", "3/3", "4/3", "0/0", "-1/3", "+1/3", "1/3/5", " 1/3", "1/", "/3"] {
            let error = wrong.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("for instance 0/3"), "{error}");
        }
    }
}
