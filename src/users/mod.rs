//! Users, simulated and real. Imports the domain, the ports and text.

pub(crate) mod length;
pub mod model;
pub mod revealer;

pub(crate) use length::shortened;
