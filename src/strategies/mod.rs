//! The orders in which casts work, one file each. Imports the domain and the ports.

mod relay;
#[cfg(test)]
mod relay_tests;
mod turn_loop;

pub use relay::{RELAY_PARAMETERS, relay};
pub use turn_loop::{react, respact};
