//! Permits for requests in flight. Their number follows what the server bears: it is halved when
//! the server says that it is asked too often, and grows by one for each round of answers
//! (additive increase, multiplicative decrease, as TCP does it).

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};

/// The permits of one model.
#[derive(Debug)]
pub(crate) struct Permits {
    semaphore: Semaphore,
    most: u32,
    adaptive: bool,
    window: Mutex<Window>,
}

#[derive(Debug)]
struct Window {
    /// Requests that may be in flight; at least 1.
    allowed: f64,
    /// Permits that exist, held or free. More than allowed only while they are held.
    existing: u32,
    /// Grows with every decrease: what was sent before it says nothing about the time after it.
    epoch: u64,
}

/// The permit of one request; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    permits: &'a Permits,
    epoch: u64,
    held: Option<SemaphorePermit<'a>>,
}

impl Permits {
    /// At most so many at once; their number stays the same unless it is to adapt.
    pub(crate) fn new(in_flight: u32, adaptive: bool) -> Self {
        let most = in_flight.max(1);
        let window = Window { allowed: f64::from(most), existing: most, epoch: 0 };
        Self { semaphore: Semaphore::new(most as usize), most, adaptive, window: Mutex::new(window) }
    }

    /// A permit, if one is free and nobody waits for it.
    pub(crate) fn try_acquire(&self) -> Option<Permit<'_>> {
        let held = self.semaphore.try_acquire().ok();
        held.map(|held| self.permit(held))
    }

    /// Waits for a permit, in the order of asking.
    pub(crate) async fn acquire(&self) -> Permit<'_> {
        match self.semaphore.acquire().await {
            Ok(held) => self.permit(held),
            // Nobody closes the semaphore.
            Err(_) => std::future::pending().await,
        }
    }

    fn permit<'a>(&'a self, held: SemaphorePermit<'a>) -> Permit<'a> {
        Permit { permits: self, epoch: self.window().epoch, held: Some(held) }
    }

    fn window(&self) -> MutexGuard<'_, Window> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// The window, if it adapts and was not made smaller since the request was sent.
    fn own_window(&self) -> Option<MutexGuard<'_, Window>> {
        let window = self.permits.window();
        (self.permits.adaptive && self.epoch == window.epoch).then_some(window)
    }

    /// The server has answered: one request more may be in flight after each round of answers.
    pub(crate) fn answered(&self) {
        let Some(mut window) = self.own_window() else {
            return;
        };
        let more = window.allowed + 1.0 / window.allowed;
        window.allowed = more.min(f64::from(self.permits.most));
        let missing = window.target().saturating_sub(window.existing);
        window.existing += missing;
        self.permits.semaphore.add_permits(missing as usize);
    }

    /// The server is asked too often: half of the requests may be in flight. Refusals of what was
    /// sent before the last decrease change nothing.
    pub(crate) fn refused(&self) {
        let Some(mut window) = self.own_window() else {
            return;
        };
        window.epoch += 1;
        window.allowed = (window.allowed / 2.0).max(1.0);
        let beyond = window.existing.saturating_sub(window.target());
        let taken = self.permits.semaphore.forget_permits(beyond as usize);
        window.existing -= u32::try_from(taken).unwrap_or(beyond);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut window = self.permits.window();
        if window.existing > window.target() {
            window.existing -= 1;
            if let Some(held) = self.held.take() {
                held.forget();
            }
        }
    }
}

impl Window {
    fn target(&self) -> u32 {
        // Between 1 and the most, which is a u32.
        self.allowed as u32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_round_of_refusals_halves_once_and_a_round_of_answers_adds_one() {
        let permits = Permits::new(8, true);
        let round: Vec<_> = (0..8).filter_map(|_| permits.try_acquire()).collect();
        assert_eq!(round.len(), 8);
        round.iter().for_each(Permit::refused);
        drop(round);
        let free = || std::iter::from_fn(|| permits.try_acquire()).collect::<Vec<_>>();
        assert_eq!(free().len(), 4);
        for expected in [5, 6, 7, 8, 8] {
            // Growth within the round makes it a little less than one for the round.
            free().iter().for_each(Permit::answered);
            free().iter().take(1).for_each(Permit::answered);
            assert_eq!(free().len(), expected);
        }
    }

    #[test]
    fn without_adapting_nothing_changes() {
        let permits = Permits::new(3, false);
        let one = permits.try_acquire().unwrap();
        one.refused();
        one.answered();
        drop(one);
        assert_eq!(permits.semaphore.available_permits(), 3);
    }

    proptest! {
        #[test]
        fn never_more_are_held_than_allowed_and_one_always_is(
            most in 1_u32..40,
            steps in prop::collection::vec(0_u8..4, 0..400),
        ) {
            let permits = Permits::new(most, true);
            let mut held = Vec::new();
            for step in steps {
                match step {
                    0 => held.extend(permits.try_acquire()),
                    1 => drop(held.pop()),
                    2 => held.iter().take(1).for_each(Permit::answered),
                    _ => held.iter().rev().take(1).for_each(Permit::refused),
                }
                let window = permits.window.lock().unwrap();
                let free = permits.semaphore.available_permits();
                prop_assert!((1.0..=f64::from(most)).contains(&window.allowed));
                prop_assert!(held.len() <= most as usize);
                prop_assert_eq!(held.len() + free, window.existing as usize);
                // What exists beyond the window is held, never free.
                prop_assert!(free == 0 || window.existing <= window.target());
            }
            held.clear();
            let window = permits.window.lock().unwrap();
            prop_assert_eq!(permits.semaphore.available_permits(), window.target() as usize);
        }
    }
}
