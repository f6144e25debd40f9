//! Figures computed from logs: metrics per episode, and aggregation with intervals.
//!
//! Everything here is a pure function of [`EpisodeLog`](crate::ports::EpisodeLog): a report on an
//! old run gives the same numbers. Imports the domain, the ports, the log and text.

mod advice;
pub mod analyses;
mod bootstrap;
mod comparison;
mod corpus_comparison;
mod distributions;
mod equivalence;
mod exchanges;
mod figure_difference;
mod headlines;
mod interval;
pub mod labels;
mod measures;
mod mentioned_entities;
pub mod metrics;
mod normalise;
mod overlap;
mod packed;
mod paired;
mod pairing;
mod pass;
mod power;
mod question_detector;
mod randomisation_test;
mod result;
mod sequential;
mod shapley;
mod sign_flip_test;
#[cfg(test)]
mod simulation_tests;
pub mod simulator;
mod stored;
mod summary;
mod timing;
mod usage;
pub mod variance;
#[cfg(test)]
mod variance_tests;

pub use comparison::{Comparison, Flip, MeanDifference, flips, holm};
pub use corpus_comparison::{CorpusDifference, ResponsePairs};
pub use equivalence::{Equivalence, Verdict};
pub use exchanges::{Exchange, exchanges};
pub use figure_difference::{FigureDifference, TaskMeasurement, TaskTally, estimate_by_task};
pub use headlines::{Headlines, SUCCESS};
pub use interval::{Bounded, Estimate, Spread, wilson};
pub use measures::Measures;
pub use metrics::Detail;
pub use normalise::{holds, normalise};
pub use overlap::{Corpus, Overlap, Overlaps};
pub use paired::Fourfold;
pub use pairing::{CellEpisodes, Pair, Pairable, Pairs};
pub use pass::Pass;
pub use power::Power;
pub use question_detector::DetectedQuestion;
pub use result::{EpisodeResult, FaultCount, InvalidResult, KIND, Played, Seal, Standing, measure};
pub use sequential::{Sequential, Taken};
pub use shapley::{SeatShare, SeatShares};
pub use stored::{ResultFiles, Stored, StoredResult, difference, measure_run, recorded_or_measured, stored_results};
pub use summary::{Breakdown, Group, Summary, estimate, estimate_of, in_order, metric_names};
pub use timing::{Arm, BestTime, Forked, Price, Timing, TimingPoint, UTILITY, question_times};
pub use usage::{CellUsage, ModelUse, SeatUsage, ServerUse};

use usage::usage;
