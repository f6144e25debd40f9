//! What holds of the crate as a whole: layers, dependencies, every line of the registry, what is documented.

#![allow(clippy::unwrap_used, reason = "a test may stop at once")]

mod conformance_ports;
mod dependencies;
mod documentation;
mod examples;
mod guide;
mod layering;
mod names;
mod new_command;
#[path = "../support/mod.rs"]
mod support;
