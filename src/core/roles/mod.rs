//! Agents, by role and implementation. Imports the domain, the ports and text.

mod by_rules;
pub mod model;
pub mod reader;
pub mod remote;
pub mod scripted;

pub use by_rules::{Knowledge, by_rules, spoken};
