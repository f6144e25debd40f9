//! How travel is scored: plans, calls and questions, as the original programs do it, and plans as the constraints are
//! worded.

pub mod clarification;
mod complete;
pub mod execution;
mod hard;
pub mod plan;
pub mod reading;
mod ride;
mod route;
mod sandbox;
#[cfg(test)]
mod tests;
mod trip;
mod variety;
mod verdict;

pub use plan::{Field, Plan};
pub use verdict::{Checked, Commonsense, Crash, Hard, Quirks, Ruling, Verdict, judge};
