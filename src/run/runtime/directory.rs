//! The live directory: which episodes are alive, and whom each is waiting for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashSet;

use rolecall_core::domain::EpisodeId;

/// Episodes that are alive. Shared by all arbiters; no guard of it is held across an `await`.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    live: Arc<DashSet<EpisodeId>>,
    events: Arc<AtomicU64>,
}

impl Directory {
    /// Number of live episodes.
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// Whether no episode is alive.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Events of all episodes so far, ended ones included.
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// The ids of the live episodes, in order.
    pub fn ids(&self) -> Vec<EpisodeId> {
        let mut ids: Vec<EpisodeId> = self.live.iter().map(|entry| entry.clone()).collect();
        ids.sort();
        ids
    }

    pub(super) fn enter(&self, id: &EpisodeId) {
        self.live.insert(id.clone());
    }

    pub(super) fn leave(&self, id: &EpisodeId) {
        self.live.remove(id);
    }

    pub(super) fn count(&self, events: usize) {
        self.events.fetch_add(events as u64, Ordering::Relaxed);
    }
}
