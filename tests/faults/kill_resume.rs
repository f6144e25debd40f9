//! Runs that are killed at any moment and resumed: the same log and results as undisturbed, and no
//! recorded call is sent again. `ROLECALL_KILLS` says how many (`tests/long/kill.sh`).

use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Asked, Does, FakeModel};
use rolecall::domain::{EpisodeId, Event, Message};
use rolecall::log::decode_event;

/// Calls that are in flight at most: one for each episode that is alive.
const IN_FLIGHT: usize = 6;

/// What the model says: the moves of an executor that also asks, and the words of a user.
const SAYINGS: [&str; 8] = [
    "Act: look",
    "Act: go to desk 1",
    "Think: I should look around first.",
    "Speak: Where should I look?",
    "Act: inventory",
    "Act: go to shelf 1",
    "Think: Nothing here.\nAct: go to bed 1",
    "Act: open drawer 1",
];

/// A reply that depends on the request alone.
pub(super) fn says(asked: &Asked) -> Does {
    let hash = blake3::hash(asked.body.to_string().as_bytes());
    Does::Says(SAYINGS[usize::from(hash.as_bytes()[0]) % SAYINGS.len()])
}

fn server() -> FakeModel {
    FakeModel::start(Duration::from_millis(2), says)
}

fn write_config(folder: &Path, server: &FakeModel) {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    let (agents, url) = (agents.display(), server.url());
    let config = format!(
        r#"
name = "killed"
agents = '{agents}'
limits = {{ steps = 7 }}
strategy = {{ name = "respact" }}
environment = {{ name = "household", data = "builtin" }}
tasks = {{ limit = 12 }}
run = {{ concurrency = {IN_FLIGHT}, arbiters = 2 }}
[roles.executor]
implementation = "model"
persona = "respact/executor"
model = "fake"
[user]
kind = "model"
persona = "users/helpful"
model = "fake"
[models.fake]
provider = "openai"
model = "any"
base_url = "{url}"
"#
    );
    fs::write(folder.join("killed.toml"), config).unwrap();
}

/// What may be compared of a run.
#[derive(PartialEq)]
struct Outcome {
    canonical: Vec<u8>,
    results: BTreeSet<String>,
}

fn outcome(folder: &Path, run: &str) -> Outcome {
    let canonical = rolecall(folder, &["logs", "canonical", run]).output().unwrap();
    assert!(canonical.status.success(), "{}", text(&canonical.stderr));
    let results = fs::read_to_string(folder.join(run).join("results.jsonl")).unwrap();
    let lines: BTreeSet<String> = results.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), results.lines().count(), "results are there twice");
    Outcome { canonical: canonical.stdout, results: lines }
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = rolecall(folder, arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// When a run is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// After this time.
    After(Duration),
    /// When the server has got so many requests more: calls are in flight.
    Requests(u64),
    /// When the events have so many bytes more: the writer is at work.
    Bytes(u64),
}

/// Numbers that look random and are the same every time.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn moment(&mut self, requests: u64, bytes: u64) -> Moment {
        match self.below(4) {
            0 => Moment::After(Duration::from_micros(self.below(400_000))),
            1 | 2 => Moment::Requests(self.below(requests)),
            _ => Moment::Bytes(self.below(bytes)),
        }
    }
}

/// Kills the process at the moment, unless it ends before.
#[expect(clippy::disallowed_methods, reason = "a test waits for another process")]
fn kill(mut child: Child, moment: Moment, server: &FakeModel, events: &Path) {
    let began = Instant::now();
    let size = || fs::metadata(events).map_or(0, |found| found.len());
    let (requests, bytes) = (server.requests(), size());
    loop {
        let now = match moment {
            Moment::After(time) => began.elapsed() >= time,
            Moment::Requests(more) => server.requests() >= requests + more,
            Moment::Bytes(more) => size() >= bytes + more,
        };
        if now {
            child.kill().unwrap();
        }
        if now || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stderr);
    assert!(!told.contains("panicked"), "{told}");
}

