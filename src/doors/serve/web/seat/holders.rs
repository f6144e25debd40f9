//! Who holds which ticket for a seat.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::locked;
use crate::serve::{Lobby, SeatKey};

/// Holders of tickets for seats, by their numbers.
#[derive(Default)]
pub(in crate::serve::web) struct Holders(Mutex<FxHashMap<usize, Option<SeatKey>>>);

impl Holders {
    /// Lets the holder of a ticket play.
    pub(in crate::serve::web) fn add(&self, number: usize) {
        locked(&self.0).insert(number, None);
    }

    /// Whether the ticket is one for a seat.
    pub(super) fn may_play(&self, number: usize) -> bool {
        locked(&self.0).contains_key(&number)
    }

    /// The holder's seat: the one that it has until its episode is over, then the next that waits.
    pub(super) fn seat(&self, number: usize, lobby: &Lobby) -> Option<SeatKey> {
        let mut holders = locked(&self.0);
        let last = holders.get(&number)?.clone();
        if last.as_ref().is_some_and(|key| lobby.result(&key.run, &key.episode).is_none()) {
            return last;
        }
        // The result of the last one is shown as long as there is no next.
        let next = lobby
            .open()
            .into_iter()
            .map(|turn| turn.key)
            .find(|key| !holders.values().flatten().any(|taken| taken == key))
            .or(last);
        holders.insert(number, next.clone());
        next
    }
}
