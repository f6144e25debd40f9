//! Rule-based roles for dialogue tasks: a thinker, a planner, an executor and a clarifier that go by surface
//! cues ([`crate::cues`]), so that every method of dialogue can be played without a model. Modest and
//! honest: they repeat the dialogue and the sources in a few set phrases, and otherwise say that they do not
//! know.
//!
//! They keep nothing between turns: each answer is a function of the view. The brief says which answer is
//! wanted: its notation, or else the moves that are open (`relay`). Each subject has a file of its own:
//! `landmark` (sources), `tutor` and `counsel` (strategies); `player` has a newcomer for the strategies of own data.

mod advice;
mod clarifier;
mod counsel;
mod landmark;
mod player;
mod scene;
mod tutor;

pub use clarifier::Clarifier;
pub use player::{CastMember, DialoguePlayer};
pub use scene::Habits;

use std::sync::Arc;

use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, Role, RoleFactory, RoleSetup, SetupError};

const VOCABULARY: Parameter = Parameter::choice(
    "vocabulary",
    &["course", "dialogue"],
    "tutoring: whether it knows the words of a first course of Italian, German and Spanish, or only what the tutor has taught",
);

/// The parameters of the thinker.
pub const THINKER_PARAMETERS: &[Parameter] = parameters![
    flag("anticipates", true),
        "places: a thought names words that an answer may hold, which a query can use";
    => VOCABULARY
];

/// The parameters of the planner.
pub const PLANNER_PARAMETERS: &[Parameter] = parameters![
    choice("asks_persona", &["fitting", "always", "never"]),
        "places: whether a plan asks PERSONA: unless a bare fact is asked for, always, or never";
    => VOCABULARY
];

/// The parameters of the executor.
pub const EXECUTOR_PARAMETERS: &[Parameter] = &[VOCABULARY];

/// The parameters of the clarifier.
pub const CLARIFIER_PARAMETERS: &[Parameter] = parameters![
    integer("questions", Some(1), 0..=50), "how often it asks in one conversation at most";
];

/// Builds the thinker, planner or executor (registry entries `rules`).
pub fn build_player(part: CastMember, setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let habits = Habits {
        anticipates: setup.parameters.flag("anticipates"),
        asks_persona: match setup.parameters.text("asks_persona") {
            Some("always") => Some(true),
            Some("never") => Some(false),
            _ => None,
        },
        course: setup.parameters.text("vocabulary") != Some("dialogue"),
    };
    Ok(made(DialoguePlayer { part, habits }))
}

/// Builds the clarifier (registry entry `rules`).
pub fn build_clarifier(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    Ok(made(Clarifier { questions: setup.parameters.whole("questions").unwrap_or(1) }))
}

fn made(role: impl Role + Copy + Sync + 'static) -> RoleFactory {
    Arc::new(move || Box::new(role))
}
