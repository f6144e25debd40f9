//! The workers of a participant: programs or connections.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::RwLock;

use super::errors::ProcessError;
use crate::locked;
use crate::wire::Peer;

/// One program or connection.
#[derive(Default)]
pub(super) struct Worker {
    live: Mutex<Option<Live>>,
    /// Held by whoever starts it.
    pub(super) starting: tokio::sync::Mutex<()>,
    /// Turns read; one that is asked alone writes.
    pub(super) alone: RwLock<()>,
    generations: AtomicU64,
    /// Tries so far, and those that wait for an answer now.
    pub(super) tries: AtomicU64,
    pub(super) asking: AtomicU64,
}

/// A connection that is open.
#[derive(Clone)]
pub(super) struct Live {
    pub(super) peer: Peer,
    /// The how-many-th one of the worker, from 1: what an earlier one knew is gone.
    pub(super) generation: u64,
}

impl Worker {
    /// The connection, unless it is gone.
    ///
    /// # Errors
    /// When it ended by a breach of which nobody knows yet.
    pub(super) fn current(&self) -> Result<Option<Live>, ProcessError> {
        let mut live = locked(&self.live);
        let Some(current) = &*live else {
            return Ok(None);
        };
        if current.peer.gone().is_none() {
            return Ok(Some(current.clone()));
        }
        let breach = current.peer.untold_breach();
        *live = None;
        breach.map_or(Ok(None), |breach| Err(breach.into()))
    }

    pub(super) fn set(&self, peer: Peer) -> Live {
        let live = Live { peer, generation: self.generations.fetch_add(1, Ordering::Relaxed) + 1 };
        *locked(&self.live) = Some(live.clone());
        live
    }

    /// Says something that needs no answer, if the connection is still that one.
    pub(super) fn notify(&self, generation: u64, method: &str, params: &serde_json::Value) {
        let live = locked(&self.live);
        if let Some(live) = live.as_ref().filter(|live| live.generation == generation) {
            live.peer.notify(method, params);
        }
    }
}