/// The keys of the calls that are recorded in whole lines.
fn recorded(events: &Path) -> BTreeSet<String> {
    let bytes = fs::read(events).unwrap_or_default();
    let whole = bytes.split_inclusive(|byte| *byte == b'\n');
    let whole = whole.filter(|line| line.ends_with(b"\n"));
    whole
        .filter_map(|line| {
            let (id, event): (EpisodeId, Event) = decode_event(events, 1, line.trim_ascii_end()).unwrap();
            let Message::ModelCalled(call) = &event.message else {
                return None;
            };
            let (turn, attempt, number) = (call.turn, call.attempt, call.call);
            Some(format!("{id}/{}/{turn}/{attempt}/{number}", event.from))
        })
        .collect()
}

struct Reference {
    outcome: Outcome,
    requests: u64,
    bytes: u64,
}

fn undisturbed() -> Reference {
    let (folder, server) = (tempfile::tempdir().unwrap(), server());
    write_config(folder.path(), &server);
    let run = ["run", "killed.toml", "--quiet", "--no-report"];
    let output = rolecall(folder.path(), &run).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let events = folder.path().join("logs/killed/events.jsonl");
    Reference {
        outcome: outcome(folder.path(), "logs/killed"),
        requests: server.requests(),
        bytes: fs::metadata(events).unwrap().len(),
    }
}

/// Kills and resumes one run, says how many calls were sent twice.
fn survive(number: u64, reference: &Reference) -> usize {
    let mut numbers = Numbers(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (folder, server) = (tempfile::tempdir().unwrap(), server());
    write_config(folder.path(), &server);
    let events: PathBuf = folder.path().join("logs/killed/events.jsonl");
    let mut arguments = vec!["run", "killed.toml", "--quiet", "--no-report"];
    let kills = 1 + numbers.below(3);
    let mut twice = 0;
    for _ in 0..kills {
        let moment = numbers.moment(reference.requests, reference.bytes);
        kill(start(folder.path(), &arguments), moment, &server, &events);
        if folder.path().join("logs/killed/run.toml").exists() {
            arguments = vec!["resume", "logs/killed", "--quiet", "--no-report"];
        } else {
            // It never began: what is there is nothing to resume.
            let _ = fs::remove_dir_all(folder.path().join("logs"));
        }
        let known = recorded(&events);
        let counts = server.counts().by_key;
        let lost = counts.keys().filter(|key| !known.contains(*key)).count();
        assert!(lost <= IN_FLIGHT, "{lost} calls were lost in a kill at {moment:?}");
        twice += lost;
    }
    let before = server.counts().by_key;
    let known = recorded(&events);
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "run {number}: {told}");
    for (key, count) in server.counts().by_key {
        let asked = count - before.get(&key).copied().unwrap_or_default();
        assert!(asked == 0 || !known.contains(&key), "{key} was recorded and sent again");
        assert!(count <= 1 + u32::try_from(kills).unwrap(), "{key}: {count} times");
    }
    let same = outcome(folder.path(), "logs/killed") == reference.outcome;
    assert!(same, "run {number}, killed {kills} times, came out otherwise");
    twice
}

#[test]
fn a_killed_run_ends_as_an_undisturbed_one() {
    let kills = std::env::var("ROLECALL_KILLS").map_or(10, |text| text.parse().unwrap());
    let reference = undisturbed();
    // Runs are killed side by side: each has its folder and its server.
    let next = AtomicU64::new(0);
    let work = || {
        let mine = iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let mine = mine.take_while(|number| *number < kills);
        mine.map(|number| survive(number, &reference)).sum()
    };
    let twice: usize = thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.map(|worker| worker.join().unwrap()).iter().sum()
    });
    assert!(kills < 10 || twice > 0, "no kill met a call in flight: nothing was tested");
    println!(
        "{kills} runs of {} calls were killed and resumed: all as undisturbed, {twice} calls that \
         were in flight were sent again, no recorded one",
        reference.requests
    );
}
