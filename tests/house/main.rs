//! Rules of the workspace as a whole: layers, dependencies, every line of the registry, documents, what may only fall.

#![allow(clippy::unwrap_used, reason = "a test may stop at once")]

mod conformance_ports;
mod dependencies;
mod documentation;
mod examples;
mod guide;
mod layering;
mod names;
mod new_command;
mod own_environment;
mod ratchet;
#[path = "../support/mod.rs"]
mod support;
