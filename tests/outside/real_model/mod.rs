//! The real server of llama.cpp with a tiny random model, started by `tests/real_model.sh`.
//!
//! The model writes nonsense, so nothing here looks at what it says; a schema makes it say moves.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "helpers of tests stop at the first surprise, say what they skip, and wait on threads of \
              their own"
)]

#[path = "../binary/mod.rs"]
mod binary;
mod client;
mod dialogue;
mod runs;
mod server;
mod variants;
