//! Event lines and the writer: how fast events become bytes on the disk.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench may stop at once, and criterion writes items"
)]

#[path = "../tests/synthetic/mod.rs"]
mod synthetic;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rolecall::domain::Ending;
use rolecall::log::{Batch, EventEncoder, LogWriter, decode_event};
use synthetic::{Story, encode, events};

fn story() -> Story {
    Story {
        questions: 10,
        actions: 30,
        ..Story::new("respact:12:0", "put", Ending::Solved)
    }
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

/// One sender, one batch of three events a turn, as an episode appends them.
fn writer(criterion: &mut Criterion) {
    const TURNS: usize = 20_000;
    let story = story();
    let turn = encode(&story.id, &events(&story)[6..9]);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut group = criterion.benchmark_group("log/writer");
    group.sample_size(10);
    for durable in [false, true] {
        let turns = if durable { TURNS / 20 } else { TURNS };
        group.throughput(Throughput::Elements(3 * turns as u64));
        let name = if durable { "append_durably" } else { "append" };
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || {
                    let folder = tempfile::tempdir().unwrap();
                    let writer = LogWriter::create(&folder.path().join("run"), "").unwrap();
                    (folder, writer)
                },
                |(folder, writer)| {
                    let handle = writer.handle();
                    runtime.block_on(async {
                        for _ in 0..turns {
                            let batch = Batch::events(turn.clone());
                            let appended = if durable {
                                handle.append_durably(batch).await
                            } else {
                                handle.append(batch).await
                            };
                            appended.unwrap();
                        }
                    });
                    writer.close().unwrap();
                    folder
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, lines, writer);
criterion_main!(benches);
