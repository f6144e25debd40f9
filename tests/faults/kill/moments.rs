//! Runs that are killed again and again, at any write and at any moment.

use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rolecall::log::is_free;

use super::kinds::all;
use super::{DIE_AT, Numbers, RUN, Reference, died, table, times};
use crate::support::fake_model::FakeModel;

/// How long a server stays away.
const AWAY: Duration = Duration::from_millis(30);

/// Kills and goes on, up to three times, and then comes to the end. Says how often it was killed.
fn survive(reference: &Reference, number: u64) -> u64 {
    let kind = &reference.kind;
    let seed = blake3::hash(kind.name.as_bytes()).as_bytes()[0];
    let mut numbers = Numbers::new(number * 256 + u64::from(seed) + 1);
    let (folder, mut server) = reference.copy();
    let path = folder.path();
    let mut killed = 0;
    // The first command of some is not one that plays.
    let mut arguments = kind.begin;
    for _ in 0..=numbers.below(3) {
        let died = match numbers.below(2) {
            0 => {
                let step = 1 + numbers.below(reference.steps);
                let mut command = reference.command(path, arguments);
                died(&command.env(DIE_AT, step.to_string()).output().unwrap())
            }
            _ => {
                let time = numbers.below(reference.time.as_micros() as u64 * 3 / 2);
                killed_after(reference, arguments, path, Duration::from_micros(time))
            }
        };
        killed += u64::from(died);
        arguments = if is_free(&path.join(RUN)) { kind.begin } else { kind.go_on };
    }
    let what = format!("number {number}, killed {killed} times");
    if kind.dies {
        with_server_away(&mut server, || reference.come_to_the_end(&what, path, arguments));
    } else {
        reference.come_to_the_end(&what, path, arguments);
    }
    killed
}

/// Kills the process after this time, unless it ends before.
#[expect(clippy::disallowed_methods, reason = "a test waits for another process")]
fn killed_after(reference: &Reference, arguments: &[&str], folder: &Path, time: Duration) -> bool {
    let mut command = reference.command(folder, arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let began = Instant::now();
    while began.elapsed() < time && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_micros(200));
    }
    let _ = child.kill();
    died(&child.wait_with_output().unwrap())
}

/// Does something while the server is away, which comes back after a while.
#[expect(clippy::disallowed_methods, reason = "a server is away for a time")]
fn with_server_away(server: &mut FakeModel, work: impl FnOnce()) {
    server.kill();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(AWAY);
            server.restart();
        });
        work();
    });
}

#[test]
fn every_way_of_playing_goes_on_to_the_same_log_whenever_it_is_killed() {
    let references: Vec<Reference> = all().into_iter().map(Reference::new).collect();
    let usual = references.len() as u64;
    let all = times("ROLECALL_KILLS_OF_KINDS", usual);
    table("killed at any write and any moment", &references, all, survive);
}
