//! Actors: the only module that knows actix.
//!
//! `conductor` and `participant` are plain code; `episode` and `seat` give them mailboxes; `launch`
//! starts episodes and `directory` knows which ones are alive. Imports everything but the
//! implementations, the reports and the command line.

mod allowance;
mod arbiters;
mod asking;
mod book;
mod branch;
mod calling;
mod casting;
mod check;
mod clock;
mod conductor;
#[cfg(test)]
mod conductor_tests;
mod difference;
mod directory;
mod episode;
mod hidden;
mod launch;
pub mod open_files;
mod over_log;
mod participant;
mod past;
mod pauses;
mod pending;
mod protocol;
mod record;
mod rehearse;
mod replay;
mod replay_run;
mod retrace;
mod seat;
mod seats;
mod slot;
mod stage;
mod watchdog;
mod work;
mod writing;

pub use branch::{Misfit, misfit};
pub use clock::Moment;
pub use difference::Difference;
pub use directory::{Directory, LiveEpisode};
pub use launch::{Launch, LaunchError, Launched, Observer};
pub use past::{Past, PastError};
pub use pauses::Complaint;
pub use rehearse::rehearse;
pub use replay::{Replay, redrive, replay};
pub use replay_run::{ReplayError, Replayed, replay_run};
pub use watchdog::{Blocked, BlockedState};
