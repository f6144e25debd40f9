//! Pure helpers over text and numbers. Imports nothing else of the crate.

pub mod household;
pub mod json;
pub mod mt19937;

mod counted;
mod visible;

pub use counted::counted;
pub use visible::visible;
