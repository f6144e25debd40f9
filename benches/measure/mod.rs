//! What the benches of the runtime read from the operating system, and how they print it.

#![allow(dead_code, reason = "each bench uses a part")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Whether the figures can be read here. They come from `/proc`.
pub(crate) fn is_possible() -> bool {
    let here = Path::new("/proc/self/stat").exists();
    if !here {
        println!("this bench reads /proc, which is not here: nothing measured");
    }
    here
}

/// Time spent on something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    /// Processor time of the whole process, all threads, in seconds.
    pub(crate) processor: f64,
    /// Time by the clock, in seconds.
    pub(crate) wall: f64,
}

/// Does something and says what it cost.
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
pub(crate) fn measured<T>(action: impl FnOnce() -> T) -> (T, Spent) {
    let (processor, wall) = (processor_time(), Instant::now());
    let done = action();
    let spent = Spent { processor: (processor_time() - processor).as_secs_f64(), wall: wall.elapsed().as_secs_f64() };
    (done, spent)
}

/// Runs a program to its end and says what it cost, from its start on, and the most memory that it had resident, in
/// bytes. Fails if it does.
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
pub(crate) fn measured_child(command: &mut Command) -> (Spent, f64) {
    let (processor, wall) = (ticks(OF_CHILDREN), Instant::now());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0.0;
    let done = loop {
        if let Some(done) = child.try_wait().unwrap() {
            break done;
        }
        // A program that has just ended has no memory any more.
        most = field(&status, "VmHWM:").unwrap_or(most);
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(done.success(), "{command:?} ended with {done}");
    let spent = Spent { processor: (ticks(OF_CHILDREN) - processor).as_secs_f64(), wall: wall.elapsed().as_secs_f64() };
    (spent, most)
}

/// The user instructions of a program from start to end, as callgrind counts them; none without valgrind.
pub(crate) fn instructions(program: &Path, arguments: &[String]) -> Option<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let done = command.arg(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{text}");
    let line = text.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// Processor time of this process so far.
fn processor_time() -> Duration {
    ticks(OWN)
}

/// Where `stat` in proc(5) has processor time, behind the name: that of the process, and that of its children
/// that have ended.
const OWN: usize = 11;
const OF_CHILDREN: usize = 13;

/// Two fields of `stat`, in ticks of 10 ms.
fn ticks(first: usize) -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = text.rsplit_once(')').unwrap();
    let ticks: u64 = fields.split_whitespace().skip(first).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

/// Processor time that this thread spends on doing something `times` times, where the system tells
/// (`schedstat` in `/proc`, exact to a tick or so); elsewhere time by the clock.
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
pub(crate) fn repeated<T>(times: u64, mut action: impl FnMut() -> T) -> Duration {
    let (thread, clock) = (thread_time(), Instant::now());
    for _ in 0..times {
        std::hint::black_box(action());
    }
    match (thread, thread_time()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => clock.elapsed(),
    }
}

fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Resident memory of this process, in bytes.
pub(crate) fn resident_bytes() -> f64 {
    status("VmRSS:")
}

/// The most memory that this process has had resident, in bytes.
pub(crate) fn most_resident_bytes() -> f64 {
    status("VmHWM:")
}

/// A line of `/proc/self/status` that gives kilobytes, in bytes.
fn status(name: &str) -> f64 {
    field("/proc/self/status", name).unwrap()
}

fn field(file: &str, name: &str) -> Option<f64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    let kilobytes = line.split_whitespace().nth(1)?;
    Some(kilobytes.parse::<f64>().ok()? * 1024.0)
}

/// One line of a bench's table.
pub(crate) fn row(what: &str, figure: f64, unit: &str) {
    let digits = if figure < 100.0 { 2 } else { 0 };
    println!("{what:<52} {figure:>12.digits$} {unit}");
}
