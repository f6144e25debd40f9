//! Actors: the only module that knows actix.
//!
//! `conductor` and `participant` are plain code; `episode` and `seat` give them mailboxes; `launch`
//! starts episodes and `directory` knows which ones are alive. Imports everything but the
//! implementations, the reports and the command line.

mod allowance;
mod asking;
mod book;
mod calling;
mod check;
mod clock;
mod conductor;
#[cfg(test)]
mod conductor_tests;
mod directory;
mod episode;
mod launch;
mod participant;
mod pauses;
mod pending;
mod protocol;
mod record;
mod redrive;
mod rehearse;
mod seat;
mod seats;

pub use clock::Moment;
pub use directory::{Directory, LiveEpisode};
pub use launch::{Launch, LaunchError, Launched, Observer};
pub use pauses::Complaint;
pub use redrive::{Difference, redrive};
pub use rehearse::rehearse;
