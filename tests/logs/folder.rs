//! A run folder: written by the writer, read back, damaged and read again.

use std::fs;
use std::path::Path;

use crate::support::synthetic::{Story, encode, events, id, write_run};
use proptest::prelude::*;
use rolecall::domain::{Ending, Event};
use rolecall::log::{Batch, EVENTS, LogError, LogSettings, LogWriter, RESULTS, RUN, RunLog, TIMINGS, write_canonical};
use tempfile::tempdir;

const RUN_TOML: &str = "schema = 1\nname = \"test\"\n[[cells]]\nname = \"react\"\n[[cells]]\nname = \"act\"\n";

fn story(name: &str) -> Story {
    Story { questions: 2, ..Story::new(name, "put", Ending::Solved) }
}

/// The canonical log of a folder.
fn canonical(folder: &Path) -> String {
    let mut output = Vec::new();
    write_canonical(&RunLog::open(folder).unwrap(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn run_with(lines: &[u8]) -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(RUN), RUN_TOML).unwrap();
    fs::write(folder.path().join(EVENTS), lines).unwrap();
    folder
}

/// The lines of one episode, some of them replaced.
fn lines_of(events: &[Event]) -> Vec<Vec<u8>> {
    let name = id("react:0:0");
    events.iter().map(|event| encode(&name, std::slice::from_ref(event))).collect()
}

#[test]
fn what_was_written_is_read_back() {
    let folder = tempdir().unwrap();
    let run = folder.path().join("logs/deep/run");
    let stories = ["act:0:0", "react:1:0", "react:0:1", "other:0:0", "react:0:0"].map(story);
    let batches = stories.iter().map(|story| Batch {
        events: encode(&story.id, &events(story)),
        result: b"{}\n".to_vec(),
        timing: b"{}\n".to_vec(),
    });
    write_run(&run, RUN_TOML, batches.collect());
    let log = RunLog::open(&run).unwrap();
    let ids: Vec<String> = log.ids().map(ToString::to_string).collect();
    assert_eq!(ids, ["react:0:0", "react:0:1", "react:1:0", "act:0:0", "other:0:0"]);
    assert_eq!(log.torn(), None);
    assert_eq!(log.record().name, "test");
    for episode in log.episodes().unwrap() {
        let episode = episode.unwrap();
        let story = stories.iter().find(|story| story.id == episode.id).unwrap();
        assert_eq!(episode.events, events(story));
        assert_eq!(log.episode(&episode.id).unwrap(), episode);
    }
    assert_eq!(fs::read_to_string(run.join(RESULTS)).unwrap(), "{}\n".repeat(5));
    assert_eq!(fs::read_to_string(run.join(TIMINGS)).unwrap(), "{}\n".repeat(5));
    assert!(matches!(log.episode(&id("act:9:9")), Err(LogError::NoEpisode(_))));
}

#[test]
fn a_run_is_never_written_over_another() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(EVENTS), "{}\n").unwrap();
    let error = LogWriter::create(folder.path(), "", &LogSettings::default()).err().unwrap();
    assert!(matches!(&error, LogError::FolderExists { .. }), "{error}");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = LogWriter::create(&file.join("run"), "", &LogSettings::default()).err().unwrap();
    assert!(matches!(&error, LogError::File { done: "created", .. }), "{error}");
}

#[test]
fn a_torn_last_line_is_noted_and_left_out() {
    let whole = events(&story("react:0:0"));
    let lines = lines_of(&whole);
    let all: Vec<u8> = lines.concat();
    let last = lines.last().unwrap().len();
    for cut in 2..=last {
        let folder = run_with(&all[..all.len() - cut]);
        let log = RunLog::open(folder.path()).unwrap();
        let torn = log.torn().map(|torn| (torn.line, torn.bytes));
        let expected = (whole.len() as u64, last - cut);
        assert_eq!(torn, (cut < last).then_some(expected));
        let read = log.episode(&id("react:0:0")).unwrap();
        assert_eq!(read.events, whole[..whole.len() - 1]);
    }
    // Only the newline is missing: the event is whole.
    let folder = run_with(&all[..all.len() - 1]);
    let log = RunLog::open(folder.path()).unwrap();
    assert_eq!(log.torn(), None);
    assert_eq!(log.episode(&id("react:0:0")).unwrap().events, whole);
}

