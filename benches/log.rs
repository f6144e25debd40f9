//! Event lines and the writer: how fast events become bytes on the disk.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench may stop at once, and criterion writes items"
)]

mod measure;
#[path = "../tests/support/synthetic.rs"]
mod synthetic;

use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput, criterion_group};
use measure::{measured, row};
use rolecall::domain::Ending;
use rolecall::log::{
    Batch, EventEncoder, INDEX, LogSettings, LogWriter, RunFolder, RunLog, Sync, decode_event, is_events_file,
};
use synthetic::{Story, encode, events};

fn story() -> Story {
    Story { questions: 10, actions: 30, ..Story::new("respact:12:0", "put", Ending::Solved) }
}

fn lines(criterion: &mut Criterion) {
    let story = story();
    let events = events(&story);
    let mut group = criterion.benchmark_group("log/line");
    group.throughput(Throughput::Elements(events.len() as u64));
    group.bench_function("encode", |bencher| {
        let encoder = EventEncoder::new(&story.id);
        let mut lines = Vec::with_capacity(1 << 16);
        bencher.iter(|| {
            lines.clear();
            for event in &events {
                encoder.encode(event, &mut lines).unwrap();
            }
            lines.len()
        });
    });
    let encoded = encode(&story.id, &events);
    group.bench_function("decode", |bencher| {
        let path = std::path::Path::new("events.jsonl");
        bencher.iter(|| {
            let lines = encoded.split(|byte| *byte == b'\n');
            for line in lines.filter(|line| !line.is_empty()) {
                std::hint::black_box(decode_event(path, 1, line).unwrap());
            }
        });
    });
    group.finish();
}

