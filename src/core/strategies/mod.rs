//! The orders in which casts work, one file or folder each. Imports the domain, the ports and the texts.

mod reflexion;
#[cfg(test)]
mod reflexion_tests;
mod relay;
#[cfg(test)]
mod relay_tests;
mod turn_loop;

pub use reflexion::{REFLEXION_PARAMETERS, REFLEXION_ROLES, reflexion};
pub use relay::{RELAY_PARAMETERS, relay};
pub use turn_loop::{TURN_LOOP_PARAMETERS, aba, react, react_im, respact, respact_im, respact_schema};
pub use turn_loop::{Turns, turn_loop};
