//! What a crash may leave of a run whose events are in segments, in every state that there is.

use std::fs::{self, File};
use std::path::Path;

use crate::support::segmented::{append, canonical, check, mixed, packed, plain, segments, settings, written};
use proptest::prelude::*;
use proptest::sample::select;
use rolecall::log::{EVENTS, INDEX, Repair, RunFolder, RunLog};

/// How a crash may leave one closed segment.
#[derive(Clone, Copy, Debug)]
enum Left {
    Plain,
    PlainAndPart,
    PlainAndPacked,
    PlainAndHalf,
    Packed,
}

/// How it may leave `events.jsonl`.
#[derive(Clone, Copy, Debug)]
enum LeftTail {
    Missing,
    Empty,
    Whole,
    WithoutNewline,
    Torn(usize),
}

fn left() -> impl Strategy<Value = Left> {
    select(vec![Left::Plain, Left::PlainAndPart, Left::PlainAndPacked, Left::PlainAndHalf, Left::Packed])
}

fn left_tail() -> impl Strategy<Value = LeftTail> {
    prop_oneof![
        select(vec![LeftTail::Missing, LeftTail::Empty, LeftTail::Whole, LeftTail::WithoutNewline]),
        (1..150_usize).prop_map(LeftTail::Torn),
    ]
}

/// Brings a run of whole segments into the state; gives the lines that are whole then.
fn leave(run: &Path, states: &[Left], tail: LeftTail, part: usize) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for number in 1..=segments(run) {
        let (plain, packed) = (plain(run, number), packed(run, number));
        let lines = zstd::decode_all(File::open(&packed).unwrap()).unwrap();
        let whole = fs::read(&packed).unwrap();
        let half = &whole[..whole.len() * part / 100];
        let state = states[number % states.len()];
        if !matches!(state, Left::Packed) {
            fs::write(&plain, &lines).unwrap();
        }
        match state {
            Left::Plain => fs::remove_file(&packed).unwrap(),
            Left::PlainAndPart => {
                fs::remove_file(&packed).unwrap();
                fs::write(run.join(format!("events-{number:06}.jsonl.zst.part")), half).unwrap();
            }
            Left::PlainAndHalf => fs::write(&packed, half).unwrap(),
            Left::PlainAndPacked | Left::Packed => {}
        }
        all.extend(lines.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec));
    }
    let path = run.join(EVENTS);
    let lines = fs::read(&path).unwrap();
    let mut lines: Vec<Vec<u8>> = lines.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let content = match tail {
        LeftTail::Missing | LeftTail::Empty => {
            lines.clear();
            Vec::new()
        }
        LeftTail::Whole => lines.concat(),
        LeftTail::WithoutNewline => {
            let mut content = lines.concat();
            content.pop();
            content
        }
        LeftTail::Torn(bytes) => {
            let last = lines.pop().unwrap_or_default();
            let kept = bytes.min(last.len().saturating_sub(2));
            [lines.concat(), last[..kept].to_vec()].concat()
        }
    };
    fs::write(&path, content).unwrap();
    if matches!(tail, LeftTail::Missing) {
        fs::remove_file(&path).unwrap();
    }
    all.extend(lines);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn whatever_a_crash_leaves_nothing_is_lost_and_nothing_is_double(
        states in proptest::collection::vec(left(), 1..6),
        tail in left_tail(),
        part in 0..100_usize,
        indexed in 0..4_usize,
        segment_bytes in 10_000..30_000_u64,
    ) {
        let lines = mixed(0..12);
        let (_folder, run) = written(lines, segment_bytes);
        if indexed > 0 {
            RunLog::open(&run).unwrap().write_index().unwrap();
        }
        let whole = leave(&run, &states, tail, part);
        if indexed > 1 {
            // Of what was, not of what is; or not whole itself.
            let index = fs::read(run.join(INDEX)).unwrap();
            fs::write(run.join(format!("{INDEX}.77.part")), &index[..indexed]).unwrap();
            if indexed == 3 {
                fs::write(run.join(INDEX), &index[..index.len() * part / 100]).unwrap();
            }
        }
        // Readers do not need the repair.
        prop_assert_eq!(canonical(&RunLog::open(&run).unwrap()).len(), whole.concat().len());
        let mut locked = RunFolder::lock(&run).unwrap();
        locked.repair().unwrap();
        prop_assert_eq!(locked.repair().unwrap(), Vec::<Repair>::new());
        check(&run, &whole);
        let writer = locked.writer(&settings(segment_bytes)).unwrap();
        let more = mixed(12..20);
        append(&writer, more.clone());
        writer.close().unwrap();
        check(&run, &[whole, more].concat());
        for number in 1..=segments(&run) {
            prop_assert!(!plain(&run, number).exists());
        }
        let names = fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().file_name());
        prop_assert!(names.into_iter().all(|name| !name.to_str().unwrap().ends_with(".part")));
    }
}
