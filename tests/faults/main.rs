//! What may break while a run goes on: participants, models, processes and the machine.
//!
//! Most of these tests wait for clocks of the runtime, and sit here together so that no neighbour that
//! computes takes the processors from them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop at once and say why it skips")]

// Other builds have no steps at which they can be killed.
#[cfg(all(unix, debug_assertions))]
mod kill;
mod kill_resume;
mod limits;
mod matrix;
mod models;
#[cfg(unix)]
mod open_files;
mod runtime;
#[cfg(unix)]
mod signals;
#[path = "../support/mod.rs"]
mod support;
mod watchdog;
#[cfg(unix)]
mod workers;
