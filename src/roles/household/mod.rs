//! A rule-based executor for household games: a competent player that uses only the public task,
//! what it observed and what it was told.
//!
//! What it knows is a fold over its view of the transcript ([`belief`], [`talk`]); what it does
//! is a function of that ([`decide`]). Keeping the fold between turns is only a cache.

mod advice;
mod belief;
mod decide;
mod goal;
mod player;
mod prior;
mod room;
mod speech;
mod talk;

pub use player::HouseholdPlayer;

use std::sync::Arc;

use crate::ports::{Role, RoleFactory, RoleSetup, SetupError};

/// Builds the player (registry entry `rules`).
pub fn build(_: &RoleSetup) -> Result<RoleFactory, SetupError> {
    Ok(Arc::new(|| {
        Box::new(HouseholdPlayer::default()) as Box<dyn Role>
    }))
}
