//! The settings of a log.

use serde::Deserialize;

/// How a run's files are written. Nothing that is written depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogSettings {
    /// The moment at which lines are made to survive the end of the machine.
    pub sync: Sync,
    /// Once `events.jsonl` has more bytes than this, it is closed and compressed, and a new one is
    /// begun.
    pub segment_bytes: u64,
    /// The folder can be read by nobody but its owner.
    pub private: bool,
    /// There are many episodes: results are closed and compressed as events are, and what is left of
    /// both when the run ends.
    pub many: bool,
}

impl Default for LogSettings {
    /// Every episode; 64 MiB.
    fn default() -> Self {
        Self { sync: Sync::default(), segment_bytes: 64 << 20, private: false, many: false }
    }
}

/// When lines are made to survive the end of the machine (power cut, crash of the system). The end
/// of the process alone loses nothing that was acknowledged, whatever is chosen here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sync {
    /// Before anybody is told that they are written.
    EveryEvent,
    /// Soon after an episode has closed, and at least once a second.
    #[default]
    EveryEpisode,
    /// When the run ends, and otherwise when the system likes.
    Off,
}

impl Sync {
    /// The words that configs use.
    pub const NAMES: [&str; 3] = ["every-episode", "every-event", "off"];
}
