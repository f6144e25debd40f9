//! The live directory: which episodes are alive, and whom each is waiting for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use dashmap::DashMap;

use crate::domain::EpisodeId;

/// Episodes that are alive. Shared by all arbiters; no guard of it is held across an `await`.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    live: Arc<DashMap<EpisodeId, Arc<LiveEpisode>>>,
    events: Arc<AtomicU64>,
}

/// The figures of a live episode that are known without asking it.
#[derive(Debug, Default)]
pub struct LiveEpisode {
    events: AtomicU32,
}

impl LiveEpisode {
    /// Number of events so far.
    pub fn events(&self) -> u32 {
        self.events.load(Ordering::Relaxed)
    }
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
        let mut ids: Vec<EpisodeId> = self.live.iter().map(|entry| entry.key().clone()).collect();
        ids.sort();
        ids
    }

    pub(super) fn enter(&self, id: &EpisodeId) -> Arc<LiveEpisode> {
        let episode = Arc::new(LiveEpisode::default());
        self.live.insert(id.clone(), Arc::clone(&episode));
        episode
    }

    pub(super) fn leave(&self, id: &EpisodeId) {
        self.live.remove(id);
    }

    pub(super) fn count(&self, episode: &LiveEpisode, events: usize) {
        let events_u32 = u32::try_from(events).unwrap_or(u32::MAX);
        episode.events.fetch_add(events_u32, Ordering::Relaxed);
        self.events.fetch_add(events as u64, Ordering::Relaxed);
    }
}
