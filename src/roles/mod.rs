//! Agents, by role and implementation.

pub mod household;
pub mod scripted;
