//! Whether the turns of an episode may call models.

use std::sync::atomic::{AtomicU8, Ordering};

use rolecall_core::domain::Limit;
use rolecall_core::ports::ModelError;

/// The limits on models, by their place in [`Allowance`].
pub(super) const LIMITS: [Limit; 3] = [Limit::ModelCalls, Limit::Tokens, Limit::Cost];

/// Whether a limit of the episode forbids further calls. The conductor sets it, turns read it.
#[derive(Debug, Default)]
pub(crate) struct Allowance(AtomicU8);

impl Allowance {
    /// Forbids further calls.
    pub(crate) fn exhaust(&self, limit: Limit) {
        let place = LIMITS.iter().position(|known| *known == limit);
        self.0.store(place.map_or(0, |place| place as u8 + 1), Ordering::Release);
    }

    /// Fails if a limit is used up.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        match self.0.load(Ordering::Acquire) {
            0 => Ok(()),
            number => Err(ModelError::OutOf(LIMITS[usize::from(number) - 1])),
        }
    }
}
