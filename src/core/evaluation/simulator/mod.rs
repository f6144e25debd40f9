//! The card of a simulated user: what it did that a user should not do, and what that costs the score.
//!
//! By rules over the log and the facts that the world knows the user to hold (`ports/held.rs`). After the failures of
//! simulated users that tau2-bench reports and the measures of Ask-F1 (HiL-Bench, arXiv 2604.09408).

mod card;
#[cfg(test)]
mod card_tests;
mod sums;

pub use card::{Known, UserCard, UserFault};
pub use sums::{Asking, SimulatedUser, UserFigures};
