//! Ctrl-C and its relatives: the first ends the run at the next turns, the second at once.

use tokio_util::sync::CancellationToken;

use super::output;
use crate::log::LogHandle;

/// Exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Listens on a thread of its own, so that a busy run does not delay it.
pub(crate) fn listen(stop: CancellationToken, log: LogHandle) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else {
        output::note("signals cannot be listened to: Ctrl-C will end the run at once");
        return;
    };
    std::thread::spawn(move || {
        runtime.block_on(async move {
            survive_full_files();
            signal().await;
            stop.cancel();
            output::note("stopping: live episodes end at their next turn (Ctrl-C again: at once)");
            signal().await;
            drain(&log).await;
            std::process::exit(INTERRUPTED);
        });
    });
}

/// Ctrl-C is for the pager while one is on the screen: this process goes on, and ends when the
/// pager does.
pub(crate) fn leave_interrupts_to_a_pager() {
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        // Without it, Ctrl-C ends this process and leaves the pager alone with what it has.
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async { while tokio::signal::ctrl_c().await.is_ok() {} });
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

/// Gives the writer a moment to write what it was handed.
async fn drain(log: &LogHandle) {
    for _ in 0..50 {
        if log.snapshot().queued == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ];
    let waits = kinds.into_iter().filter_map(|kind| signal(kind).ok());
    let waits: Vec<_> = waits
        .map(|mut signal| Box::pin(async move { signal.recv().await }))
        .collect();
    if waits.is_empty() {
        std::future::pending::<()>().await;
    }
    futures_util::future::select_all(waits).await;
}

#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
