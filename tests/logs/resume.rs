//! A run folder that is taken up again: locked, put right, written on.

use std::fs;
use std::path::Path;

use crate::support::synthetic::{Story, encode, events, id, write_run};
use rolecall::domain::Ending;
use rolecall::log::{
    Batch, Digest, EVENTS, LogError, LogSettings, LogWriter, RESULTS, RUN, RUNNING, Repair, RunFolder, RunLog, TIMINGS,
    is_running,
};
use tempfile::{TempDir, tempdir};

const RUN_TOML: &str = "schema = 1\nname = \"test\"\n";

fn story(name: &str) -> Story {
    Story::new(name, "put", Ending::Solved)
}

fn batch(story: &Story) -> Batch {
    let lines = encode(&story.id, &events(story));
    let digest = digest(&lines);
    Batch {
        events: lines,
        result: format!("{{\"episode\":\"{}\"}}\n", story.id).into_bytes(),
        timing: format!("{{\"schema\":1,\"episode\":\"{}\",\"wall_ms\":1,\"digest\":\"{digest}\"}}\n", story.id)
            .into_bytes(),
    }
}

fn digest(lines: &[u8]) -> Digest {
    let mut digest = Digest::default();
    lines.split_inclusive(|byte| *byte == b'\n').for_each(|line| digest.add(line));
    digest
}

fn run() -> TempDir {
    let folder = tempdir().unwrap();
    let batches = ["main:0:0", "main:1:0"].map(|name| batch(&story(name)));
    write_run(&folder.path().join("run"), RUN_TOML, batches.into());
    folder
}

fn append(writer: &LogWriter, batches: impl IntoIterator<Item = Batch>) {
    let handle = writer.handle();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(async {
        for batch in batches {
            handle.append(batch).await.unwrap();
        }
    });
}

fn cut(path: &Path, bytes: u64) {
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() - bytes).unwrap();
}

#[test]
fn what_follows_stands_behind_what_was_there() {
    let folder = run();
    let run = folder.path().join("run");
    for (name, bytes) in [(EVENTS, 5), (RESULTS, 1), (TIMINGS, 30)] {
        cut(&run.join(name), bytes);
    }
    fs::write(run.join("results.jsonl.part"), "x").unwrap();
    fs::write(run.join(RUNNING), "123\n").unwrap();
    let mut locked = RunFolder::lock(&run).unwrap();
    let repairs: Vec<String> = locked.repair().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(repairs.len(), 4, "{repairs:?}");
    assert!(repairs[0].contains("results.jsonl.part"), "{repairs:?}");
    assert!(repairs[1].contains("`events.jsonl`"), "{repairs:?}");
    assert!(repairs[2].contains("`results.jsonl`"));
    assert_eq!(locked.repair().unwrap(), []);
    locked.replace_results(b"{\"episode\":\"main:0:0\"}\n").unwrap();
    locked.replace_record("schema = 1\nname = \"other\"\n").unwrap();
    assert!(is_running(&run));
    let writer = locked.writer(&LogSettings::default()).unwrap();
    let whole = events(&story("main:1:0"));
    let last = encode(&id("main:1:0"), &whole[whole.len() - 1..]);
    append(&writer, [Batch::events(last), batch(&story("main:2:0"))]);
    assert!(is_running(&run));
    writer.close().unwrap();
    assert!(!is_running(&run));
    let log = RunLog::open(&run).unwrap();
    assert_eq!(log.record().name, "other");
    assert_eq!(log.ids().len(), 3);
    for name in ["main:0:0", "main:1:0", "main:2:0"] {
        let written = events(&story(name));
        assert_eq!(log.episode(&id(name)).unwrap().events, written);
        let expected = digest(&encode(&id(name), &written));
        assert_eq!(log.digest(&id(name)), Some(expected));
        let recorded = (name != "main:1:0").then_some(expected);
        assert_eq!(log.recorded_digest(&id(name)), recorded);
    }
    let results = fs::read_to_string(run.join(RESULTS)).unwrap();
    assert_eq!(results.lines().count(), 2);
}

#[test]
fn nobody_else_can_take_a_run_that_is_being_written() {
    let folder = tempdir().unwrap();
    let run = folder.path().join("run");
    let writer = LogWriter::create(&run, RUN_TOML, &LogSettings::default()).unwrap();
    let error = RunFolder::lock(&run).unwrap_err();
    let number = std::process::id();
    assert!(matches!(&error, LogError::Busy { process, .. } if *process == Some(number)));
    assert!(error.to_string().contains(&number.to_string()), "{error}");
    writer.close().unwrap();
    let locked = RunFolder::lock(&run).unwrap();
    assert!(matches!(RunFolder::lock(&run), Err(LogError::Busy { .. })));
    drop(locked);
    assert!(!run.join(RUNNING).exists());
}

#[test]
fn what_is_no_run_is_not_taken() {
    let folder = tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("none")] {
        let error = RunFolder::lock(&path).unwrap_err();
        assert!(matches!(error, LogError::NoRun { .. }), "{error}");
        assert!(!path.join(RUNNING).exists());
    }
}

