//! The state that all pages share, and what the program does for them.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;

use super::overviews::Overviews;
use super::seat::holders::Holders;
use super::snapshot::Runs;
use crate::serve::access::Access;
use crate::serve::{Closing, Lobby};
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::RunLog;
use rolecall_run::registry::Registry;
use rolecall_run::runtime::RebuiltCall;

/// A seat that somebody wants to take.
#[derive(Clone, Debug, Deserialize)]
pub struct TakeSeat {
    /// The name of the run.
    pub run: String,
    /// The episode.
    pub episode: String,
    /// The seat.
    pub seat: String,
    /// The number of the event at or before which it is taken.
    pub at: u32,
}

/// Services of the program for its site.
pub trait Program: Send + Sync {
    /// A call of a model with the request that it answers, made again from the log.
    ///
    /// # Errors
    /// Why it cannot be had.
    fn request(&self, run: &RunLog, episode: &EpisodeId, seq: u32) -> Result<RebuiltCall, String>;

    /// Whether people may play here.
    fn may_play(&self) -> bool;

    /// Begins a branch in which a person takes a seat, and gives its name.
    ///
    /// # Errors
    /// Why there is none.
    fn take_seat(&self, order: &TakeSeat) -> Result<String, String>;
}

/// State that all pages share.
pub(super) struct Shared {
    pub(super) runs: Runs,
    pub(super) overviews: Overviews,
    pub(super) program: Arc<dyn Program>,
    pub(super) lobby: Option<Lobby>,
    /// Who has a ticket for a seat.
    pub(super) holders: Holders,
    pub(super) registry: Registry,
    pub(super) access: Access,
    pub(super) address: SocketAddr,
    pub(super) closing: Closing,
}

/// The state as handlers get it.
pub(super) type Known = State<Arc<Shared>>;
