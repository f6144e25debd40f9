//! Names and times of what is exported: functions of the run alone, so that exporting twice gives the same bytes.

use std::fs;

use jiff::{SignedDuration, Timestamp};
use rustc_hash::FxHashMap;

use rolecall_core::domain::{Action, EpisodeId};
use rolecall_core::log::{RUN, RunLog};

/// Nanoseconds between two events of an episode whose time is not known.
const STEP: u64 = 1_000_000;

/// A run as the origin of names and times.
pub(super) struct Origin {
    run: String,
    began: Timestamp,
    /// Milliseconds that episodes took.
    wall: FxHashMap<EpisodeId, f64>,
}

/// The times of one episode. Events have no clock: they are spread evenly over the time that the episode took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    began: Timestamp,
    step: u64,
    /// The time that the episode took is known.
    pub(super) known: bool,
}

impl Origin {
    /// The origin of a run, which began when its `run.toml` was written.
    pub(super) fn of(log: &RunLog) -> Self {
        let record = log.record();
        let seed = record.seed.map_or(0, |seed| seed.0);
        let unnamed = || format!("{}/{seed}", record.name);
        let began = fs::metadata(log.folder().join(RUN))
            .and_then(|file| file.modified())
            .ok()
            .and_then(|time| Timestamp::try_from(time).ok());
        Self {
            run: record.id.clone().unwrap_or_else(unnamed),
            began: began.unwrap_or_default(),
            wall: log.timings().into_iter().map(|timing| (timing.episode, timing.wall_ms)).collect(),
        }
    }

    /// When the run began.
    pub(super) fn began(&self) -> Timestamp {
        self.began
    }

    /// When the last of these episodes was over.
    pub(super) fn ended<'a>(&self, ids: impl IntoIterator<Item = &'a EpisodeId>) -> Timestamp {
        let longest = ids.into_iter().filter_map(|id| self.seconds(id)).fold(0.0, f64::max);
        self.began.checked_add(SignedDuration::try_from_secs_f64(longest).unwrap_or_default()).unwrap_or(self.began)
    }

    /// The seconds that an episode took, if they are known.
    pub(super) fn seconds(&self, id: &EpisodeId) -> Option<f64> {
        let wall = self.wall.get(id).map(|wall| wall / 1e3);
        wall.filter(|wall| wall.is_finite())
    }

    /// The times of an episode with so many events.
    pub(super) fn times(&self, id: &EpisodeId, events: usize) -> Times {
        let seconds = self.seconds(id);
        let step = seconds.map_or(STEP, |seconds| (seconds * 1e9) as u64 / events.max(1) as u64);
        Times { began: self.began, step: step.max(1), known: seconds.is_some() }
    }

    /// A name of something in the run, which nothing else has.
    pub(super) fn hash(&self, parts: &[&str]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for part in [self.run.as_str()].iter().chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize()
    }

    /// The hash in 22 letters.
    pub(super) fn name(&self, parts: &[&str]) -> String {
        let mut name = self.hash(parts).to_hex().to_string();
        name.truncate(22);
        name
    }
}

impl Times {
    /// Nanoseconds from the beginning of the episode to an event, or to the end.
    pub(super) fn since(self, index: usize) -> u64 {
        self.step.saturating_mul(index as u64)
    }

    /// The time of an event, or of the end.
    pub(super) fn at(self, index: usize) -> Timestamp {
        self.began
            .checked_add(SignedDuration::from_nanos(i64::try_from(self.since(index)).unwrap_or(i64::MAX)))
            .unwrap_or(self.began)
    }
}

/// The word that names an action: its tool, or the first word of its text. Models write both, so that what looks
/// like no name is none.
pub(super) fn tool_name(action: &Action) -> &str {
    let is_name = |word: &&str| {
        let mut letters = word.bytes();
        (1..=MOST_LETTERS).contains(&word.len())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || b"_-.".contains(&letter))
    };
    let first = || action.text.trim_start().split(|letter: char| !letter.is_ascii_lowercase()).next();
    let name = action.call.as_ref().map(|call| call.tool.as_str()).or_else(first);
    name.filter(is_name).unwrap_or("act")
}

/// The longest name of an action.
const MOST_LETTERS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_no_name_is_none() {
        let call = |tool: &str| Action {
            text: String::new(),
            call: Some(Box::new(rolecall_core::domain::Call {
                tool: tool.to_owned(),
                arguments: serde_json::Value::Null,
            })),
        };
        for (action, name) in [
            (Action::text(" go to desk 1"), "go"),
            (Action::text("search[red mug]"), "search"),
            (Action::text("42 is it"), "act"),
            (Action::text(""), "act"),
            (call("shelf.search"), "shelf.search"),
            (call("tell them: s3cret"), "act"),
            (call(&"x".repeat(65)), "act"),
        ] {
            assert_eq!(tool_name(&action), name);
        }
    }
}
