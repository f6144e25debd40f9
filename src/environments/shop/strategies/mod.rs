//! Strategies that only the shop is played with.

mod chatshop;

pub use chatshop::{NEXT, PARAMETERS, REASON, THEN, build};
