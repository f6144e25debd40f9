//! Prompts that were read before, so that only what is new of the next one is read. Bounded: what nobody came back for is
//! forgotten first, and read once more if it comes back.

use std::sync::Mutex;

use crate::transformer::{Reading, Shape};

/// Bytes that all readings may take.
const MOST_BYTES: usize = 80 << 20;
/// Readings after which one is thought to be of an episode that has ended.
const STALE: u64 = 512;
/// Tokens of a common beginning that are worth copying.
const WORTH: usize = 16;

/// Readings by how long ago they were used: the latest stands last.
#[derive(Default)]
pub(super) struct Pool {
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    /// Each with the number under which it was kept.
    readings: Vec<(u64, Reading)>,
    bytes: usize,
    /// Readings that were ever kept.
    kept: u64,
}

impl Pool {
    /// The longest beginning of these tokens that was read. At least one token is left to be read, since what follows
    /// the whole is not known of a beginning.
    pub(super) fn take(&self, tokens: &[u32], shape: &Shape) -> Reading {
        let mut held = self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let common = |reading: &Reading| {
            reading
                .tokens()
                .iter()
                .zip(tokens)
                .take_while(|(held, new)| held == new)
                .count()
                .min(tokens.len().saturating_sub(1))
        };
        let Some((length, index)) =
            held.readings.iter().enumerate().map(|(index, (_, reading))| (common(reading), index)).max()
        else {
            return Reading::default();
        };
        let whole = held.readings[index].1.tokens().len();
        // An episode that goes on takes its own; what several episodes share stays for the others.
        if whole <= length + 1 {
            let (_, mut reading) = held.readings.remove(index);
            held.bytes -= reading.bytes();
            reading.cut(length, shape);
            return reading;
        }
        match length < WORTH {
            true => Reading::default(),
            false => held.readings[index].1.beginning(length, shape),
        }
    }

    /// Keeps a reading for the next prompt. If there is no room, stale ones go; if there are none, this one is not kept:
    /// where more episodes take turns than have room, forgetting the oldest would serve none of them.
    pub(super) fn keep(&self, reading: Reading) {
        let mut held = self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        held.kept += 1;
        let number = held.kept;
        while held.bytes + reading.bytes() > MOST_BYTES {
            match held.readings.first() {
                Some((kept, _)) if kept + STALE < number => {
                    let (_, oldest) = held.readings.remove(0);
                    held.bytes -= oldest.bytes();
                }
                _ => return,
            }
        }
        held.bytes += reading.bytes();
        held.readings.push((number, reading));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { vocabulary: 1, width: 1024, layers: 1, heads: 1, before: 0 };

    /// A reading of 1,000 tokens (8 MB) of an episode.
    fn reading(episode: u32) -> Reading {
        Reading::sample(&vec![episode; 1000], &SHAPE)
    }

    /// Whether what was read of the episode is there, as its next turn would find out.
    fn goes_on(pool: &Pool, episode: u32) -> bool {
        let found = pool.take(&vec![episode; 1001], &SHAPE).tokens().len() == 1000;
        pool.keep(reading(episode));
        found
    }

    #[test]
    fn where_more_episodes_take_turns_than_have_room_some_are_served_and_ended_ones_make_room() {
        let pool = Pool::default();
        let round = |episodes: std::ops::Range<u32>| episodes.filter(|episode| goes_on(&pool, *episode)).count();
        assert_eq!(round(1..41), 0);
        assert!((6..=10).contains(&round(1..41)));
        assert!((6..=10).contains(&round(1..41)));
        assert_eq!(round(50..60), 0);
        for _ in 0..60 {
            round(50..60);
        }
        assert_eq!(round(50..60), 10);
    }
}
