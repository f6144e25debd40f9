//! Users, simulated and real. Imports the domain, the ports and text.

pub mod dialogue;
pub mod household;
pub mod human;
pub mod model;
