//! The seat of somebody who plays from elsewhere: a client of `rolecall serve`. While clients are let in, the
//! room `serve` puts its own participants here; in every other process nobody is there, and what was said
//! stands in the log.

use crate::ports::{RoleFactory, RoleSetup, SetupError, UserFactory, UserSetup, absent_role, absent_user};

/// The name of this implementation, and of this kind of user.
pub const NAME: &str = "remote";

/// Builds the role (registry entry `remote`).
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    Ok(absent_role(&nobody(setup.role.as_str())))
}

/// Builds the user (registry entry `remote`).
pub fn build_user(_: &UserSetup) -> Result<UserFactory, SetupError> {
    Ok(absent_user(&nobody("user")))
}

fn nobody(seat: &str) -> String {
    format!("no client plays this seat: `rolecall serve env CONFIG --seat {seat}` lets clients in")
}
