//! Rule-based roles for household games: a competent player that uses only the public task, what it
//! observed and what it was told, alone ([`HouseholdPlayer`]) or as a cast of four; and the reflector
//! that writes down what a trial has shown.
//!
//! The knowledge of a role is a fold over its view of the transcript (`mind`, of `belief`, `talk` and what
//! it heard); what it does is a function of that (`decide`, and `pursue` for sub-goals). Keeping the
//! fold between turns is only a cache. The roles of a cast share code, never state: a sub-goal is a
//! sentence (`sub_goal`), a plan is what the planner said, and advice is what the user replied.

mod aba;
mod advice;
mod belief;
mod candidates;
#[cfg(test)]
mod cast_tests;
mod clarifier;
mod decide;
mod follow;
mod goal;
mod hear;
mod hearsay;
mod mind;
mod player;
mod prior;
mod pursue;
mod report;
mod room;
mod specialist;
mod speech;
mod sub_goal;
#[cfg(test)]
mod sub_goal_tests;
mod talk;

pub use clarifier::Clarifier;
pub use hearsay::Recall;
pub use player::{Habits, HouseholdPlayer};
pub use report::Chatter;
pub(super) use specialist::reflector;
pub(super) use specialist::thinker;
pub use talk::Wording;

use std::sync::Arc;

use super::language::{Command, Fact, Items, by_class, class_of, for_each_fact, indefinite, placements_in, split_name};
use super::memory::Query;
use belief::{Belief, Thing};
use decide::Decision;
use goal::{Goal, Need, Treatment};
use hearsay::Hint;
use mind::{Mind, brief};
use prior::Prior;
pub use prior::SearchOrder;
use rolecall_core::ports::{Parameter, Role, RoleFactory, RoleSetup, SetupError};
use room::{Access, KnownReceptacle};
use sub_goal::SubGoal;
use talk::{Report, Talk, Thought, Topic};

/// Whether the class is an object that people keep at home.
pub(super) fn is_kept_at_home(class: &str) -> bool {
    Prior::knows(class)
}

const TIDY: Parameter =
    Parameter::flag("tidy", true, "close again what was opened in vain, as ALFWorld's own rule-based expert does");

const PATIENCE: Parameter =
    Parameter::integer("patience", Some(3), 0..=50, "answers that lead nowhere before it stops asking");

/// The parameters of the player.
pub const PARAMETERS: &[Parameter] = &[
    TIDY,
    Parameter::choice(
        "thoughts",
        &["each-look", "each-class"],
        "think after each look in vain, or only when all receptacles of a class were seen",
    ),
    PATIENCE,
    Parameter::choice(
        "search",
        &["storage", "surfaces"],
        "where a search begins: where homes keep such things, or at what a glance is enough for",
    ),
    Parameter::choice(
        "manner",
        &["respact", "aba"],
        "whether it asks where to look first, or where all objects of the class are and which is preferred",
    ),
    Parameter::choice(
        "recall",
        &["none", "model", "module"],
        "what it recalls when the next task comes: nothing, what it noted for earlier tasks, or all that was seen and told",
    ),
    Parameter::choice(
        "chatter",
        &["each-action", "each-success"],
        "what it tells the user in `respact-im`: whatever it does and sees, with thanks for each reply, or only what has worked or failed",
    ),
];

/// The parameters of the clarifier.
pub const CLARIFIER_PARAMETERS: &[Parameter] = &[PATIENCE];

/// The parameters of the planner.
pub const PLANNER_PARAMETERS: &[Parameter] =
    &[TIDY, Parameter::integer("longest", Some(6), 1..=100, "the most steps in one plan")];

/// A factory of roles that `make` makes.
pub(super) fn factory<R: Role + 'static>(
    make: impl Fn() -> R + Send + Sync + 'static,
) -> Result<RoleFactory, SetupError> {
    Ok(Arc::new(move || Box::new(make()) as Box<dyn Role>))
}

/// Builds the player (registry entry `rules`).
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let habits = Habits {
        tidy: setup.parameters.flag("tidy"),
        reasons_after_each_look: setup.parameters.text("thoughts") != Some("each-class"),
        patience: setup.parameters.whole("patience").unwrap_or_default(),
        search: setup.parameters.choice("search"),
        phrasing: setup.parameters.choice("manner"),
        recall: setup.parameters.choice("recall"),
        chatter: setup.parameters.choice("chatter"),
    };
    factory(move || HouseholdPlayer::new(habits))
}

/// Builds the clarifier (registry entry `rules`).
pub fn build_clarifier(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let patience = setup.parameters.whole("patience").unwrap_or_default();
    factory(move || Clarifier::new(patience))
}

/// Builds the planner (registry entry `rules`).
pub fn build_planner(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let tidy = setup.parameters.flag("tidy");
    let longest = setup.parameters.whole("longest").unwrap_or(1);
    factory(move || specialist::planner(tidy, longest))
}
