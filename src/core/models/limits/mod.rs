//! Limits of what a model is asked at once and per minute, and the pauses that its server asks for.

mod hold;
mod permits;
mod rate;

pub(crate) use hold::Hold;
pub(crate) use permits::{Permit, Permits};
pub(crate) use rate::{Rates, Reserved};
