//! The settings of a log.

/// The way in which a run's files are written. Nothing that is written depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogSettings {
    /// The moment at which lines are made to survive the end of the machine.
    pub sync: Sync,
    /// Once `events.jsonl` has more bytes than this, it is closed and compressed, and a new one is
    /// begun.
    pub segment_bytes: u64,
}

impl Default for LogSettings {
    /// Every episode; 64 MiB.
    fn default() -> Self {
        Self {
            sync: Sync::default(),
            segment_bytes: 64 << 20,
        }
    }
}

/// When lines are made to survive the end of the machine (power cut, crash of the system). The end
/// of the process alone loses nothing that was acknowledged, whatever is chosen here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The words that configs use, in the order of the variants.
    pub const NAMES: [&str; 3] = ["every-event", "every-episode", "off"];

    /// The word that configs use.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The variant of a word.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::EveryEvent, Self::EveryEpisode, Self::Off];
        all.into_iter().find(|sync| sync.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_for_something() {
        for name in Sync::NAMES {
            assert_eq!(Sync::from_name(name).map(Sync::as_str), Some(name));
        }
        assert_eq!(Sync::from_name("on"), None);
    }
}
