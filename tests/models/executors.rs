//! Executors that a puppet plays in the toy world.

use std::sync::Arc;

use crate::support::puppet::{Puppet, reply};
use rolecall::config::PlannedRole;
use rolecall::ports::RoleSetup;

/// Shows everything that happened, as the papers do.
pub(super) const PLAIN: &str = "{{ first_observation }}\n{{ transcript }}\n>";

pub(super) fn role_of(setup: &RoleSetup) -> PlannedRole {
    PlannedRole {
        role: setup.role.clone(),
        implementation: "model".to_owned(),
        factory: rolecall::roles::model::build(setup).unwrap(),
    }
}

/// A puppet that says these things, one after the other, and then wins.
pub(super) fn saying(lines: &'static [&'static str]) -> Arc<Puppet> {
    Puppet::new("m", move |asked| Ok(reply(lines.get(asked.number).unwrap_or(&"win"))))
        .with(|profile| profile.chat = false)
}
