//! A rule-based executor for household games: a competent player that uses only the public task,
//! what it observed and what it was told.
//!
//! What it knows is a fold over its view of the transcript (`belief`, `talk`); what it does
//! is a function of that (`decide`). Keeping the fold between turns is only a cache.

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

use crate::ports::{Parameter, ParameterKind, Role, RoleFactory, RoleSetup, SetupError};

/// What the player can be told.
pub const PARAMETERS: &[Parameter] = &[Parameter {
    name: "tidy",
    kind: ParameterKind::Flag { default: true },
    help: "close again what was opened in vain, as ALFWorld's own rule-based expert does",
}];

/// Builds the player (registry entry `rules`).
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let tidy = setup.parameters.flag("tidy");
    Ok(Arc::new(move || {
        Box::new(HouseholdPlayer::new(tidy)) as Box<dyn Role>
    }))
}
