//! The real server of llama.cpp with a tiny random model, started by `tests/real_model.sh`.
//!
//! The model writes nonsense, so nothing here looks at what it says; a schema makes it say moves.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests stop at the first surprise and say what they skip"
)]

#[path = "../binary/mod.rs"]
mod binary;
mod client;
mod runs;
mod server;
