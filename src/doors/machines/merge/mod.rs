//! Making one run of what was played in several places.

mod merger;
mod parts;

pub use merger::{Added, Differs, MergeError, Merger, Version};
pub use parts::{Merged, RunPart, merge};
