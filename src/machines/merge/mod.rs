//! Making one run of what was played in several places.

mod error;
mod merger;

pub use error::{Differs, MergeError, Version};
pub use merger::{Added, Merger};
