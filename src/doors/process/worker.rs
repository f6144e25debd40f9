//! One program or connection of a participant, and whether it lives.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::RwLock;

use super::errors::ProcessError;
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
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(own) = &*live else {
            return Ok(None);
        };
        if own.peer.gone().is_none() {
            return Ok(Some(own.clone()));
        }
        let breach = own.peer.untold_breach();
        *live = None;
        breach.map_or(Ok(None), |breach| Err(breach.into()))
    }

    pub(super) fn set(&self, peer: Peer) -> Live {
        let generation = self.generations.fetch_add(1, Ordering::Relaxed) + 1;
        let live = Live { peer, generation };
        let mut own = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        *own = Some(live.clone());
        live
    }

    /// Says something that needs no answer, if the connection is still that one.
    pub(super) fn notify(&self, generation: u64, method: &str, params: &serde_json::Value) {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(live) = live.as_ref().filter(|live| live.generation == generation) {
            live.peer.notify(method, params);
        }
    }
}
