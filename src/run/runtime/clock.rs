//! The only clock of the runtime. What it measures goes into `timings.jsonl` and progress bars,
//! never into events.

use std::time::{Duration, Instant};

/// A moment on the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Instant);

impl Moment {
    /// This moment.
    #[expect(clippy::disallowed_methods, reason = "this is the place where clocks are read")]
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// Time since this moment.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
