//! Exports of finished runs: rows for training, logs of other programs.
//!
//! Everything stands on [`PlayedRun`], which goes through the episodes of a log, compares each with the digest
//! that was noted when it closed, and makes the requests of its calls again. Prints nothing.

mod atif;
mod folder;
mod format;
pub mod inspect;
mod maker;
mod origin;
pub mod otlp;
mod pairs;
mod played;
mod record;
mod row;
mod seat_rows;
mod turns;
mod view_rows;

pub use folder::{Provenance, RowFolder};
pub use format::{Rendering, RowFormat, alternates};
pub use maker::{EpisodeRows, Marking, RowMaker};
pub use pairs::{Pair, pair};
pub use played::{ExportError, PlayedEpisode, PlayedRun};
pub use record::ExpertRecord;
pub use row::{Content, Row, RowMessage, Tokens};
pub use view_rows::VIEW_PROMPT;
