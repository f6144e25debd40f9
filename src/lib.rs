//! rolecall plays *episodes*: one task, one environment, perhaps a user, and a cast of roles, each
//! an actor of its own. A config file names who takes part; everything that happens is an event in
//! a log; every figure is computed from that log.
//!
//! # The map
//!
//! This crate names the worlds and nothing else does; whatever it exports lives in a crate below:
//!
//! - `rolecall-core`: [`domain`], [`text`], [`files`], [`ports`], [`prompts`], [`models`], [`users`], [`roles`],
//!   [`people`], [`strategies`], [`log`], [`evaluation`], [`reports`], [`world`].
//! - one crate for each world, listed in [`worlds`]: they know the core only.
//! - `rolecall-run`: [`registry`], [`config`], [`runtime`], [`rating`].
//! - `rolecall-doors`: [`wire`], [`process`], [`mcp`], [`serve`], [`machines`], [`export`].
//! - `rolecall-training`: trains the small model inside the program (feature `train`).
//! - `rolecall-cli`: [`cli`], one file or folder per subcommand; the only crate that prints.
//!
//! # One turn
//!
//! Participants talk to nobody but the conductor, the actor of their episode
//! (`runtime/conductor.rs`; `runtime/episode.rs` gives it a mailbox). For each turn it
//!
//! 1. asks the [`Strategy`](ports::Strategy), a fold over the events so far, for a
//!    [`Directive`](ports::Directive): brief a role, perform an action, tell the user something;
//! 2. records that as an [`Event`](domain::Event), folds it into the strategy and hands it to the
//!    log;
//! 3. sends the one open request to a seat, with a [`View`](domain::View) of what that seat may see;
//! 4. gets an answer from the seat, which asks its participant under a deadline and catches its
//!    panics; a late answer changes nothing, an unusable one is a fault and is asked for again;
//! 5. records the answer, folds it into the strategy, and goes on with step 1 until the strategy
//!    says [`Close`](ports::Directive::Close).
//!
//! # A world, a role, a metric of one's own
//!
//! A package that depends on this crate hands its entries in and gets every command
//! (`examples/own_environment`, written by `rolecall new environment NAME --crate`):
//!
//! ```no_run
//! # use rolecall::world::WorldEntry;
//! # static CORRIDOR: WorldEntry = WorldEntry::EMPTY;
//! fn main() -> std::process::ExitCode {
//!     rolecall::main(rolecall::worlds().with(&CORRIDOR))
//! }
//! ```
//!
//! Without the command line, [`config::load`] resolves a config against a registry and [`runtime::Launch`] plays it
//! (`examples/own_role.rs`); `examples/read_log.rs` reads a finished run with [`log::RunLog`].
//!
//! `docs/architecture.md` tells the whole of it, with the invariants and the test of each.

pub use rolecall_cli as cli;
pub use rolecall_core::{
    domain, evaluation, files, log, models, people, ports, prelude, prompts, reports, roles, strategies, text,
    transformer, users, world,
};
pub use rolecall_doors::{export, machines, mcp, process, serve, wire};
pub use rolecall_run::{config, rating, registry, runtime};
#[cfg(feature = "train")]
pub use rolecall_training as training;

use std::process::ExitCode;

use registry::Registry;
use world::WorldEntry;

/// The worlds that this build has.
pub mod environments {
    #[cfg(feature = "booking")]
    pub use rolecall_booking as booking;
    #[cfg(feature = "dialogue")]
    pub use rolecall_dialogue as dialogue;
    #[cfg(feature = "household")]
    pub use rolecall_household as household;
    #[cfg(feature = "shop")]
    pub use rolecall_shop as shop;
    #[cfg(feature = "travel")]
    pub use rolecall_travel as travel;
}

/// The worlds of this build, in the order in which they are listed.
static WORLDS: &[&WorldEntry] = &[
    #[cfg(feature = "household")]
    &environments::household::ENTRIES,
    #[cfg(feature = "dialogue")]
    &environments::dialogue::ENTRIES,
    #[cfg(feature = "shop")]
    &environments::shop::ENTRIES,
    #[cfg(feature = "booking")]
    &environments::booking::ENTRIES,
    #[cfg(feature = "travel")]
    &environments::travel::ENTRIES,
    &mcp::ENTRIES,
    &process::ENTRIES,
];

/// Configs, persona cards and prompts of this package: path and content, sorted by path. The build script finds them.
static SHIPPED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The registry of this build: its worlds, and all that serves any world. Also makes the shipped files readable.
pub fn worlds() -> Registry {
    files::shipped::provide(SHIPPED);
    Registry::of(WORLDS.iter().copied())
}

/// The program: runs the command that the arguments name against a registry. The shipped files are readable in it.
pub fn main(registry: Registry) -> ExitCode {
    files::shipped::provide(SHIPPED);
    cli::main(registry)
}
