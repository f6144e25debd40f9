//! The orders in which casts work, one file each. Imports domain, ports and text only.

mod turn_loop;

pub use turn_loop::{react, respact};
