//! Pure helpers over text and numbers. Imports nothing else of the crate.

pub mod bm25;
pub mod cues;
pub mod dialogue;
pub mod household;
pub mod json;
pub mod json_repair;
pub mod mt19937;
pub mod overlap;
pub mod template;

mod counted;
mod visible;

pub use counted::counted;
pub use visible::visible;
