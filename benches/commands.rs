//! How long the program takes from its start to its end: commands that do little, and commands that
//! look into a long run.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench may stop at once, reads the clock and prints figures"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_rolecall");

/// Commands that do little, each given this often.
const SHORT: ([&[&str]; 3], usize) = ([&["--version"], &["list", "roles"], &["check", "configs/quickstart.toml"]], 100);

/// Commands that look into the long run.
const LONG: ([&[&str]; 6], usize) = (
    [
        &["show", "long"],
        &["show", "long", "--failed"],
        &["show", "long", "main:11:799"],
        &["show", "long", "--transcripts", "--limit", "1"],
        &["show", "long", "--follow"],
        &["report", "long"],
    ],
    11,
);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let size = std::fs::metadata(PROGRAM).unwrap().len();
    println!("the program: {:.1} MB", size as f64 / 1e6);
    for command in SHORT.0 {
        report(root, command, SHORT.1);
    }
    let folder = tempfile::tempdir().unwrap();
    let config = root.join("configs/household/respact.toml");
    let (config, logs) = (config.display(), folder.path().join("logs"));
    let line = format!("run {config} --limit 12 --set repeats=800 --concurrency 1000 --name long --quiet");
    let mut run = Command::new(PROGRAM);
    run.args(line.split(' ')).arg("--logs").arg(&logs);
    assert!(run.stdout(Stdio::null()).status().unwrap().success());
    let events = std::fs::metadata(logs.join("long/events.jsonl")).unwrap().len();
    println!("a run of 9600 episodes, {:.0} MB of events:", events as f64 / 1e6);
    for command in LONG.0 {
        report(folder.path(), command, LONG.1);
    }
}

fn report(folder: &Path, arguments: &[&str], times: usize) {
    let before = processor_time();
    let mut times: Vec<Duration> = (0..times).map(|_| once(folder, arguments)).collect();
    let processor = processor_time() - before;
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "rolecall {:<40} {:6.1} ms of processor time; by the clock: median {:6.1} ms, fastest {:6.1} ms",
        arguments.join(" "),
        milliseconds(processor) / times.len() as f64,
        milliseconds(times[times.len() / 2]),
        milliseconds(times[0]),
    );
}

/// Processor time of all children that have ended: fields 16 and 17 of `stat` in proc(5), ticks of
/// 10 ms. None where the system does not tell.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks = ticks.map(|field| field.parse::<u64>().unwrap());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

fn once(folder: &Path, arguments: &[&str]) -> Duration {
    let began = Instant::now();
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(folder);
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(done.unwrap().success(), "{arguments:?}");
    began.elapsed()
}
