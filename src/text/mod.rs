//! Pure helpers over text and numbers. Imports nothing else of the crate.

pub mod household;
pub mod mt19937;

mod visible;

pub use visible::visible;
