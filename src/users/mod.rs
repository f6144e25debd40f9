//! Users, simulated and real. Imports the domain, the ports and text.

pub mod human;
mod length;
pub mod model;

pub(crate) use length::shortened;
