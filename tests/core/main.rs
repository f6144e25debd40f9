//! The shared rooms: configs, casts and strategies under the runtime, roles, what worlds bring through ports.

#![allow(clippy::unwrap_used, reason = "a test may stop at once")]

mod analyses;
mod config;
mod figures;
mod free_text;
mod hearing;
mod heavy;
mod held_lines;
mod judges;
mod machines;
mod messages;
mod reader_properties;
mod relay;
mod rooms;
mod runtime_branch;
mod runtime_invariants;
mod shipped_prompts;
mod strategies_configs;
mod strategies_reflexion;
mod strategies_rounds;
#[path = "../support/mod.rs"]
mod support;
mod tools;
mod turns;
mod users;
