//! The core of rolecall: all that a world, a runtime or a command line builds on. It knows no world.
//!
//! Each module imports only what stands above it here:
//!
//! - [`domain`]: the words. Seats, moves, events, tasks, outcomes, seeds, and who sees what.
//! - [`text`], [`files`]: helpers over text and numbers; reading regular files of a sensible size.
//! - [`ports`]: the traits that a newcomer implements ([`prelude`] has them all), their errors and conformance suites.
//! - [`prompts`]: what models read of an episode, for roles and users alike.
//! - [`models`]: clients of language models; [`transformer`] is the small one inside the program.
//! - [`users`], [`roles`], [`people`], [`strategies`]: the implementations that serve any world.
//! - [`log`]: a run on disk, one thread that writes it, and the reader.
//! - [`evaluation`], [`reports`]: metrics of an episode, figures of a run, tables and transcripts.
//! - [`world`]: what a world brings.

#[macro_use]
mod names;

pub mod domain;
pub mod evaluation;
pub mod files;
pub mod log;
pub mod maps;
pub mod models;
pub mod people;
pub mod ports;
pub mod prelude;
pub mod prompts;
pub mod reports;
pub mod roles;
pub mod strategies;
pub mod text;
pub mod transformer;
pub mod users;
pub mod world;
