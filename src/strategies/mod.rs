//! The orders in which casts work, one file each. Imports the domain and the ports.

mod turn_loop;

pub use turn_loop::{react, respact};
