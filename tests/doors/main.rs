//! The doors of rolecall: participants in other processes, and clients who play a seat.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test may stop at once and say why it skips"
)]

mod casts;
mod env_server;
mod lobby;
mod mcp;
mod mcp_servers;
mod nats;
#[path = "../house/guide/page.rs"]
mod page;
mod processes;
mod python;
mod sessions;
#[path = "../support/mod.rs"]
mod support;
mod web;
