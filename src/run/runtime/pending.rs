//! The open request of an episode, and the turns of each seat.

use super::protocol::WorldStep;
use rolecall_core::domain::{Brief, Ending, Seat};

/// The turns of one seat so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeatTurns {
    pub(super) turns: u32,
    /// Number of events that the seat could look at in its last turn.
    pub(super) seen: usize,
}

/// The one open request.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) number: u32,
    pub(super) seat: Seat,
    pub(super) attempt: u32,
    /// Whether every attempt so far was answered, but with nothing that could be used.
    pub(super) answered: bool,
    /// The event that the answer is an answer to.
    pub(super) cause: u32,
    pub(super) asked: Asked,
}

/// The question of an open request.
#[derive(Debug)]
pub(super) enum Asked {
    Role(Brief),
    User,
    World { step: WorldStep, unsolved: Ending },
}
