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

pub use player::{Habits, HouseholdPlayer};

use std::sync::Arc;

use crate::ports::{Parameter, ParameterKind, Role, RoleFactory, RoleSetup, SetupError};

/// What the player can be told.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "tidy",
        kind: ParameterKind::Flag { default: true },
        help: "close again what was opened in vain, as ALFWorld's own rule-based expert does",
    },
    Parameter {
        name: "thoughts",
        kind: ParameterKind::Choice {
            words: &["each-look", "each-class"],
        },
        help: "think after each look in vain, or only when all receptacles of a class were seen",
    },
    Parameter {
        name: "patience",
        kind: ParameterKind::Integer {
            default: Some(3),
            min: 0,
            max: 50,
        },
        help: "answers that lead nowhere before it stops asking",
    },
];

/// Builds the player (registry entry `rules`).
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let habits = Habits {
        tidy: setup.parameters.flag("tidy"),
        reasons_after_each_look: setup.parameters.text("thoughts") != Some("each-class"),
        patience: setup
            .parameters
            .integer("patience")
            .and_then(|answers| u8::try_from(answers).ok())
            .unwrap_or_default(),
    };
    Ok(Arc::new(move || {
        Box::new(HouseholdPlayer::new(habits)) as Box<dyn Role>
    }))
}