#[test]
fn a_run_that_was_killed_at_once_is_begun_and_one_that_lost_its_events_is_not() {
    let folder = tempdir().unwrap();
    let run = folder.path().join("run");
    fs::create_dir(&run).unwrap();
    fs::write(run.join(RUN), RUN_TOML).unwrap();
    let repairs = RunFolder::lock(&run).unwrap().repair().unwrap();
    let missing = |repair: &Repair| matches!(repair, Repair::Missing { .. });
    assert!(repairs.len() == 3 && repairs.iter().all(missing));
    fs::write(run.join(RESULTS), "{}\n").unwrap();
    fs::remove_file(run.join(EVENTS)).unwrap();
    let error = RunFolder::lock(&run).unwrap().repair().unwrap_err();
    assert!(error.to_string().contains("it is missing"), "{error}");
}

#[test]
fn the_digest_of_what_lacks_its_newline_is_that_of_the_whole_line() {
    let folder = run();
    let run = folder.path().join("run");
    let before = RunLog::open(&run).unwrap().digest(&id("main:1:0"));
    cut(&run.join(EVENTS), 1);
    assert_eq!(RunLog::open(&run).unwrap().digest(&id("main:1:0")), before);
    cut(&run.join(EVENTS), 1);
    assert_ne!(RunLog::open(&run).unwrap().digest(&id("main:1:0")), before);
}

/// The record of a run that is whole: its last key is the list of files.
const WHOLE: &str = "schema = 1\nname = \"test\"\n[[files]]\nkind = \"config\"\npath = \"a\"\n";

#[test]
fn a_folder_in_which_nothing_was_begun_is_taken_over_and_no_other() {
    let begun = |name: &str, content: &[u8]| {
        let folder = tempdir().unwrap();
        let run = folder.path().join("run");
        fs::create_dir(&run).unwrap();
        fs::write(run.join(RUNNING), "123\n").unwrap();
        if !name.is_empty() {
            fs::write(run.join(name), content).unwrap();
        }
        let made = LogWriter::create(&run, WHOLE, &LogSettings::default());
        let left = fs::read_to_string(run.join(RUN)).ok();
        (made.map(drop), left)
    };
    for end in 0..WHOLE.find("[[files]]").unwrap() {
        let (made, left) = begun(RUN, &WHOLE.as_bytes()[..end]);
        assert_eq!(made, Ok(()), "{end}");
        assert_eq!(left.as_deref(), Some(WHOLE), "{end}");
    }
    let part = "run.toml.part";
    let torn = "name = \"caf\u{e9}";
    for (name, content) in [
        ("", &b""[..]),
        (part, b"sche"),
        (EVENTS, b""),
        ("trace.log", b"x"),
        // A kill does not look where a letter ends.
        (RUN, &torn.as_bytes()[..torn.len() - 1]),
    ] {
        assert_eq!(begun(name, content).0, Ok(()), "{name}");
    }
    for (name, content) in [(RUN, WHOLE), (EVENTS, "{"), ("notes.txt", ""), (RESULTS, "x")] {
        let (made, left) = begun(name, content.as_bytes());
        assert!(matches!(made, Err(LogError::FolderExists { .. })), "{name}: {made:?}");
        assert_eq!(left.as_deref(), (name == RUN).then_some(WHOLE), "{name}");
    }
}

#[test]
fn a_run_that_never_began_is_told_from_one_that_cannot_be_read() {
    let folder = tempdir().unwrap();
    let run = folder.path().join("run");
    fs::create_dir(&run).unwrap();
    fs::write(run.join(RUNNING), "123\n").unwrap();
    let unbegun = LogError::NotBegun { folder: run.clone() };
    assert_eq!(RunFolder::lock(&run).unwrap_err(), unbegun);
    fs::write(run.join(RUN), "schema = 1\nna").unwrap();
    let torn = RunLog::open(&run).unwrap_err().to_string();
    assert!(torn.contains("run.toml` cannot be used: not TOML: line 2"), "{torn}");
    assert!(torn.contains("give the command again"), "{torn}");
    fs::write(run.join(EVENTS), "{}\n").unwrap();
    let damaged = RunLog::open(&run).unwrap_err().to_string();
    assert!(damaged.contains("not TOML") && !damaged.contains("again"), "{damaged}");
}

#[test]
fn a_folder_that_another_process_begins_in_is_not_taken_over() {
    let folder = tempdir().unwrap();
    let run = folder.path().join("run");
    fs::create_dir(&run).unwrap();
    let held = fs::File::create(run.join(RUNNING)).unwrap();
    held.lock().unwrap();
    let made = LogWriter::create(&run, WHOLE, &LogSettings::default());
    let error = made.map(drop).unwrap_err();
    assert!(matches!(error, LogError::FolderExists { .. }), "{error}");
    assert!(!run.join(RUN).exists());
    // It is about to begin: nobody is told that it never will.
    let locked = RunFolder::lock(&run).unwrap_err();
    assert!(matches!(locked, LogError::Busy { .. }), "{locked}");
}
