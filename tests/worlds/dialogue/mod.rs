//! Dialogue tasks.

mod canary;
mod checks;
mod conversation;
mod data;
mod dense;
mod likeness;
mod measures;
mod models;
mod own;
mod players;
mod prompts;
mod tables;
