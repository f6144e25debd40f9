//! A server that asks one call to wait is not asked by the others either.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// A wait that people want to know of.
const MUCH: Duration = Duration::from_secs(60);

/// Until when nothing is sent.
#[derive(Debug, Default)]
pub(crate) struct Hold(Mutex<Option<Instant>>);

impl Hold {
    /// Holds everything back for so long, unless it is held back longer already. Whether that is
    /// much longer than before.
    pub(crate) fn extend(&self, wait: Duration) -> bool {
        let now = Instant::now();
        let Some(until) = now.checked_add(wait) else {
            return false;
        };
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = held.map_or(now, |before| before.max(now));
        *held = Some(before.max(until));
        until.saturating_duration_since(before) > MUCH
    }

    /// Whether something may be sent now.
    pub(crate) fn is_over(&self) -> bool {
        self.until().is_none()
    }

    /// The time from now on in which nothing is sent.
    pub(crate) fn left(&self) -> Duration {
        let now = Instant::now();
        let until = self.until().unwrap_or(now);
        until.saturating_duration_since(now)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_long_wait_is_said_once() {
        let (hold, hour) = (Hold::default(), Duration::from_secs(3600));
        assert!(!hold.extend(Duration::from_secs(5)));
        assert!(hold.extend(hour));
        assert!(!hold.extend(hour));
        hold.over().await;
        assert!(hold.extend(hour));
        assert!(!hold.extend(Duration::MAX));
    }
}
