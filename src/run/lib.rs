//! Runs: from a registry and a config to played episodes. Knows the core and no world.
//!
//! - [`registry`]: the table of every name that a config can write; worlds are handed in.
//! - [`config`]: from files, variables and options to a [`Plan`](config::Plan) without open names.
//! - [`runtime`]: conductors and seats; the only module that knows actors.
//! - [`rating`]: what raters are asked, and where their labels are kept.

pub mod config;
pub mod rating;
pub mod registry;
pub mod runtime;
