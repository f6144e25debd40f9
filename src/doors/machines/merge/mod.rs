//! Making one run of what was played in several places.

mod error;
mod merger;
mod parts;

pub use error::{Differs, MergeError, Version};
pub use merger::{Added, Merger};
pub use parts::{Merged, RunPart, merge};
