//! Runs of shipped configs, played by the binary for tests of what is done with them afterwards.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use rolecall::domain::{EpisodeId, Event};
use rolecall::log::{EventEncoder, RunLog};

use crate::support::binary::{rolecall, text};

/// A folder in which configs are found where the examples name them.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["configs", "agents"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// The command, which must end with the code.
pub(crate) fn ends(folder: &Path, arguments: &[&str], code: i32) -> Output {
    let output = rolecall(folder, arguments).output().unwrap();
    let shown = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{shown}");
    output
}

/// Plays a household config into `logs/<name>`.
pub(crate) fn play(folder: &Path, config: &str, name: &str, more: &[&str]) {
    let config = format!("configs/household/{config}.toml");
    let arguments = ["run", &config, "--name", name, "-q", "--no-report"];
    ends(folder, &[&arguments, more].concat(), 0);
}

/// The events of a run by episode.
pub(crate) fn events(folder: &Path, name: &str) -> BTreeMap<EpisodeId, Vec<Event>> {
    let log = RunLog::open(&folder.join("logs").join(name)).unwrap();
    let episodes = log.episodes().unwrap().map(Result::unwrap);
    episodes.map(|episode| (episode.id, episode.events)).collect()
}

/// Writes a run's log anew, with other events.
pub(crate) fn rewrite(folder: &Path, name: &str, episodes: &BTreeMap<EpisodeId, Vec<Event>>) {
    let mut lines = Vec::new();
    for (id, events) in episodes {
        let encoder = EventEncoder::new(id);
        for event in events {
            encoder.encode(event, &mut lines).unwrap();
        }
    }
    fs::write(folder.join("logs").join(name).join("events.jsonl"), lines).unwrap();
}
