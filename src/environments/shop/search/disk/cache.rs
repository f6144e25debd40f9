//! What was read lately.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// Keeps values up to a size, and then begins anew.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    room: usize,
    kept: Mutex<(FxHashMap<K, V>, usize)>,
}

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    /// One with so much room.
    pub(super) fn new(room: usize) -> Self {
        Self {
            room,
            kept: Mutex::default(),
        }
    }

    pub(super) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.0.get(key).cloned()
    }

    pub(super) fn put(&self, key: K, value: V, size: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.1 + size > self.room {
            *kept = Default::default();
        }
        kept.1 += size;
        kept.0.insert(key, value);
    }
}
