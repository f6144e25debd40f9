//! The best of many scored places.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Keeps the best places that it is offered: the higher score first, of equal scores the earlier place.
#[derive(Debug, Default)]
pub(super) struct Best {
    most: usize,
    /// The worst one is on top.
    kept: BinaryHeap<Reverse<Key>>,
}

/// Greater is better: the bits of a positive score order as the score does.
type Key = (u32, Reverse<u32>);

impl Best {
    /// Forgets everything, and keeps so many from now on.
    pub(super) fn start(&mut self, most: usize) {
        self.most = most;
        self.kept.clear();
    }

    /// Offers a place with a positive score.
    pub(super) fn offer(&mut self, score: f32, document: u32) {
        let key = Reverse((score.to_bits(), Reverse(document)));
        if self.kept.len() < self.most {
            self.kept.push(key);
        } else if let Some(mut worst) = self.kept.peek_mut()
            && key < *worst
        {
            *worst = key;
        }
    }

    /// What a later place must exceed to be kept.
    pub(super) fn floor(&self) -> f32 {
        let full = self.kept.len() >= self.most;
        let worst = self.kept.peek().filter(|_| full);
        worst.map_or(0.0, |Reverse((score, _))| f32::from_bits(*score))
    }

    /// Takes what was kept, the best first.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (f32, u32)> {
        let mut keys: Vec<Reverse<Key>> = self.kept.drain().collect();
        keys.sort_unstable();
        keys.into_iter()
            .map(|Reverse((score, Reverse(place)))| (f32::from_bits(score), place))
    }
}
