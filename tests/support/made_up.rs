//! A run that was made up, for tests of the commands that read runs.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Output;

use crate::support::binary::rolecall;
use crate::support::synthetic::{Story, events};
use rolecall::domain::{Ending, Limit, Seat};
use rolecall::log::EventEncoder;

pub(crate) const RECORD: &str = "schema = 1\nname = \"r\"\nseed = 1\nrepeats = 1\nepisodes = 6\n\
    [[cells]]\nname = \"react\"\n[[cells.roles]]\nrole = \"executor\"\n\
    [[cells]]\nname = \"respact\"\n[[cells.roles]]\nrole = \"executor\"\n\
    [[cells.users]]\nkind = \"helpful\"\n";

pub(crate) fn stories() -> Vec<Story> {
    let out = Ending::OutOf { limit: Limit::Steps };
    let helpful = |story| Story { user: Some("helpful"), ..story };
    vec![
        Story::new("react:0:0", "put", Ending::Solved),
        Story { actions: 9, ..Story::new("react:1:0", "heat", out.clone()) },
        Story::new("react:2:0", "put", Ending::Broken { by: Seat::User }),
        helpful(Story { questions: 2, ..Story::new("respact:0:0", "put", Ending::Solved) }),
        helpful(Story { questions: 5, invalid: 1, ..Story::new("respact:1:0", "heat", out) }),
        helpful(Story::new("respact:2:0", "put", Ending::UserLeft)),
    ]
}

/// Appends an episode to a run's files, as a run does: events first.
pub(crate) fn append(run: &Path, story: &Story) {
    let (lines, result) = lines(story);
    let open = |name: &str| {
        let mut options = OpenOptions::new();
        options.append(true).create(true).open(run.join(name)).unwrap()
    };
    open("events.jsonl").write_all(&lines).unwrap();
    open("results.jsonl").write_all(&result).unwrap();
}

pub(crate) fn lines(story: &Story) -> (Vec<u8>, Vec<u8>) {
    let episode = rolecall::log::RecordedEpisode { id: story.id.clone(), events: events(story) };
    let encoder = EventEncoder::new(&story.id);
    let (mut lines, mut result) = (Vec::new(), Vec::new());
    for event in &episode.events {
        encoder.encode(event, &mut lines).unwrap();
    }
    let metrics: Vec<_> = rolecall::worlds().metrics.iter().map(|entry| entry.metric as _).collect();
    rolecall::evaluation::measure(&episode.log(), &metrics).encode(&mut result);
    (lines, result)
}

/// A folder with the run `r` below `logs`.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("logs/r");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("run.toml"), RECORD).unwrap();
    stories().iter().for_each(|story| append(&run, story));
    folder
}

pub(crate) fn show(folder: &Path, arguments: &[&str]) -> Output {
    let arguments = [&["show"], arguments].concat();
    rolecall(folder, &arguments).output().unwrap()
}
