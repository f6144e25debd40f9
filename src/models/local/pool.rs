//! Prompts that were read before, so that only what is new of the next one is read. Bounded: what was used longest ago
//! is forgotten, and read once more if it comes back.

use std::sync::Mutex;

use crate::transformer::{Reading, Shape};

/// Bytes that all readings may take.
const MOST_BYTES: usize = 128 << 20;
/// Tokens of a common beginning that are worth copying.
const WORTH: usize = 16;

/// Readings by how long ago they were used: the latest stands last.
#[derive(Default)]
pub(super) struct Pool {
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    readings: Vec<Reading>,
    bytes: usize,
}

impl Pool {
    /// The longest beginning of these tokens that was read. At least one token is left to be read, since what follows
    /// the whole is not known of a beginning.
    pub(super) fn take(&self, tokens: &[u32], shape: &Shape) -> Reading {
        let mut held = self
            .held
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let common = |reading: &Reading| {
            let pairs = reading.tokens().iter().zip(tokens);
            pairs
                .take_while(|(own, new)| own == new)
                .count()
                .min(tokens.len().saturating_sub(1))
        };
        let best = held
            .readings
            .iter()
            .enumerate()
            .map(|(index, reading)| (common(reading), index));
        let Some((length, index)) = best.max() else {
            return Reading::default();
        };
        let whole = held.readings[index].tokens().len();
        // An episode that goes on takes its own; what several episodes share stays for the others.
        if whole <= length + 1 {
            let mut reading = held.readings.remove(index);
            held.bytes -= reading.bytes();
            reading.cut(length, shape);
            return reading;
        }
        match length < WORTH {
            true => Reading::default(),
            false => held.readings[index].beginning(length, shape),
        }
    }

    /// Keeps a reading for the next prompt.
    pub(super) fn keep(&self, reading: Reading) {
        let mut held = self
            .held
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        held.bytes += reading.bytes();
        held.readings.push(reading);
        while held.bytes > MOST_BYTES && held.readings.len() > 1 {
            let oldest = held.readings.remove(0);
            held.bytes -= oldest.bytes();
        }
    }
}
