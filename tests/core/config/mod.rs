//! Configs, from the text of a file to a plan or to every problem that it has.

mod asking;
mod bad;
mod casts;
mod check;
mod layers;
mod matrix;
mod models;
mod personas;
mod properties;
mod resolved;
mod schema;
mod search;
mod shipped;
mod support;
mod swaps;
