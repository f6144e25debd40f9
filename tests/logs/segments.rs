//! Events in closed and compressed segments: written, and read while they are closed.

use std::fs::{self, File};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::segmented::{
    RUN_TOML, append, canonical, check, followed, mixed, packed, plain, segments, settings, story, written,
};
use crate::support::synthetic::{events, id};
use rolecall::log::{
    Check, EVENTS, INDEX, LogWriter, RUN, Repair, RunFolder, RunLog, Tail, Verified, is_running, verify,
};
use tempfile::tempdir;

#[test]
fn a_run_in_many_segments_is_the_same_run() {
    let lines = mixed(0..40);
    let (_one, whole) = written(lines.clone(), u64::MAX);
    let (_other, run) = written(lines.clone(), 8_000);
    assert!(segments(&run) > 10, "{}", segments(&run));
    assert!(!packed(&whole, 1).exists() && !is_running(&run));
    check(&whole, &lines);
    check(&run, &lines);
    let one = canonical(&RunLog::open(&whole).unwrap());
    assert_eq!(one, canonical(&RunLog::open(&run).unwrap()));
    // An ordinary program reads them as well.
    let mut all = Vec::new();
    for number in 1..=segments(&run) {
        all.extend(zstd::decode_all(File::open(packed(&run, number)).unwrap()).unwrap());
        assert!(!plain(&run, number).exists());
    }
    all.extend(fs::read(run.join(EVENTS)).unwrap());
    assert_eq!(all, lines.concat());
}

#[test]
fn some_episodes_are_read_in_the_order_that_is_asked_for() {
    let (_folder, run) = written(mixed(0..40), 8_000);
    let log = RunLog::open(&run).unwrap();
    let mut ids: Vec<_> = log.ids().step_by(3).cloned().collect();
    ids.reverse();
    ids.push(ids[0].clone());
    let read = log.episodes_of(&ids).unwrap();
    assert_eq!(read.len(), ids.len());
    for (id, episode) in ids.iter().zip(read) {
        assert_eq!(episode.unwrap(), log.episode(id).unwrap());
    }
    let unknown = [ids[0].clone(), id("main:99:0")];
    let error = log.episodes_of(&unknown).err().unwrap().to_string();
    assert!(error.contains("main:99:0"), "{error}");
}

#[test]
fn readers_see_every_line_once_while_segments_are_closed_under_them() {
    let lines = mixed(0..80);
    let folder = tempdir().unwrap();
    let run = folder.path().join("run");
    let writer = LogWriter::create(&run, RUN_TOML, &settings(6_000)).unwrap();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let followers = [0; 2].map(|_| {
            scope.spawn(|| {
                let mut tail = Tail::events(&run);
                let mut seen = Vec::new();
                loop {
                    let last = over.load(Ordering::Acquire);
                    seen.extend(followed(&mut tail));
                    if last {
                        return seen;
                    }
                }
            })
        });
        let openers = scope.spawn(|| {
            let mut opened = Vec::new();
            while !over.load(Ordering::Acquire) {
                opened.push(RunLog::open(&run).unwrap());
            }
            opened
        });
        append(&writer, lines.clone());
        over.store(true, Ordering::Release);
        for follower in followers {
            assert_eq!(follower.join().unwrap().concat(), lines.concat());
        }
        writer.close().unwrap();
        let opened = openers.join().unwrap();
        // What was opened is still read, whatever has become of the files since.
        let all = canonical(&RunLog::open(&run).unwrap());
        for log in opened.iter().rev().take(20) {
            let own = canonical(log);
            let own_lines = own.split_inclusive(|byte| *byte == b'\n');
            assert_eq!(own_lines.count() as u64, log.event_count());
            assert!(own.len() <= all.len());
        }
    });
    assert!(segments(&run) > 20, "{}", segments(&run));
    check(&run, &lines);
}

#[test]
fn a_run_is_compacted_and_goes_on() {
    let lines = mixed(0..30);
    let (_folder, run) = written(lines.clone(), u64::MAX);
    let mut locked = RunFolder::lock(&run).unwrap();
    assert_eq!(locked.repair().unwrap(), []);
    locked.compact().unwrap();
    assert_eq!((segments(&run), fs::read(run.join(EVENTS)).unwrap()), (1, Vec::new()));
    check(&run, &lines);
    // Once more changes nothing.
    locked.compact().unwrap();
    assert_eq!(segments(&run), 1);
    assert_eq!(RunLog::open(&run).unwrap().unindexed_bytes(), 0);
    let writer = locked.writer(&settings(8_000)).unwrap();
    let more = mixed(30..60);
    append(&writer, more.clone());
    writer.close().unwrap();
    assert!(segments(&run) > 5);
    check(&run, &[lines, more].concat());
}

