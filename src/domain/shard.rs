//! Shares of a run: which episodes each of several processes plays that know nothing of each other.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_64;

use super::EpisodeId;

/// A share of a run's episodes: those whose hash leaves this remainder. Everybody shares out alike, on every
/// machine and in every version.
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
            let own = Self { index: index.parse().ok()?, count: count.parse().ok()? };
            (own.index < own.count).then_some(own)
        };
        read().ok_or_else(|| InvalidShard(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_episode_is_in_one_shard_and_stays_there() {
        let index = |id: &str, count: u32| {
            let id: EpisodeId = id.parse().unwrap();
            let shards = (0..count).map(|index| Shard { index, count });
            let own: Vec<u32> = shards.filter(|own| own.has(&id)).map(|own| own.index).collect();
            assert_eq!(own.len(), 1, "{id}");
            own[0]
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
