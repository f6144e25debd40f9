//! Runs of many episodes, whose results are closed and compressed as their events are.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::edited::Made;
use crate::support::segmented::{append_results, followed_lines, settings};
use rolecall::log::{EVENTS, LogSettings, LogWriter, RESULTS, RUN, RunRecord, Tail};
use tempfile::tempdir;

const MANY: &str = "schema = 2\nname = \"test\"\n";
const PACKED: &str = "results-000001.jsonl.zst";

/// Has a run count as one of many episodes, and leaves nothing of it uncompressed.
fn compacted() -> Made {
    let made = Made::new();
    let record = made.read(RUN).replacen("schema = 1", "schema = 2", 1);
    made.write(RUN, record);
    made.told(&["logs", "compact", "made"], 0);
    assert_eq!((made.read(EVENTS), made.read(RESULTS)), Default::default());
    assert!(made.path(PACKED).exists());
    made
}

/// The lines of all results, in order of their text.
fn lines(folder: &Path) -> Vec<String> {
    let all = followed_lines(&mut Tail::results(folder)).concat();
    sorted(String::from_utf8(all).unwrap().lines())
}

fn sorted<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = lines.map(str::to_owned).collect();
    all.sort_unstable();
    all
}

#[test]
fn readers_see_every_result_once_while_segments_are_closed_under_them() {
    let folder = tempdir().unwrap();
    let run = folder.path().join("run");
    let settings = LogSettings { many: true, ..settings(400) };
    let line = |number| format!("{{\"number\":{number}}}\n").into_bytes();
    let results: Vec<Vec<u8>> = (0..500).map(line).collect();
    let writer = LogWriter::create(&run, MANY, &settings).unwrap();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            let (mut tail, mut seen) = (Tail::results(&run), Vec::new());
            loop {
                let last = over.load(Ordering::Acquire);
                seen.extend(followed_lines(&mut tail));
                if last {
                    return seen;
                }
            }
        });
        append_results(&writer, results.clone());
        over.store(true, Ordering::Release);
        assert_eq!(follower.join().unwrap().concat(), results.concat());
    });
    writer.close().unwrap();
    // Nothing is left as it was written, and everything is there.
    assert_eq!(fs::read(run.join(RESULTS)).unwrap(), b"");
    assert!(run.join("results-000009.jsonl.zst").exists());
    assert!(!run.join("results-000001.jsonl").exists());
    let all = followed_lines(&mut Tail::results(&run));
    assert_eq!(all.concat(), results.concat());
}

#[test]
fn every_command_reads_results_that_are_compressed() {
    let plain = Made::new();
    let made = compacted();
    made.check_whole();
    for command in [
        &["show", "made", "--json"][..],
        &["show", "made", "--follow"],
        &["report", "made", "--json"],
        &["compare", "made", "made", "--json"],
        &["analyse", "made"],
    ] {
        let code = if command[0] == "compare" { 2 } else { 0 };
        // Those that follow say it in the order in which episodes closed.
        let told = |made: &Made| sorted(made.told(command, code).lines());
        assert_eq!(told(&made), told(&plain));
    }
    let results = lines(&made.path(""));
    // Nothing is left to play, and nothing becomes another.
    made.resume(0);
    assert_eq!(lines(&made.path("")), results);
    assert!(RunRecord::read(&made.path("")).unwrap().has_many());
    let told = made.told(&["report", "made", "--html", &made.path(PACKED).display().to_string()], 2);
    assert!(told.contains("belongs to the log"), "{told}");
}

#[test]
fn compressed_results_that_were_changed_are_believed_by_nobody_and_written_again() {
    let made = compacted();
    let results = lines(&made.path(""));
    let unpacked = zstd::decode_all(fs::File::open(made.path(PACKED)).unwrap()).unwrap();
    let text = String::from_utf8(unpacked).unwrap();
    let edited = text.replacen("\"success\":true", "\"success\":false", 1);
    fs::remove_file(made.path(PACKED)).unwrap();
    made.write("results-000001.jsonl", edited);
    let told = made.told(&["show", "made", "--json"], 0);
    assert!(told.contains("results-000001.jsonl` line 1"), "{told}");
    let told = made.verify(1);
    assert!(told.contains("`results-000001.jsonl` line 1: `main:"), "{told}");
    let told = made.resume(0);
    assert!(told.contains("`results-000001.jsonl` line 1"), "{told}");
    assert_eq!(lines(&made.path("")), results);
    made.check_whole();
    // One that is gone takes its results along, which the events give again.
    fs::remove_file(made.path(PACKED)).unwrap();
    made.resume(0);
    assert_eq!(lines(&made.path("")), results);
    made.check_whole();
}
