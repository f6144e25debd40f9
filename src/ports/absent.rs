//! Participants who are not in this process, where a log has what they said.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Role, RoleError, RoleFactory, Turn, UserError, UserFactory, UserSimulator};
use crate::domain::{Answer, Utterance};

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
