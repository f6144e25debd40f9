//! Users, simulated and real.

pub mod household;
pub mod human;
