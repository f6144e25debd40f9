//! Faults inside an episode.

use serde::{Deserialize, Serialize};

use super::Seat;

/// A fault of one seat. It is an event of the episode, never only a line of tracing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who failed.
    pub seat: Seat,
    /// How.
    pub kind: FaultKind,
    /// The problem, for people; at most [`Fault::MESSAGE_LIMIT`] bytes.
    pub message: String,
    /// How often this seat had failed before in the same turn, from 0.
    pub attempt: u32,
}

impl Fault {
    /// The longest message that is kept, in bytes.
    pub const MESSAGE_LIMIT: usize = 500;

    /// Makes a fault, cutting a message that is too long.
    pub fn new(seat: Seat, kind: FaultKind, message: &str, attempt: u32) -> Self {
        let end = message.floor_char_boundary(Self::MESSAGE_LIMIT);
        Self { seat, kind, message: message[..end].to_owned(), attempt }
    }
}

/// The ways in which a participant can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// It panicked.
    Panic,
    /// It did not answer before the deadline of the turn.
    Deadline,
    /// It said that it could not go on.
    Error,
    /// Its answer could not be used: no move, a move that is not open, nonsense.
    Unusable,
    /// Its answer was larger than allowed.
    TooLarge,
    /// Something that it depends on (a model server, a process) was not there.
    Unavailable,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_at_a_letter() {
        let fault = Fault::new(Seat::User, FaultKind::Error, &"é".repeat(400), 0);
        assert!(fault.message.len() <= Fault::MESSAGE_LIMIT);
        assert!(fault.message.chars().all(|letter| letter == 'é'));
    }
}
