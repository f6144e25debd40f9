//! Users, simulated and real. Imports the domain, the ports and text.

pub mod length;
pub mod model;
pub mod revealer;

pub use length::shortened;
