//! Users, simulated and real. Imports the domain, the ports and text.

pub(crate) mod length;
pub mod model;

pub(crate) use length::shortened;
