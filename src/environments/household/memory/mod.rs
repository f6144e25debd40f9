//! The memory from turn to turn and from task to task: where objects were seen or are said to be.
//!
//! A memory is a fold over a view, so keeping it between turns is only a cache; any role can have one.

mod query;
mod sightings;

pub use query::Query;
pub use sightings::Sightings;