#[test]
fn a_bad_line_in_the_middle_is_named() {
    let mut lines = lines_of(&events(&story("react:0:0")));
    lines[3] = b"{\"schema\":1}\n".to_vec();
    let folder = run_with(&lines.concat());
    let error = RunLog::open(folder.path()).unwrap_err();
    assert!(matches!(&error, LogError::Line { line: 4, .. }), "{error}");
    // The index reads heads only; a bad message is found when its episode is read.
    lines[3] = br#"{"schema":1,"episode":"react:0:0","seq":3,"message":7}"#.to_vec();
    lines[3].push(b'\n');
    let folder = run_with(&lines.concat());
    let error = RunLog::open(folder.path()).unwrap().episode(&id("react:0:0"));
    assert!(matches!(error, Err(LogError::Line { line: 4, .. })), "{error:?}");
}

#[test]
fn missing_double_and_backward_events_are_named() {
    let whole = events(&story("react:0:0"));
    let good = events(&story("react:1:0"));
    let read = |changed: &[Event]| {
        let mut lines = encode(&id("react:0:0"), changed);
        lines.extend(encode(&id("react:1:0"), &good));
        let folder = run_with(&lines);
        let log = RunLog::open(folder.path()).unwrap();
        // The neighbour is readable whatever happened to this one.
        assert_eq!(log.episode(&id("react:1:0")).unwrap().events, good);
        log.episode(&id("react:0:0")).unwrap_err()
    };
    let mut gap = whole.clone();
    gap.remove(5);
    let says = |changed: &[Event], expected: &str| {
        let text = read(changed).to_string();
        assert!(text.contains(expected), "{text}");
    };
    says(&gap, "has event 6 where event 5 belongs: events are missing;");
    says(&whole[1..], "has event 1 where event 0 belongs: events are missing;");
    let mut double = whole.clone();
    double.push(whole[2].clone());
    says(&double, "has event 2 twice;");
    let mut backward = whole.clone();
    backward[4].cause = Some(4);
    says(&backward, "event 4 names event 4 as its cause, which is no earlier one;");
}

#[test]
fn a_missing_or_foreign_folder_is_said() {
    let folder = tempdir().unwrap();
    let error = RunLog::open(folder.path()).unwrap_err();
    assert!(matches!(&error, LogError::NoRun { folder: named } if named == folder.path()), "{error}");
    fs::write(folder.path().join(RUN), "schema = 9").unwrap();
    let error = RunLog::open(folder.path()).unwrap_err();
    assert!(matches!(&error, LogError::File { done: "used", .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Episodes run side by side: their lines come mixed, even those of one episode.
    #[test]
    fn the_canonical_log_does_not_depend_on_the_order_of_writing(
        order in Just((0..60_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let stories = ["react:0:0", "act:0:0", "react:10:0", "react:2:1"].map(story);
        let lines: Vec<Vec<u8>> = stories
            .iter()
            .flat_map(|story| events(story).into_iter().map(|event| encode(&story.id, &[event])))
            .collect();
        let straight = run_with(&lines.concat());
        let mixed: Vec<u8> = order
            .iter()
            .chain((60..lines.len()).collect::<Vec<_>>().iter())
            .filter_map(|place| lines.get(*place))
            .flatten()
            .copied()
            .collect();
        let mixed = run_with(&mixed);
        let canonical_log = canonical(straight.path());
        prop_assert_eq!(&canonical_log, &canonical(mixed.path()));
        prop_assert_eq!(canonical_log.lines().count(), lines.len());
        let tasks = ["react:0:0", "react:2:1", "react:10:0", "act:0:0"];
        let places: Vec<_> = tasks.iter().map(|task| canonical_log.find(&format!("\"{task}\""))).collect();
        prop_assert!(places.is_sorted() && places[0].is_some());
    }
}
