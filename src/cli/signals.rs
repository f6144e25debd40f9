//! Ctrl-C and its relatives: the first ends the run at the next turns, the second at once.
//!
//! `SIGTERM` is the same as Ctrl-C. A terminal that is closed (`SIGHUP`) ends the run at the next
//! turns, however often that is said: shells say it twice. With `nohup` it is ignored, and so is Ctrl-C
//! by what a script puts into the background (`&`): shells start it so that only the script is ended.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::output;
use rolecall_core::log::{Batch, LogHandle};

/// Exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// The time that the log may take to write what it was handed, once nobody wants to wait any more.
const DRAINING: Duration = Duration::from_secs(2);

/// Set by the first signal.
static INTERRUPTED_ONCE: AtomicBool = AtomicBool::new(false);

/// Set when nothing is played any more.
static NOTHING_LIVE: AtomicBool = AtomicBool::new(false);

/// The listeners that there were so far.
static LISTENERS: AtomicU32 = AtomicU32::new(0);

/// Whether somebody has wanted the run to end.
pub(crate) fn was_interrupted() -> bool {
    INTERRUPTED_ONCE.load(Ordering::Relaxed)
}

/// Nothing is played from now on: who ends the program is not told of live episodes.
pub(crate) fn expect_nothing_live() {
    NOTHING_LIVE.store(true, Ordering::Relaxed);
}

/// Listens on a thread of its own, so that a busy run does not delay it. With `patience`, a run that has not come to
/// its end that long after the first signal ends with what is written, and that is no failure.
///
/// A command that plays several runs listens for each; the signals are for the last one.
pub(crate) fn listen(stop: CancellationToken, log: LogHandle, patience: Option<Duration>) {
    let number = LISTENERS.fetch_add(1, Ordering::Relaxed) + 1;
    let Ok(runtime) = output::runtime() else {
        output::remark("signals cannot be listened to: Ctrl-C will end the run at once");
        return;
    };
    std::thread::spawn(move || {
        runtime.block_on(async move {
            survive_full_files();
            let mut signals = Signals::listen();
            signals.next().await;
            if LISTENERS.load(Ordering::Relaxed) != number {
                return;
            }
            INTERRUPTED_ONCE.store(true, Ordering::Relaxed);
            stop.cancel();
            if !NOTHING_LIVE.load(Ordering::Relaxed) {
                output::remark("stopping: live episodes end at their next turn (Ctrl-C again: at once)");
            }
            let another = async { while signals.next().await == Meaning::HungUp {} };
            let over = match patience {
                Some(patience) => tokio::time::timeout(patience, another).await.is_err(),
                None => {
                    another.await;
                    false
                }
            };
            drain(&log).await;
            std::process::exit(if over { 0 } else { INTERRUPTED });
        });
    });
}

/// Waits until somebody wants the program to end, or has closed the terminal.
pub(crate) async fn interrupted() {
    survive_full_files();
    Signals::listen().next().await;
}

/// The meaning of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Somebody wants the program to end.
    Stop,
    /// The terminal was closed.
    HungUp,
}

/// Ctrl-C is for the pager while one is on the screen: this process goes on, and ends when the
/// pager does.
pub(crate) fn leave_interrupts_to_a_pager() {
    std::thread::spawn(|| {
        // Without it, Ctrl-C ends this process and leaves the pager alone with what it has.
        if let Ok(runtime) = output::runtime() {
            runtime.block_on(async { while tokio::signal::ctrl_c().await.is_ok() {} });
        }
    });
}

/// A file that has grown to its limit (`ulimit -f`) ends a process that does not listen to the
/// signal; one that does gets a write error, which is reported like a full disk. Tokio keeps
/// listening once it was asked to.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn survive_full_files() {
    /// `SIGXFSZ`, the same number on both systems.
    const FILE_TOO_LARGE: i32 = 25;
    let kind = tokio::signal::unix::SignalKind::from_raw(FILE_TOO_LARGE);
    // Where it cannot be listened to, everything is as it was.
    let _ = tokio::signal::unix::signal(kind);
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn survive_full_files() {}

/// Waits until everything is written that the log was handed so far: it writes in order.
async fn drain(log: &LogHandle) {
    // Nobody is left to be told if it fails.
    let _ = tokio::time::timeout(DRAINING, log.append_durably(Batch::default())).await;
}

/// The signals that end a run.
#[cfg(unix)]
struct Signals(Vec<(Meaning, tokio::signal::unix::Signal)>);

#[cfg(unix)]
impl Signals {
    /// Begins to listen. Signals that come from now on are not lost.
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let ignored = ignored();
        let kinds = [
            (Meaning::HungUp, SignalKind::hangup()),
            (Meaning::Stop, SignalKind::interrupt()),
            // Something must end it.
            (Meaning::Stop, SignalKind::terminate()),
        ];
        let signals = kinds
            .into_iter()
            .filter(|(_, kind)| *kind == SignalKind::terminate() || !is_in(ignored, kind.as_raw_value()))
            .filter_map(|(meaning, kind)| Some((meaning, signal(kind).ok()?)));
        Self(signals.collect())
    }

    /// The next signal.
    async fn next(&mut self) -> Meaning {
        if self.0.is_empty() {
            std::future::pending::<()>().await;
        }
        let waits = self.0.iter_mut().map(|(meaning, signal)| {
            Box::pin(async move {
                signal.recv().await;
                *meaning
            })
        });
        let (meaning, ..) = futures_util::future::select_all(waits).await;
        if meaning == Meaning::HungUp {
            output::expect_no_reader();
        }
        meaning
    }
}

/// The signals that this process was started to ignore, as far as the system tells: by `nohup`, by a
/// shell that put it into the background. One that is listened to is not among them any more.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Whether a signal is in a mask: they are bits in the order of their numbers, from 1.
#[cfg(unix)]
fn is_in(mask: u64, signal: i32) -> bool {
    let place = u32::try_from(signal - 1).ok();
    place.and_then(|place| mask.checked_shr(place)).unwrap_or(0) & 1 == 1
}

/// The signals that end a run.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Self {
        Self
    }

    async fn next(&mut self) -> Meaning {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Meaning::Stop
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn masks_count_signals_from_one() {
        assert!(is_in(0b10, 2) && !is_in(0b10, 1) && is_in(0b11, 1));
        assert!(is_in(1 << 63, 64) && !is_in(u64::MAX, 65) && !is_in(u64::MAX, 0));
    }
}
