//! The real server of llama.cpp with a tiny random model, started by `tests/real_model.sh`.
//!
//! The model writes nonsense, so nothing here looks at what it says; a schema makes it say moves.

mod client;
mod dialogue;
mod runs;
mod server;
mod variants;
