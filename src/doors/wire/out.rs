//! The way out to the other side, which any thread may write to, and how programs are told to end.

use std::io;

use tokio::net::tcp;
#[cfg(unix)]
use tokio::net::unix;

/// The way out to the other side.
pub(super) enum Out {
    #[cfg(unix)]
    Pipe(unix::pipe::Sender),
    #[cfg(unix)]
    Unix(unix::OwnedWriteHalf),
    Tcp(tcp::OwnedWriteHalf),
}

impl Out {
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Self::Pipe(pipe) => pipe.try_write(bytes),
            #[cfg(unix)]
            Self::Unix(socket) => socket.try_write(bytes),
            Self::Tcp(socket) => socket.try_write(bytes),
        }
    }

    pub(super) async fn writable(&self) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Self::Pipe(pipe) => pipe.writable().await,
            #[cfg(unix)]
            Self::Unix(socket) => socket.writable().await,
            Self::Tcp(socket) => socket.writable().await,
        }
    }
}

/// Tells a group of processes to end, or kills it.
#[cfg(unix)]
pub(super) fn signal(group: Option<u32>, kill: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = group.and_then(|group| Pid::from_raw(i32::try_from(group).ok()?));
    if let Some(group) = group {
        let signal = if kill { Signal::KILL } else { Signal::TERM };
        // It may have ended meanwhile.
        let _ = kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
pub(super) fn signal(_: Option<u32>, _: bool) {}
