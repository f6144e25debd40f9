//! Actors: the only module that knows actix.
//!
//! `conductor` and `participant` are plain code; `episode` and `seat` give them mailboxes; `launch`
//! starts episodes and `directory` knows which ones are alive. Imports everything but the
//! implementations, the reports and the command line.

mod allowance;
mod arbiters;
mod asking;
mod book;
mod calling;
mod casting;
mod check;
mod clock;
mod conductor;
#[cfg(test)]
mod conductor_tests;
mod directory;
mod episode;
mod episode_source;
mod hidden;
mod launch;
pub mod open_files;
mod orders;
mod outage_monitor;
mod participant;
mod protocol;
mod record;
mod replay;
mod requests;
mod resume_state;
mod seat;
mod seats;
mod slot;
mod watchdog;
mod writing;

pub use clock::Moment;
pub use directory::Directory;
pub use launch::{Launch, LaunchError, Launched, Observer};
pub use orders::{Client, EpisodeOrder, Orders, Over, QueuedEpisode};
pub use outage_monitor::ModelOutage;
pub use replay::{
    Difference, FirstPrompt, NoPrompt, Replay, ReplayError, Replayed, dry_run, first_prompt, rebuild_requests, replay,
    replay_run, verify,
};
pub use requests::{NotRebuilt, RebuiltCall, SentRequest};
pub use resume_state::{Misfit, ResumeState, ResumeStateError, misfit};
pub use watchdog::{Blocked, BlockedState};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value of a mutex, also after a panic of whoever held it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
