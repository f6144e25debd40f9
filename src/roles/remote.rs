//! The seat of somebody who plays from elsewhere: a client of `rolecall serve`. While clients are let in, the
//! room `serve` puts its own participants here; in every other process nobody is there, and what was said
//! stands in the log.

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::{Answer, Utterance};
use crate::ports::{
    Role, RoleError, RoleFactory, RoleSetup, SetupError, Turn, UserError, UserFactory, UserSetup,
    UserSimulator,
};

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

/// A role that is not here, which the text explains: what it said in a log stands, and it says nothing more.
pub fn absent_role(why: &str) -> RoleFactory {
    let why: Arc<str> = why.into();
    Arc::new(move || Box::new(Absent(Arc::clone(&why))))
}

/// A user who is not here, likewise.
pub fn absent_user(why: &str) -> UserFactory {
    let why: Arc<str> = why.into();
    Arc::new(move || Box::new(Absent(Arc::clone(&why))))
}

/// Somebody who is not here, and why.
struct Absent(Arc<str>);

#[async_trait]
impl Role for Absent {
    async fn take_turn(&mut self, _: &Turn) -> Result<Answer, RoleError> {
        Err(RoleError::Unavailable(self.0.to_string()))
    }

    fn is_external(&self) -> bool {
        true
    }
}

#[async_trait]
impl UserSimulator for Absent {
    async fn reply(&mut self, _: &Turn) -> Result<Utterance, UserError> {
        Err(UserError::Unavailable(self.0.to_string()))
    }

    fn is_external(&self) -> bool {
        true
    }
}
