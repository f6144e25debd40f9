//! Compares rolecall's worlds with recordings of the original programs, value by value.
//!
//! [`WORLDS`] lists a comparison for each world; [`kit`] is what they share.

pub mod booking;
pub mod dialogue;
pub mod household;
pub mod kit;
pub mod shop;
pub mod travel;

use kit::Compare;

/// The worlds with recordings, each with its comparison.
pub const WORLDS: &[(&str, Compare)] = &[
    ("household", household::compare),
    ("dialogue", dialogue::compare),
    ("shop", shop::compare),
    ("booking", booking::compare),
    ("travel", travel::compare),
];

/// Finds the comparison of a world.
pub fn comparison_of(world: &str) -> Option<Compare> {
    WORLDS.iter().find(|(name, _)| *name == world).map(|(_, compare)| *compare)
}
