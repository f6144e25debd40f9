//! Agents, by role and implementation. Imports the domain, the ports and text.

pub mod model;
pub mod reader;
pub mod scripted;
