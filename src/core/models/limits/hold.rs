//! A server that asks one call to wait is not asked by the others either.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Zoned;
use tokio::time::{Instant, sleep_until};

/// A wait that people want to know of.
const MUCH: Duration = Duration::from_secs(60);

/// Until when nothing is sent.
#[derive(Debug, Default)]
pub(crate) struct Hold(Mutex<Option<Held>>);

#[derive(Clone, Copy, Debug)]
struct Held {
    until: Instant,
    /// Wait that the server asked for.
    asked: Duration,
}

impl Hold {
    /// Holds everything back for so long, unless it is held back longer already. The server `asked` for a
    /// wait that may be longer. Whether that is much longer than before.
    pub(crate) fn extend(&self, wait: Duration, asked: Duration) -> bool {
        let now = Instant::now();
        let Some(until) = now.checked_add(wait) else {
            return false;
        };
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = held.map_or(now, |held| held.until.max(now));
        if until > before {
            *held = Some(Held { until, asked });
        }
        until.saturating_duration_since(before) > MUCH
    }

    /// Whether something may be sent now.
    pub(crate) fn is_over(&self) -> bool {
        self.held().is_none()
    }

    /// By what calls are held, and until when, if that is longer than this from now on.
    pub(crate) fn reason(&self, longer: Duration) -> Option<String> {
        let Held { until, asked } = self.held()?;
        let left = until.saturating_duration_since(Instant::now());
        if left <= longer {
            return None;
        }
        // In whole seconds, so that one wait has one text.
        let end = Zoned::now().checked_add(left).ok()?;
        let end = end.round(jiff::Unit::Second).ok()?;
        Some(format!(
            "held until {} (Retry-After): its server asks to wait {} s",
            end.strftime("%H:%M:%S"),
            asked.as_secs_f64().round()
        ))
    }

    /// Ends when something may be sent.
    pub(crate) async fn over(&self) {
        while let Some(held) = self.held() {
            sleep_until(held.until).await;
        }
    }

    fn held(&self) -> Option<Held> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The clock is read only while something is held back.
        if held.is_some_and(|held| held.until <= Instant::now()) {
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
        let extend = |wait| hold.extend(wait, wait);
        assert!(!extend(Duration::from_secs(5)));
        assert!(extend(hour));
        assert!(!extend(hour));
        hold.over().await;
        assert!(extend(hour));
        assert!(!extend(Duration::MAX));
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_says_what_holds_and_until_when() {
        let hold = Hold::default();
        let second = Duration::from_secs(1);
        assert_eq!(hold.reason(second), None);
        hold.extend(600 * second, 86400 * second);
        let told = hold.reason(second).unwrap();
        let (held, why) = told.split_once(": ").unwrap();
        assert_eq!(why, "its server asks to wait 86400 s");
        let time = held.strip_prefix("held until ").unwrap().strip_suffix(" (Retry-After)").unwrap();
        assert!(time.parse::<jiff::civil::Time>().is_ok(), "{told}");
        // A shorter one changes nothing.
        hold.extend(second, second);
        assert!(hold.reason(599 * second).is_some());
        assert_eq!(hold.reason(600 * second), None);
    }
}
