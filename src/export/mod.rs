//! What others read of finished runs: rows for training, logs of other programs.
//!
//! Everything stands on [`PlayedRun`], which goes through the episodes of a log, compares each with the digest
//! that was noted when it closed, and makes the requests of its calls again. Prints nothing.

pub mod inspect;
mod maker;
mod origin;
pub mod otlp;
mod played;
mod row;
mod seat_rows;
mod turns;
mod view_rows;

pub use maker::{EpisodeRows, Marking, RowMaker};
pub use played::{ExportError, PlayedEpisode, PlayedRun};
pub use row::{Content, Row, RowMessage, Tokens};
pub use view_rows::VIEW_PROMPT;
