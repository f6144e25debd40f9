//! What the core brings to every world, each thing played with a small world of the tests.

#![allow(clippy::unwrap_used)]

#[path = "../puppet/mod.rs"]
mod puppet;
#[path = "../support/mod.rs"]
mod support;

mod analyses;
mod figures;
mod free_text;
mod hearing;
mod heavy;
mod judges;
mod messages;
mod rooms;
mod tools;
mod turns;
mod users;
