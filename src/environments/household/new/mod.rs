//! The files that `rolecall new KIND NAME --environment household` writes.

use crate::world::Starter;

/// A role that looks everywhere once, and a user who forgets.
pub(super) static STARTERS: &[Starter] = &[
    Starter {
        kind: "role",
        summary: "looks everywhere once, and puts away what the task names",
        code: include_str!("role.rs.txt"),
        config: include_str!("role.toml.txt"),
        script: None,
    },
    Starter {
        kind: "user",
        summary: "knows the same as `helpful`, and sometimes cannot remember it",
        code: include_str!("user.rs.txt"),
        config: include_str!("user.toml.txt"),
        script: None,
    },
];
