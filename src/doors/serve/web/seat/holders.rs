//! Who holds a ticket plays one episode after the other: the next one that waits and nobody else has.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::serve::{Lobby, SeatKey};

/// Holders of tickets for seats, by their numbers.
#[derive(Default)]
pub(in crate::serve::web) struct Holders(Mutex<FxHashMap<usize, Option<SeatKey>>>);

impl Holders {
    /// Lets the holder of a ticket play.
    pub(in crate::serve::web) fn add(&self, number: usize) {
        self.with(|holders| holders.insert(number, None));
    }

    /// Whether the ticket is one for a seat.
    pub(super) fn may_play(&self, number: usize) -> bool {
        self.with(|holders| holders.contains_key(&number))
    }

    /// The holder's seat: the one that it has until its episode is over, then the next that waits.
    pub(super) fn seat(&self, number: usize, lobby: &Lobby) -> Option<SeatKey> {
        self.with(|holders| {
            let own = holders.get(&number)?.clone();
            let over = |key: &SeatKey| lobby.result(&key.run, &key.episode).is_some();
            if let Some(own) = own.clone().filter(|own| !over(own)) {
                return Some(own);
            }
            let next = lobby
                .open()
                .into_iter()
                .map(|turn| turn.key)
                .find(|key| !holders.values().flatten().any(|taken| taken == key));
            // The result of the last one is shown as long as there is no next.
            let next = next.or(own);
            holders.insert(number, next.clone());
            next
        })
    }

    fn with<T>(&self, change: impl FnOnce(&mut FxHashMap<usize, Option<SeatKey>>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
