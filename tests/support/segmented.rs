//! Runs whose events are in many segments, and what any reader may expect of them.
#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, unreachable_pub, reason = "runs of tests, shared by several binaries")]

use std::path::{Path, PathBuf};

use rolecall::domain::{Ending, EpisodeId, Event};
use rolecall::log::{Batch, LogSettings, LogWriter, RunLog, Sync, Tail, decode_event, write_canonical};
use tempfile::{TempDir, tempdir};

use crate::support::synthetic::{Story, encode, events};

pub const RUN_TOML: &str = "schema = 1\nname = \"test\"\n";

pub fn story(task: usize) -> Story {
    Story { questions: (task % 4) as u32, ..Story::new(&format!("main:{task}:0"), "put", Ending::Solved) }
}

/// The lines of some episodes that ran side by side, three at a time.
pub fn mixed(tasks: std::ops::Range<usize>) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for start in tasks.clone().step_by(3) {
        let live: Vec<Story> = (start..tasks.end.min(start + 3)).map(story).collect();
        let all: Vec<(EpisodeId, Vec<Event>)> = live.iter().map(|story| (story.id.clone(), events(story))).collect();
        let longest = all.iter().map(|(_, events)| events.len()).max();
        for place in 0..longest.unwrap_or_default() {
            for (id, events) in &all {
                let event = events.get(place..=place).unwrap_or_default();
                lines.push(encode(id, event));
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

pub fn settings(segment_bytes: u64) -> LogSettings {
    LogSettings {
        segment_bytes,
        // Tests do not pull plugs.
        sync: Sync::Off,
        ..LogSettings::default()
    }
}

/// Appends lines, each as a batch of its own that is waited for.
pub fn append(writer: &LogWriter, lines: impl IntoIterator<Item = Vec<u8>>) {
    let handle = writer.handle();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(async {
        for line in lines {
            handle.append_durably(Batch::events(line)).await.unwrap();
        }
    });
}

/// The same with results.
pub fn append_results(writer: &LogWriter, lines: impl IntoIterator<Item = Vec<u8>>) {
    let handle = writer.handle();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(async {
        for result in lines {
            let batch = Batch { result, ..Batch::default() };
            handle.append_durably(batch).await.unwrap();
        }
    });
}

pub fn written(lines: Vec<Vec<u8>>, segment_bytes: u64) -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let run = folder.path().join("run");
    let writer = LogWriter::create(&run, RUN_TOML, &settings(segment_bytes)).unwrap();
    append(&writer, lines);
    writer.close().unwrap();
    (folder, run)
}

pub fn plain(run: &Path, number: usize) -> PathBuf {
    run.join(format!("events-{number:06}.jsonl"))
}

pub fn packed(run: &Path, number: usize) -> PathBuf {
    run.join(format!("events-{number:06}.jsonl.zst"))
}

pub fn segments(run: &Path) -> usize {
    (1..).take_while(|number| packed(run, *number).exists()).count()
}

pub fn canonical(run: &RunLog) -> Vec<u8> {
    let mut output = Vec::new();
    write_canonical(run, &mut output).unwrap();
    output
}

/// Every line as a reader that follows gets it.
pub fn followed(tail: &mut Tail) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while let Some(chunk) = tail.grown().unwrap() {
        for (number, line) in chunk.lines() {
            decode_event(chunk.path(), number, line).unwrap();
            all.push([line, b"\n"].concat());
        }
    }
    all
}

/// The same with lines of any kind.
pub fn followed_lines(tail: &mut Tail) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while let Some(chunk) = tail.grown().unwrap() {
        all.extend(chunk.lines().map(|(_, line)| [line, b"\n"].concat()));
    }
    all
}

/// What any reader may expect of a folder whose events are these.
pub fn check(run: &Path, lines: &[Vec<u8>]) {
    assert_eq!(followed(&mut Tail::events(run)).concat(), lines.concat());
    let log = RunLog::open(run).unwrap();
    let afresh = RunLog::open_afresh(run).unwrap();
    assert_eq!(log.event_count(), lines.len() as u64);
    assert_eq!(canonical(&log), canonical(&afresh));
    let ids: Vec<_> = log.ids().cloned().collect();
    assert!(afresh.ids().eq(&ids));
    for id in &ids {
        assert_eq!(log.episode(id).unwrap(), afresh.episode(id).unwrap());
        assert!(log.digest(id).is_some() && log.digest(id) == afresh.digest(id));
    }
}
