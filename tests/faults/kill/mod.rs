//! Every way of playing, killed before and after its writes and at any moment, and gone on with: the same
//! canonical log and results as undisturbed. `ROLECALL_BIRTHS` and `ROLECALL_KILLS_OF_KINDS` say how often
//! (`tests/long/kill.sh`).

mod births;
mod kinds;
mod moments;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rolecall::log::Tail;

use self::kinds::Kind;
use crate::support::binary::{rolecall, text};
use crate::support::fake_model::FakeModel;

/// The run that is killed.
const RUN: &str = "logs/killed";

/// The variable that names the step of writing at which the process ends (`files::step`).
const DIE_AT: &str = "ROLECALL_DIE_AT";

/// What may be compared of a run.
#[derive(PartialEq)]
struct Outcome {
    canonical: Vec<u8>,
    results: BTreeSet<String>,
}

fn outcome(folder: &Path) -> Outcome {
    let canonical = rolecall(folder, &["logs", "canonical", RUN]).output();
    let canonical = canonical.unwrap();
    assert!(canonical.status.success(), "{}", text(&canonical.stderr));
    let (mut results, mut lines) = (Tail::results(&folder.join(RUN)), BTreeSet::new());
    while let Some(chunk) = results.grown().unwrap() {
        for (_, line) in chunk.lines() {
            let is_new = lines.insert(String::from_utf8(line.to_vec()).unwrap());
            assert!(is_new, "results are doubled");
        }
    }
    let verified = rolecall(folder, &["logs", "verify", RUN]).output().unwrap();
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    Outcome { canonical: canonical.stdout, results: lines }
}

/// A kind with what it comes to undisturbed.
struct Reference {
    kind: Kind,
    /// A folder with everything that the first command needs.
    template: tempfile::TempDir,
    outcome: Outcome,
    code: Option<i32>,
    /// A number of steps that the command survives.
    steps: u64,
    /// The time that it takes.
    time: Duration,
}

impl Reference {
    #[expect(clippy::disallowed_methods, reason = "a test measures another process")]
    fn new(kind: Kind) -> Self {
        let template = tempfile::tempdir().unwrap();
        (kind.prepare)(template.path());
        let mut own = Self {
            kind,
            template,
            outcome: Outcome { canonical: Vec::new(), results: BTreeSet::new() },
            code: None,
            steps: 1,
            time: Duration::ZERO,
        };
        let (folder, server) = own.copy();
        let began = Instant::now();
        let mut output = own.command(folder.path(), own.kind.begin).output().unwrap();
        own.time = began.elapsed();
        if own.kind.goes_on_after {
            output = own.command(folder.path(), own.kind.go_on).output().unwrap();
        }
        let told = text(&output.stderr);
        own.code = output.status.code();
        assert!(matches!(own.code, Some(0 | 1)), "{}: {told}", own.kind.name);
        own.outcome = outcome(folder.path());
        drop(server);
        loop {
            let (folder, _server) = own.copy();
            let mut command = own.command(folder.path(), own.kind.begin);
            if !died(&command.env(DIE_AT, own.steps.to_string()).output().unwrap()) {
                return own;
            }
            own.steps *= 2;
        }
    }

    /// A folder to play in, and a server for its models.
    fn copy(&self) -> (tempfile::TempDir, FakeModel) {
        let folder = tempfile::tempdir().unwrap();
        copy_all(self.template.path(), folder.path());
        let server = FakeModel::start(Duration::from_millis(1), self.kind.manners);
        let server = server_in(server, folder.path());
        (folder, server)
    }

    fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = rolecall(folder, arguments);
        command.stdin(Stdio::null()).env_remove(DIE_AT);
        command
    }

    /// Goes on until the end and compares.
    fn come_to_the_end(&self, what: &str, folder: &Path, arguments: &[&str]) {
        let output = self.command(folder, arguments).output().unwrap();
        let (name, told) = (self.kind.name, text(&output.stderr));
        assert_eq!(output.status.code(), self.code, "{name}, {what}: {told}");
        self.compare(what, folder);
    }

    fn compare(&self, what: &str, folder: &Path) {
        let same = outcome(folder) == self.outcome;
        assert!(same, "{}, {what}: came out otherwise", self.kind.name);
    }
}

/// Has the configs of a folder ask this server.
fn server_in(server: FakeModel, folder: &Path) -> FakeModel {
    let config = folder.join("killed.toml");
    let written = fs::read_to_string(&config).unwrap();
    fs::write(config, written.replace("SERVER", &server.url())).unwrap();
    server
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        match path.is_dir() {
            true => copy_all(&path, &to.join(name)),
            false => drop(fs::copy(&path, to.join(name)).unwrap()),
        }
    }
}

/// Whether the process was killed; it may never panic.
fn died(output: &Output) -> bool {
    let told = text(&output.stderr);
    assert!(!told.contains("panicked"), "{told}");
    output.status.code().is_none()
}

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn new(number: u64) -> Self {
        Self(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }
}

/// How often somebody is to be killed: what the variable says, else so often.
fn times(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap())
}

/// Plays numbers 0, 1, ... side by side, each of the kind at its turn, and prints a table: `play` says how
/// often it killed.
fn table(title: &str, references: &[Reference], all: u64, play: impl Fn(&Reference, u64) -> u64 + Sync) {
    let next = AtomicU64::new(0);
    let kills = Mutex::new(vec![(0_u64, 0_u64); references.len()]);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= all {
                return;
            }
            let place = (number % references.len() as u64) as usize;
            let killed = play(&references[place], number / references.len() as u64);
            let row = &mut kills.lock().unwrap()[place];
            *row = (row.0 + killed, row.1 + 1);
        }
    };
    thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
    println!("{title}");
    println!("{:<14}{:>8}{:>9}{:>20}", "kind", "kills", "gone on", "same canonical log");
    // Whoever does not come to the same ends the test.
    let rows = kills.into_inner().unwrap();
    for (reference, (killed, runs)) in references.iter().zip(&rows) {
        println!("{:<14}{killed:>8}{runs:>9}{runs:>20}", reference.kind.name);
    }
    let killed: u64 = rows.iter().map(|row| row.0).sum();
    println!("{:<14}{killed:>8}{all:>9}{all:>20}", "all");
    assert!(killed > 0, "nobody was killed: nothing was tested");
}
