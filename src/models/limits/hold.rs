//! A server that asks one call to wait is not asked by the others either.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Until when nothing is sent.
#[derive(Debug, Default)]
pub(crate) struct Hold(Mutex<Option<Instant>>);

impl Hold {
    /// Holds everything back for so long, unless it is held back longer already.
    pub(crate) fn extend(&self, wait: Duration) {
        let Some(until) = Instant::now().checked_add(wait) else {
            return;
        };
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(held.map_or(until, |before| before.max(until)));
    }

    /// Whether something may be sent now.
    pub(crate) fn is_over(&self) -> bool {
        self.until().is_none()
    }

    /// How long nothing is sent from now on.
    pub(crate) fn left(&self) -> Duration {
        self.until().map_or(Duration::ZERO, |until| {
            until.saturating_duration_since(Instant::now())
        })
    }

    /// Ends when something may be sent.
    pub(crate) async fn over(&self) {
        while let Some(until) = self.until() {
            sleep_until(until).await;
        }
    }

    fn until(&self) -> Option<Instant> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The clock is read only while something is held back.
        if held.is_some_and(|until| until <= Instant::now()) {
            *held = None;
        }
        *held
    }
}