#[test]
fn a_segment_that_is_missing_or_damaged_is_named() {
    let (_folder, run) = written(mixed(0..20), 5_000);
    let hidden = run.join("hidden");
    fs::rename(packed(&run, 2), &hidden).unwrap();
    let error = RunLog::open(&run).unwrap_err().to_string();
    assert!(error.contains("events-000002.jsonl.zst") && error.contains("missing"), "{error}");
    // Whoever verifies goes on with what is there.
    let missing = |found: &Verified| {
        let mut told = found.problems.iter();
        told.any(|problem| problem.file == "events-000002.jsonl.zst" && problem.check == Check::Files)
    };
    let found = verify(&run).unwrap();
    assert!(missing(&found) && found.lines > 0, "{found:?}");
    let mut bytes = fs::read(&hidden).unwrap();
    bytes[40] ^= 1;
    fs::write(packed(&run, 2), &bytes).unwrap();
    let error = RunLog::open(&run).unwrap_err().to_string();
    assert!(error.contains("events-000002.jsonl.zst") && error.contains("damaged"), "{error}");
    fs::write(packed(&run, 2), &bytes[..bytes.len() - 1]).unwrap();
    let error = RunLog::open(&run).unwrap_err().to_string();
    assert!(error.contains("events-000002.jsonl.zst") && error.contains("`zstd -d`"), "{error}");
    assert!(missing(&verify(&run).unwrap()));
}

/// A last line that was cut off in a file that is closed is no torn tail: more follows.
#[test]
fn a_closed_segment_that_ends_in_the_middle_of_a_line_is_repaired_and_its_gap_is_told() {
    let (_folder, run) = written(mixed(0..6), 5_000);
    let lines = zstd::decode_all(File::open(packed(&run, 1)).unwrap()).unwrap();
    fs::remove_file(packed(&run, 1)).unwrap();
    fs::write(plain(&run, 1), &lines[..lines.len() - 9]).unwrap();
    let error = RunLog::open(&run).unwrap_err().to_string();
    assert!(error.contains("although the file is closed"), "{error}");
    let error = Tail::events(&run);
    let mut error = error;
    let failed = std::iter::from_fn(|| error.grown().map(|chunk| chunk.map(|_| ())).transpose());
    assert!(failed.into_iter().any(|grown| grown.is_err()));
    let repairs = RunFolder::lock(&run).unwrap().repair().unwrap();
    assert!(matches!(&repairs[..], [Repair::Torn { file, .. }] if file == "events-000001.jsonl"));
    let log = RunLog::open(&run).unwrap();
    let broken = log.episodes().unwrap().filter(Result::is_err).count();
    assert_eq!((broken, log.ids().len()), (1, 6));
}

#[test]
fn an_index_is_used_only_for_the_events_that_it_is_of() {
    let lines = mixed(0..30);
    let (_folder, run) = written(lines.clone(), 12_000);
    let afresh = canonical(&RunLog::open(&run).unwrap());
    let log = RunLog::open(&run).unwrap();
    assert!(log.unindexed_bytes() == lines.concat().len() as u64);
    log.write_index().unwrap();
    let index = fs::read(run.join(INDEX)).unwrap();
    let used = || RunLog::open(&run).unwrap().unindexed_bytes() == 0;
    assert!(used());
    check(&run, &lines);
    // Damaged anywhere, it is not used, and nothing else changes.
    for place in (0..index.len()).step_by(97) {
        let mut bad = index.clone();
        bad[place] ^= 0x20;
        fs::write(run.join(INDEX), &bad).unwrap();
        let log = RunLog::open(&run).unwrap();
        assert_eq!(canonical(&log), afresh, "{place}");
        fs::write(run.join(INDEX), &index[..place]).unwrap();
        assert_eq!(canonical(&RunLog::open(&run).unwrap()), afresh, "{place}");
    }
    fs::write(run.join(INDEX), &index).unwrap();
    // A change of the tail that leaves its length is found out.
    let tail = fs::read_to_string(run.join(EVENTS)).unwrap();
    fs::write(run.join(EVENTS), tail.replacen("\"main:2", "\"main:9", 1)).unwrap();
    assert!(!used());
    // One that is behind is used as far as it goes, also if the rest was closed meanwhile.
    fs::write(run.join(EVENTS), &tail).unwrap();
    let writer = RunFolder::lock(&run).unwrap().writer(&settings(12_000)).unwrap();
    let more = mixed(30..50);
    append(&writer, more.clone());
    writer.close().unwrap();
    assert_eq!(RunLog::open(&run).unwrap().unindexed_bytes(), more.concat().len() as u64);
    check(&run, &[lines, more].concat());
    let repairs = RunFolder::lock(&run).unwrap().repair().unwrap();
    assert_eq!(repairs, [Repair::Index]);
    assert!(used());
}

#[test]
fn an_index_of_a_run_whose_last_line_is_not_whole_is_not_written() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(RUN), RUN_TOML).unwrap();
    let lines = mixed(0..2).concat();
    fs::write(folder.path().join(EVENTS), &lines[..lines.len() - 1]).unwrap();
    let log = RunLog::open(folder.path()).unwrap();
    assert!(!log.ends_whole());
    log.write_index().unwrap();
    assert!(!folder.path().join(INDEX).exists());
    assert_eq!(log.episode(&id("main:1:0")).unwrap().events, events(&story(1)));
}