/// One sender, one batch of three events a turn, as an episode appends them; every tenth ends one.
fn writer(criterion: &mut Criterion) {
    const TURNS: usize = 20_000;
    let story = story();
    let turn = encode(&story.id, &events(&story)[6..9]);
    let mut group = criterion.benchmark_group("log/writer");
    group.sample_size(10);
    let settings = |sync| LogSettings { sync, ..LogSettings::default() };
    for (name, settings, durable) in [
        ("append", settings(Sync::EveryEpisode), false),
        ("append_durably", settings(Sync::EveryEpisode), true),
        ("append_durably, sync off", settings(Sync::Off), true),
        ("append_durably, sync every event", settings(Sync::EveryEvent), true),
    ] {
        let turns = match (durable, settings.sync) {
            (true, Sync::EveryEvent) => TURNS / 200,
            (true, _) => TURNS / 20,
            (false, _) => TURNS,
        };
        group.throughput(Throughput::Elements(3 * turns as u64));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || {
                    let folder = tempfile::tempdir().unwrap();
                    let run = folder.path().join("run");
                    (LogWriter::create(&run, "", &settings).unwrap(), folder)
                },
                |(writer, folder)| {
                    append(&writer, turns, &turn, durable);
                    writer.close().unwrap();
                    folder
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn append(writer: &LogWriter, turns: usize, turn: &[u8], durable: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let handle = writer.handle();
    runtime.block_on(async {
        for number in 0..turns {
            let mut batch = Batch::events(turn.to_vec());
            if number % 10 == 9 {
                batch.result = b"{}\n".to_vec();
            }
            let appended = if durable { handle.append_durably(batch).await } else { handle.append(batch).await };
            appended.unwrap();
        }
    });
}

/// Processor time of all threads that an event costs, by how the log is written.
fn cost() {
    const TURNS: usize = 500_000;
    let story = story();
    let turn = encode(&story.id, &events(&story)[6..9]);
    let usual = LogSettings::default().segment_bytes;
    for (what, sync, segment_bytes) in [
        ("sync off, one file", Sync::Off, u64::MAX),
        ("every episode, one file", Sync::EveryEpisode, u64::MAX),
        ("every event, one file", Sync::EveryEvent, u64::MAX),
        ("every episode, compressed", Sync::EveryEpisode, usual),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let settings = LogSettings { sync, segment_bytes, ..LogSettings::default() };
        let writer = LogWriter::create(&folder.path().join("run"), "", &settings).unwrap();
        let (_, spent) = measured(|| {
            append(&writer, TURNS, &turn, false);
            writer.close().unwrap();
        });
        let microseconds = 1e6 * spent.processor / (3 * TURNS) as f64;
        row(&format!("an event written: {what}"), microseconds, "us");
    }
}

/// A run of 100,000 episodes that ran 64 at a time: what it takes on the disk, and the processor time
/// that it takes to write and to open.
fn large_run() {
    const EPISODES: usize = 100_000;
    const LIVE: usize = 64;
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let settings = LogSettings::default();
    let writer = LogWriter::create(&run, "schema = 1\n", &settings).unwrap();
    let batches: Vec<Vec<Batch>> = (0..EPISODES.div_ceil(LIVE)).map(|group| side_by_side(group * LIVE, LIVE)).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let events = batches.iter().flatten().map(|batch| batch.events.len());
    let bytes: usize = events.sum();
    let handle = writer.handle();
    let (_, spent) = measured(|| {
        runtime.block_on(async {
            for batch in batches.into_iter().flatten() {
                handle.append(batch).await.unwrap();
            }
        });
        writer.close().unwrap();
    });
    row("written: megabytes of events", bytes as f64 / 1e6, "MB");
    row("  by the clock", spent.wall, "s");
    row("  processor time, compression included", spent.processor, "s");
    row("  on the disk, the last file as it is", on_disk(&run), "MB");
    read_large(&run);
}

/// What it takes to read it.
fn read_large(run: &Path) {
    open("segments, no index", run);
    let log = RunLog::open(run).unwrap();
    row("  events", log.event_count() as f64, "");
    let (_, spent) = measured(|| log.write_index().unwrap());
    row("index written", 1e3 * spent.processor, "ms");
    let index = std::fs::metadata(run.join(INDEX)).unwrap().len();
    row("  bytes", index as f64, "");
    open("segments and index", run);
    let (_, spent) = measured(|| {
        for episode in log.episodes().unwrap() {
            std::hint::black_box(episode.unwrap());
        }
    });
    row("all episodes read", spent.processor, "s");
    let ids: Vec<_> = log.ids().step_by(1009).collect();
    let (_, spent) = measured(|| {
        for id in &ids {
            std::hint::black_box(log.episode(id).unwrap());
        }
    });
    row("one episode read", 1e3 * spent.processor / ids.len() as f64, "ms");
    let (_, spent) = measured(|| RunFolder::lock(run).unwrap().compact().unwrap());
    row("compacted", spent.processor, "s");
    row("  on the disk", on_disk(run), "MB");
    open("compacted, with index", run);
}

/// The batches of some episodes, one a turn of each.
fn side_by_side(first: usize, count: usize) -> Vec<Batch> {
    let stories = (first..first + count).map(|task| Story {
        questions: (task % 5) as u32,
        actions: 2 + (task % 7) as u32,
        ..Story::new(&format!("respact:{task}:0"), "put", Ending::Solved)
    });
    let all: Vec<_> = stories.map(|story| (events(&story), story.id)).collect();
    let longest = all.iter().map(|(events, _)| events.len()).max().unwrap();
    let mut batches = Vec::new();
    for turn in (0..longest).step_by(3) {
        for (events, id) in &all {
            let some = events.iter().skip(turn).take(3).cloned();
            let lines = encode(id, &some.collect::<Vec<_>>());
            if !lines.is_empty() {
                batches.push(Batch::events(lines));
            }
        }
    }
    batches
}

fn on_disk(run: &Path) -> f64 {
    let files = std::fs::read_dir(run).unwrap().map(Result::unwrap);
    let events = files.filter(|file| is_events_file(file.file_name().to_str().unwrap()));
    let bytes: u64 = events.map(|file| file.metadata().unwrap().len()).sum();
    bytes as f64 / 1e6
}

fn open(what: &str, run: &Path) {
    const TIMES: u32 = 10;
    let (_, spent) = measured(|| {
        for _ in 0..TIMES {
            std::hint::black_box(RunLog::open(run).unwrap());
        }
    });
    let milliseconds = 1e3 * spent.processor / f64::from(TIMES);
    row(&format!("opened: {what}"), milliseconds, "ms");
}

criterion_group!(benches, lines, writer);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    let mut arguments = std::env::args().skip(1);
    // Not if somebody chooses among the benches.
    if arguments.all(|argument| argument == "--bench") && measure::is_possible() {
        cost();
        large_run();
    }
}
