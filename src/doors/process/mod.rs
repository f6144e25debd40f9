//! Roles, users and environments in other processes, which speak `rolecall/1` (docs/processes.md). Imports
//! the ports and the wire.

mod client;
mod completions;
mod conformance;
mod errors;
mod seat;
mod setup;
mod source;
mod tries;
mod worker;
mod world;

use rolecall_core::domain::UserSees;
use rolecall_core::ports::{EnvironmentEntry, NoWords, RoleEntry, UserEntry};
use rolecall_core::world::WorldEntry;

pub use client::{Client, Kind, read_introduction};
pub use conformance::{Check, check};
pub use errors::ProcessError;
pub use seat::{ProcessSeat, read as read_answer};
pub use setup::{Whereabouts, is_secret_variable};
pub use source::ProcessTasks;

/// The name in configs.
pub const NAME: &str = "process";

/// Everything for the registry.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: &[EnvironmentEntry {
        name: NAME,
        summary: "a program of your own, in any language (docs/processes.md)",
        parameters: setup::ENVIRONMENT,
        words: &NoWords,
        build: source::build,
    }],
    roles: &[RoleEntry {
        name: NAME,
        summary: "a program of your own, in any language (docs/processes.md)",
        roles: &[],
        environments: &[],
        parameters: setup::SEAT,
        build: seat::build_role,
    }],
    users: &[UserEntry {
        name: NAME,
        summary: "a program of your own, in any language (docs/processes.md)",
        environments: &[],
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: setup::SEAT,
        build: seat::build_user,
    }],
    ..WorldEntry::EMPTY
};
