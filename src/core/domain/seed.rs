//! Derived seeds: nobody shares a generator, so nobody shifts anybody else's draws.

use serde::{Deserialize, Serialize};

use super::Seat;

/// A seed for one purpose. Never drawn, always derived from what the purpose is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

/// The parts that a seed depends on besides the config's seed.
///
/// The cell is absent on purpose: cells play the same task with the same seed and are compared in
/// pairs. A retry has another `attempt` and so another seed.
#[derive(Clone, Copy, Debug)]
pub struct SeedParts<'a> {
    /// The task's id.
    pub task: &'a str,
    /// Number of the repeat of the task.
    pub repeat: u32,
    /// Trial within the episode.
    pub trial: u32,
    /// Round within the trial.
    pub round: u32,
    /// Whose seed it is.
    pub seat: &'a Seat,
    /// Turn number of the seat.
    pub turn: u32,
    /// Attempt within the turn.
    pub attempt: u32,
    /// Call within the attempt.
    pub call: u32,
}

impl Seed {
    /// Derives the seed for a purpose within an episode.
    pub fn derive(self, parts: &SeedParts<'_>) -> Self {
        let mut hasher = self.hasher(b"rolecall seed 1", [parts.task, parts.seat.as_str()]);
        let numbers = [parts.repeat, parts.trial, parts.round, parts.turn, parts.attempt, parts.call];
        for number in numbers {
            hasher.update(&number.to_le_bytes());
        }
        Self::first_eight(&hasher)
    }

    /// Derives a seed for a named purpose that is not a seat's turn, such as drawing a user.
    pub fn labelled(self, label: &str, task: &str, repeat: u32) -> Self {
        let mut hasher = self.hasher(b"rolecall label 1", [label, task]);
        hasher.update(&repeat.to_le_bytes());
        Self::first_eight(&hasher)
    }

    fn hasher(self, purpose: &[u8], texts: [&str; 2]) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        hasher.update(purpose);
        hasher.update(&self.0.to_le_bytes());
        for text in texts {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher
    }

    fn first_eight(hasher: &blake3::Hasher) -> Self {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Self(u64::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts<'a>(seat: &'a Seat, task: &'a str) -> SeedParts<'a> {
        SeedParts { task, repeat: 0, trial: 0, round: 0, seat, turn: 3, attempt: 0, call: 0 }
    }

    #[test]
    fn every_part_changes_the_seed() {
        let base = parts(&Seat::User, "t");
        let first = Seed(1).derive(&base);
        assert_eq!(first, Seed(1).derive(&base));
        let others = [
            Seed(2).derive(&base),
            Seed(1).derive(&SeedParts { task: "u", ..base }),
            Seed(1).derive(&SeedParts { repeat: 1, ..base }),
            Seed(1).derive(&SeedParts { trial: 1, ..base }),
            Seed(1).derive(&SeedParts { round: 1, ..base }),
            Seed(1).derive(&SeedParts { seat: &Seat::Environment, ..base }),
            Seed(1).derive(&SeedParts { turn: 4, ..base }),
            Seed(1).derive(&SeedParts { attempt: 1, ..base }),
            Seed(1).derive(&SeedParts { call: 1, ..base }),
        ];
        for other in others {
            assert_ne!(first, other);
        }
    }
}
