//! Telling who is gone without trust in anybody's clock: what did not change while one watched it for long
//! enough, by one's own clock that only goes forward.

use std::hash::Hash;
use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::time::Instant;

/// When each of several things was last seen to change.
#[derive(Debug)]
pub struct Watched<K, V> {
    seen: FxHashMap<K, (V, Instant)>,
}

impl<K, V> Default for Watched<K, V> {
    fn default() -> Self {
        Self { seen: FxHashMap::default() }
    }
}

impl<K: Eq + Hash + Clone, V: PartialEq> Watched<K, V> {
    /// Notes the state of one now. Returns for how long it has been seen in this state; nothing the first
    /// time.
    pub fn look(&mut self, key: &K, state: V) -> Duration {
        let now = Instant::now();
        match self.seen.get_mut(key) {
            Some((known, since)) if *known == state => now.saturating_duration_since(*since),
            _ => {
                self.seen.insert(key.clone(), (state, now));
                Duration::ZERO
            }
        }
    }

    /// Forgets all but these.
    pub fn keep(&mut self, mut is_there: impl FnMut(&K) -> bool) {
        self.seen.retain(|key, _| is_there(key));
    }
}
