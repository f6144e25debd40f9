//! From a config as it was written to a run that can be started.

mod plan;

pub use plan::{Cell, Limits, Plan, PlannedRole, PlannedUser, RunSettings};
