//! Persons in seats: people who play a role or the user, at the terminal or in a browser. What they see is the view of
//! their seat, and what they answer is on disk before it is used.
//!
//! - `sheet`: the text for a person; `question`: a turn that waits, and how an answer is read.
//! - `seat`: the role and the user that ask and wait; `terminal`: the one terminal of the process.
//!
//! Imports what roles and users may import, and these.

mod question;
mod seat;
mod sheet;
mod terminal;

use std::sync::Arc;

pub use question::{Question, Said};
pub use seat::{Reception, Sitting};
pub use sheet::{Line, Sheet};

use crate::ports::{Parameter, RoleFactory, RoleSetup, SetupError, UserFactory, UserSetup, absent_role, absent_user};
use crate::users::length::{MOST_TOKENS, MOST_WORDS, TOO_LONG};

/// The name of the implementation, and of the kind of user.
pub const NAME: &str = "human";

/// The places where a person may sit.
const AT: Parameter =
    Parameter::choice("at", &["terminal", "web"], "where the person sits: at the terminal, or in a browser");

/// The time that a person has.
const PATIENCE: Parameter = Parameter::text(
    "patience",
    None,
    "the time within which the person is to answer, such as \"90s\" or \"10m\"; absent: any",
)
.optional();

/// Who plays on.
const FALLBACK: Parameter = Parameter::text(
    "fallback",
    None,
    "the implementation, or the kind of user, that plays a turn whose `patience` is over; absent: the person is \
     asked again, up to `limits.attempts` times",
)
.optional();

/// The parameters of a role.
pub const PARAMETERS: &[Parameter] = &[AT, PATIENCE, FALLBACK];

/// The parameters of the user.
pub const USER_PARAMETERS: &[Parameter] = &[AT, PATIENCE, FALLBACK, MOST_WORDS, MOST_TOKENS, TOO_LONG];

/// Builds the role (registry entry `human`). In a browser nobody sits until a server says so.
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let sitting = Sitting::of(&setup.parameters)?;
    let world = setup.world.clone();
    Ok(if sitting.web { absent_role(NO_SERVER) } else { sitting.role(Arc::new(terminal::Terminal), world) })
}

/// Builds the user (registry entry `human`); see [`build`].
pub fn build_user(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let sitting = Sitting::of(&setup.parameters)?;
    let world = setup.world.clone();
    Ok(if sitting.web { absent_user(NO_SERVER) } else { sitting.user(Arc::new(terminal::Terminal), world) })
}

/// Why nobody answers.
const NO_SERVER: &str = "no web server runs where this person could sit";
