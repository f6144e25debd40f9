//! Building a seat, with whoever plays on where a person lets the time of a turn go by.

use super::error::{instead, quoted};
use super::parameters::{find, names, set_up, suits};
use super::walk::Section;
use crate::registry::{HUMAN, REMOTE};
use rolecall_core::ports::{
    Entry, Parameters, RoleEntry, RoleFactory, RoleSetup, SetupError, UserEntry, UserFactory, UserSetup, role_or_other,
    user_or_other,
};

/// The key by which a seat names who plays on.
const KEY: &str = "fallback";

/// The role, with the implementation that plays on if a person's table names one.
pub(super) fn role(
    section: &Section<'_>,
    setup: &RoleSetup,
    entry: &RoleEntry,
    environment: Option<&str>,
) -> Option<RoleFactory> {
    let first = set_up(section, (entry.build)(setup))?;
    let Some(name) = named(entry, &setup.parameters) else {
        return Some(first);
    };
    let role = setup.role.as_str();
    let fits = |entry: &&RoleEntry| suits(entry.roles, role) && suits(entry.environments, environment);
    let entries = section.context.registry.roles.iter().copied().filter(fits);
    let other = other(section, name, entries)?;
    let setup = RoleSetup { parameters: Parameters::defaults(other.parameters), ..setup.clone() };
    built(section, name, (other.build)(&setup)).map(|other| role_or_other(first, other))
}

/// The user, with the kind that plays on, likewise.
pub(super) fn user(
    section: &Section<'_>,
    setup: &UserSetup,
    entry: &UserEntry,
    environment: Option<&str>,
) -> Option<UserFactory> {
    let first = set_up(section, (entry.build)(setup))?;
    let Some(name) = named(entry, &setup.parameters) else {
        return Some(first);
    };
    let fits = |entry: &&UserEntry| suits(entry.environments, environment);
    let entries = section.context.registry.users.iter().copied().filter(fits);
    let other = other(section, name, entries)?;
    let setup = UserSetup { parameters: Parameters::defaults(other.parameters), ..setup.clone() };
    built(section, name, (other.build)(&setup)).map(|other| user_or_other(first, other))
}

/// The name of whoever plays on for a person.
fn named<'a>(entry: &impl Entry, parameters: &'a Parameters) -> Option<&'a str> {
    parameters.text(KEY).filter(|_| entry.name() == HUMAN)
}

/// The entry of the name. Nobody who may let time go by as well is meant.
fn other<E: Entry>(section: &Section<'_>, name: &str, entries: impl Iterator<Item = &'static E>) -> Option<&'static E> {
    let waits = |entry: &&E| [HUMAN, REMOTE].contains(&entry.name());
    let entries: Vec<&'static E> = entries.filter(|entry| !waits(entry)).collect();
    let found = find(&entries, name);
    if found.is_none() {
        let instead = instead(name, &names(entries.iter().copied()));
        section.wrong(KEY, format!("is {}, who cannot play on here{instead}", quoted(name)));
    }
    found
}

fn built<T>(section: &Section<'_>, name: &str, built: Result<T, SetupError>) -> Option<T> {
    let report = |error: SetupError| {
        let key = error.key.map(|key| format!("`{key}` ")).unwrap_or_default();
        let problem = format!("is `{name}`, which cannot play on without a table of its own: {key}{}", error.problem);
        section.wrong(KEY, problem);
    };
    built.map_err(report).ok()
}
