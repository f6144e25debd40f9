//! Language models: clients, their settings, and what a run keeps of calls.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test may stop at once and say why it skips"
)]

mod cache;
mod calls;
mod connections;
mod executors;
mod first_contact;
mod keys;
mod large;
mod local;
mod order;
mod recorded;
mod recorded_probe;
mod recorded_replies;
mod recorded_requests;
mod recorded_scores;
mod roles;
mod run;
mod secrets;
mod secrets_again;
mod spend;
#[path = "../support/mod.rs"]
mod support;
mod tools_as_text;
mod unreadable;
mod upstream;
mod usage;
mod variants;
mod whole_lines;
