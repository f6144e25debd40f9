//! The draws of generated games and of what plays them.

use crate::text::Dice;

/// The stream of draws for a purpose, which a word and numbers identify.
pub(crate) fn dice(purpose: &str, numbers: &[u64]) -> Dice {
    Dice::new("rolecall household 1", purpose, numbers)
}
