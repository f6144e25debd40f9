//! Analyses of what agents do and say: the figures behind ReSpAct's sections 5.1 and 5.3 and appendices A.1
//! and C, and what worlds bring of their own.
//!
//! All of them are functions of the log. Episodes are handed in one after the other; of each, only
//! some numbers are kept.

mod acts;
mod categories;
mod counts;
mod cues;
mod games;
mod part;
mod read;
mod row;
mod said;
mod saved;

pub use acts::{act, declared};
pub use categories::{Category, category};
pub use counts::{ActionCounts, ActionType, Histogram, Labelled};
pub use games::{Game, Games};
pub use part::{AnalysisPart, OwnPart, Tally};
pub use read::{EpisodeReader, ReadEpisode};
pub(super) use row::USER_FAULTS;
pub use row::{Collector, Row, RowName, Turns};
pub use said::{Given, Said, Tagger};
pub use saved::Saved;
