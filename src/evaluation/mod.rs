//! Figures computed from logs: metrics per episode, and aggregation with intervals.
//!
//! Everything here is a pure function of [`EpisodeLog`](crate::ports::EpisodeLog): a report on an
//! old run gives the same numbers. Imports the domain, the ports and the log.

mod comparison;
mod interval;
mod measures;
pub mod metrics;
mod paired;
mod result;
mod spread;
mod stored;
mod student;
mod summary;
mod usage;

pub use comparison::Comparison;
pub use interval::{Estimate, mean, wilson};
pub use measures::Measures;
pub use paired::{Difference, Fourfold, mean_difference};
pub use result::{EpisodeResult, FaultCount, InvalidResult, Standing, measure, measure_run};
pub use spread::Spread;
pub use stored::stored_results;
pub use summary::{Group, Summary};
pub use usage::{CellUsage, ModelUse, SeatUsage, ServerUse};
