//! rolecall plays *episodes*: one task, one environment, perhaps a user, and a cast of roles, each
//! an actor of its own. A config file names who takes part; everything that happens is an event in
//! a log; every figure is computed from that log.
//!
//! # The map
//!
//! Each module imports only what stands above it here (`tests/house/layering.rs`):
//!
//! - [`domain`]: the words. Seats, moves, events, tasks, outcomes, seeds, and who sees what.
//! - [`text`], [`files`]: helpers over text and numbers; reading regular files of a sensible size.
//! - [`ports`]: the traits that a newcomer implements ([`prelude`] has them all), their errors and
//!   conformance suites.
//! - [`prompts`]: what models read of an episode, for roles and users alike.
//! - [`models`]: clients of language models.
//! - [`users`], [`roles`], [`strategies`]: the implementations that serve any world.
//! - [`log`]: a run on disk, one thread that writes it, and the reader.
//! - [`evaluation`], [`reports`]: metrics of an episode, figures of a run, tables and transcripts.
//! - [`conformance`], [`world`]: the kit for recordings; what a world brings.
//! - [`environments`]: one room per world, with everything of it.
//! - [`wire`], [`process`], [`mcp`]: JSON-RPC in lines; participants in other processes; MCP.
//! - [`registry`]: the table of every name that a config can write.
//! - [`config`]: from files, variables and options to a [`Plan`](config::Plan) without open names.
//! - [`runtime`]: conductors and seats; the only module that knows actors.
//! - [`rating`]: what raters are asked, and where their labels are kept.
//! - [`serve`]: clients play a seat.
//! - [`export`]: runs as rows for training, and as other programs read them.
//! - [`cli`]: one file or folder per subcommand; the only module that prints.
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
//! # Using it as a library
//!
//! `examples/own_role.rs` and `examples/own_environment.rs` add entries of their own to
//! [`Registry::standard`](registry::Registry::standard), resolve a config against it with
//! [`config::load`] and play it with [`runtime::Launch`]; `examples/read_log.rs` reads a finished run
//! with [`log::RunLog`].
//!
//! `docs/architecture.md` tells the whole of it, with the invariants and the test of each.

#[macro_use]
mod names;

pub mod cli;
pub mod config;
pub mod conformance;
pub mod domain;
pub mod environments;
pub mod evaluation;
pub mod export;
pub mod files;
pub mod log;
pub mod machines;
mod maps;
pub mod mcp;
pub mod models;
pub mod people;
pub mod ports;
pub mod prelude;
pub mod process;
pub mod prompts;
pub mod rating;
pub mod registry;
pub mod reports;
pub mod roles;
pub mod runtime;
pub mod serve;
pub mod strategies;
pub mod text;
#[cfg(feature = "train")]
pub mod training;
pub mod transformer;
pub mod users;
pub mod wire;
pub mod world;
