//! The writer on disks that are full, slow or lose what was not synced. The tests stay in one file, since
//! they share batches and waits.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::log::Batch;
use crate::log::rotation::Next;
use crate::log::segments::Series;
use crate::log::sink::Flush;

type Written = Arc<Mutex<Vec<u8>>>;

/// A file of a disk that is full after `room` bytes, that takes few bytes at a time and is often
/// interrupted.
struct Poor {
    written: Written,
    room: usize,
    at_a_time: usize,
    calls: usize,
}

impl Write for Poor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(ErrorKind::Interrupted.into());
        }
        let mut written = self.written.lock().unwrap();
        let room = self.room - written.len();
        if room == 0 {
            return Err(ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(room).min(self.at_a_time);
        written.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Poor {
    fn syncing(&self) -> io::Result<Flush> {
        Ok(Box::new(|| Ok(())))
    }
}

struct Setting {
    writer: LogWriter,
    events: Written,
    results: Written,
}

fn poor(room: usize, capacity: usize) -> Setting {
    let sink = |room| {
        let written = Written::default();
        let sink = Poor { written: Arc::clone(&written), room, at_a_time: 7, calls: 0 };
        (Appender::new(Path::new("poor"), sink).unwrap(), written)
    };
    let (events, events_written) = sink(room);
    let (results, results_written) = sink(usize::MAX);
    let (timings, _) = sink(usize::MAX);
    let files = Outputs { events, results, timings };
    Setting {
        writer: LogWriter::start(Path::new("poor"), files, capacity, Sync::Off, rotations(None)).unwrap(),
        events: events_written,
        results: results_written,
    }
}

fn rotations<S>(events: Option<Rotation<S>>) -> Rotations<S> {
    Rotations { each: events.into_iter().collect(), to_the_end: false }
}

fn batch(number: usize) -> Batch {
    Batch {
        events: format!("event {number}\n").into_bytes(),
        result: format!("result {number}\n").into_bytes(),
        timing: Vec::new(),
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

fn lines(written: &Written) -> Vec<String> {
    let bytes = written.lock().unwrap().clone();
    let text = String::from_utf8(bytes).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn short_and_interrupted_writes_lose_nothing() {
    let setting = poor(usize::MAX, 4);
    let handle = setting.writer.handle();
    wait(async {
        for number in 0..500 {
            handle.append(batch(number)).await.unwrap();
        }
    });
    let summary = setting.writer.close().unwrap();
    let expected: Vec<String> = (0..500).map(|number| format!("event {number}")).collect();
    assert_eq!(lines(&setting.events), expected);
    assert_eq!(lines(&setting.results).len(), 500);
    assert_eq!(summary.batches, 500);
    assert_eq!(summary.event_bytes as usize, setting.events.lock().unwrap().len());
    assert!(summary.groups <= 500 && summary.max_depth <= 4, "{summary:?}");
}

#[test]
fn nothing_is_written_after_the_disk_was_full() {
    let setting = poor(100, 4);
    let handle = setting.writer.handle();
    let refused = wait(async {
        let mut refused = 0;
        for number in 0..300 {
            refused += usize::from(handle.append_durably(batch(number)).await.is_err());
        }
        refused
    });
    assert!(refused > 250, "{refused}");
    let failure = handle.failure().unwrap();
    assert!(matches!(&failure, LogError::Write { written, .. } if *written <= 100));
    assert_eq!(setting.writer.close(), Err(failure));
    let events = lines(&setting.events);
    let results = lines(&setting.results);
    assert_eq!(setting.events.lock().unwrap().len(), 100);
    for (number, line) in events[..events.len() - 1].iter().enumerate() {
        assert_eq!(*line, format!("event {number}"));
    }
    assert!(results.len() < events.len(), "a result without its events");
}

#[test]
fn a_durable_append_returns_after_its_write() {
    let setting = poor(usize::MAX, 64);
    let handle = setting.writer.handle();
    wait(async {
        for number in 0..20 {
            handle.append(batch(number)).await.unwrap();
        }
        handle.append_durably(batch(20)).await.unwrap();
    });
    assert_eq!(lines(&setting.events).len(), 21);
    let snapshot = handle.snapshot();
    assert_eq!((snapshot.queued, snapshot.batches), (0, 21));
}

#[test]
fn appenders_wait_for_room_and_all_are_served() {
    let setting = poor(usize::MAX, 1);
    let threads = (0..4).map(|thread| {
        let handle = setting.writer.handle();
        thread::spawn(move || {
            wait(async {
                for number in 0..50 {
                    handle.append(batch(thread * 100 + number)).await.unwrap();
                }
            });
        })
    });
    let threads: Vec<_> = threads.collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    setting.writer.close().unwrap();
    let events = lines(&setting.events);
    assert_eq!(events.len(), 200);
    // Each sender's own batches keep their order.
    for thread in 0..4 {
        let prefix = |line: &&String| line["event ".len()..].parse::<usize>().unwrap() / 100 == thread;
        let lines: Vec<&String> = events.iter().filter(prefix).collect();
        assert!(lines.windows(2).all(|pair| pair[0].len() < pair[1].len() || pair[0] < pair[1]));
    }
}

#[test]
fn a_closed_log_refuses_and_leaves_nobody_waiting() {
    let setting = poor(usize::MAX, 1);
    let handle = setting.writer.handle();
    setting.writer.close().unwrap();
    wait(async {
        assert_eq!(handle.append(batch(0)).await, Err(LogError::Closed));
        assert_eq!(handle.append_durably(batch(0)).await, Err(LogError::Closed));
    });
}

/// A sender that was given a place in the queue and is never polled again must not hold up the end.
#[test]
fn an_abandoned_sender_does_not_hold_up_the_end() {
    let setting = poor(usize::MAX, 1);
    let handle = setting.writer.handle();
    wait(async {
        let mut pending: Vec<_> = (0..8).map(|number| Box::pin(handle.append(batch(number)))).collect();
        for future in &mut pending {
            let _ = futures_util::poll!(future.as_mut());
        }
        setting.writer.close().unwrap();
    });
}

/// The system's own file of a full disk, where there is one.
#[test]
fn a_full_disk_is_said() {
    let full = || OpenOptions::new().write(true).open("/dev/full");
    let Ok(events) = full() else {
        println!("skipped: this system has no /dev/full");
        return;
    };
    let path = Path::new("/dev/full");
    let files = Outputs {
        events: Appender::new(path, events).unwrap(),
        results: Appender::new(path, full().unwrap()).unwrap(),
        timings: Appender::new(path, full().unwrap()).unwrap(),
    };
    let writer = LogWriter::start(path, files, 4, Sync::Off, rotations(None)).unwrap();
    let handle = writer.handle();
    let error = wait(handle.append_durably(batch(0))).unwrap_err();
    assert!(matches!(&error, LogError::Write { written: 0, .. }), "{error}");
    assert_eq!(wait(handle.append(batch(1))), Err(error.clone()));
    assert_eq!(writer.close(), Err(error));
}

/// The thread may be waiting for a batch when the log is closed right after it was appended.
#[test]
fn what_was_appended_just_before_the_end_is_written() {
    for _ in 0..300 {
        let setting = poor(usize::MAX, 8);
        let handle = setting.writer.handle();
        wait(handle.append(batch(1))).unwrap();
        setting.writer.close().unwrap();
        assert_eq!(lines(&setting.events).len(), 1);
    }
}

/// A file whose lines cannot be made to survive the end of the machine after a while.
struct Forgetful {
    turns: Arc<AtomicUsize>,
    most: usize,
}

impl Write for Forgetful {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Forgetful {
    fn syncing(&self) -> io::Result<Flush> {
        let (turns, most) = (Arc::clone(&self.turns), self.most);
        Ok(Box::new(move || {
            if turns.fetch_add(1, Ordering::SeqCst) < most {
                return Ok(());
            }
            Err(io::Error::other("no answer"))
        }))
    }
}

/// A writer that syncs so, and how often its events were synced.
fn forgetful(sync: Sync, most: usize) -> (LogWriter, Arc<AtomicUsize>) {
    let turns = Arc::default();
    let sink = |turns: &Arc<_>, most| {
        let turns = Arc::clone(turns);
        Appender::new(Path::new("forgetful"), Forgetful { turns, most }).unwrap()
    };
    let files = Outputs {
        events: sink(&turns, most),
        results: sink(&Arc::default(), usize::MAX),
        timings: sink(&Arc::default(), usize::MAX),
    };
    let writer = LogWriter::start(Path::new("forgetful"), files, 64, sync, rotations(None));
    (writer.unwrap(), turns)
}

/// Waits until something is so.
fn until(so: impl Fn() -> bool) {
    for _ in 0..2000 {
        if so() {
            return;
        }
        thread::park_timeout(Duration::from_millis(5));
    }
    panic!("it never was");
}

#[test]
fn every_event_is_synced_before_it_is_acknowledged() {
    let (writer, turns) = forgetful(Sync::EveryEvent, 3);
    let handle = writer.handle();
    for number in 1..=3 {
        wait(handle.append_durably(Batch::events(b"x\n".to_vec()))).unwrap();
        assert_eq!(turns.load(Ordering::SeqCst), number);
    }
    let refused = wait(handle.append_durably(Batch::events(b"y\n".to_vec())));
    let error = refused.unwrap_err();
    assert!(error.to_string().contains("no answer"), "{error}");
    assert_eq!(wait(handle.append(batch(5))), Err(error.clone()));
    assert_eq!(writer.close(), Err(error));
}

#[test]
fn the_end_of_an_episode_is_synced_beside_the_writer_and_a_failure_stops_it() {
    let (writer, turns) = forgetful(Sync::EveryEpisode, 1);
    let handle = writer.handle();
    wait(handle.append_durably(batch(1))).unwrap();
    until(|| turns.load(Ordering::SeqCst) == 1);
    wait(handle.append(batch(2))).unwrap();
    until(|| handle.failure().is_some());
    assert!(wait(handle.append(batch(3))).is_err());
    assert!(matches!(writer.close(), Err(LogError::Write { .. })));
}

#[test]
fn what_ends_no_episode_is_synced_after_a_second_and_everything_at_the_end() {
    let (writer, turns) = forgetful(Sync::EveryEpisode, usize::MAX);
    let handle = writer.handle();
    wait(handle.append_durably(Batch::events(b"x\n".to_vec()))).unwrap();
    assert_eq!(turns.load(Ordering::SeqCst), 0);
    until(|| turns.load(Ordering::SeqCst) == 1);
    wait(handle.append_durably(Batch::events(b"x\n".to_vec()))).unwrap();
    writer.close().unwrap();
    assert_eq!(turns.load(Ordering::SeqCst), 2);
    let (writer, turns) = forgetful(Sync::Off, usize::MAX);
    wait(writer.handle().append_durably(batch(1))).unwrap();
    assert_eq!(turns.load(Ordering::SeqCst), 0);
    writer.close().unwrap();
    assert_eq!(turns.load(Ordering::SeqCst), 1);
}

/// A file that takes its time to sync beside the writer, and notes if it was let go meanwhile.
struct Slow(Arc<SlowSync>);

#[derive(Default)]
struct SlowSync {
    /// How often somebody asked how to sync: the writer first, the syncer second.
    asked: AtomicUsize,
    begun: AtomicUsize,
    ended: AtomicUsize,
    closed: AtomicUsize,
    let_go_early: AtomicUsize,
    let_go: AtomicUsize,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Slow {
    fn syncing(&self) -> io::Result<Flush> {
        let beside = self.0.asked.fetch_add(1, Ordering::SeqCst) == 1;
        let slow = Arc::clone(&self.0);
        Ok(Box::new(move || {
            if beside {
                slow.begun.fetch_add(1, Ordering::SeqCst);
                until(|| slow.closed.load(Ordering::SeqCst) == 1);
                // Whoever lets the file go too early does so now.
                thread::park_timeout(Duration::from_millis(20));
                slow.ended.fetch_add(1, Ordering::SeqCst);
            }
            Ok(())
        }))
    }
}

#[test]
fn a_closed_file_is_let_go_only_after_the_syncer_has_done_with_it() {
    let first = Arc::<SlowSync>::default();
    let file = |slow: &Arc<SlowSync>| Slow(Arc::clone(slow));
    let appender = |slow: &Arc<SlowSync>| Appender::new(Path::new("slow"), file(slow)).unwrap();
    let other = || {
        let slow = Arc::<SlowSync>::default();
        slow.closed.store(1, Ordering::SeqCst);
        slow
    };
    let files = Outputs { events: appender(&first), results: appender(&other()), timings: appender(&other()) };
    let slow = Arc::clone(&first);
    let next = move || {
        slow.closed.store(1, Ordering::SeqCst);
        let slow = Arc::clone(&slow);
        let let_go = move || {
            let syncing = slow.begun.load(Ordering::SeqCst) - slow.ended.load(Ordering::SeqCst);
            slow.let_go_early.fetch_add(syncing, Ordering::SeqCst);
            slow.let_go.fetch_add(1, Ordering::SeqCst);
        };
        Ok(Next { file: file(&other()), let_go: Box::new(let_go) })
    };
    let rotation = Some(Rotation::new(Series::Events, 10, 1 << 20, Box::new(next)));
    let path = Path::new("slow");
    let writer = LogWriter::start(path, files, 64, Sync::EveryEpisode, rotations(rotation)).unwrap();
    let handle = writer.handle();
    wait(handle.append_durably(batch(1))).unwrap();
    until(|| first.begun.load(Ordering::SeqCst) == 1);
    wait(handle.append_durably(batch(2))).unwrap();
    writer.close().unwrap();
    let told = |count: &AtomicUsize| count.load(Ordering::SeqCst);
    assert_eq!((told(&first.let_go), told(&first.let_go_early)), (1, 0));
}
