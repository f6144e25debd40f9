//! The events, or the results, of a run as one sequence of lines, whatever files they are in: closed segments, which
//! are compressed behind the run's back, and `events.jsonl` or `results.jsonl`, which grows.
//!
//! A place among all lines stays the same when the file that holds it is closed or compressed.

mod close;
mod frames;
mod names;
mod pieces;
mod source;

pub(crate) use close::{Packer, close_tail, pack_segment, remove, settle};
pub(crate) use names::{SegmentForm, Series, list, read as read_name, unpacked};
pub use names::{is_events_file, is_results_file};
pub(crate) use pieces::{Content, Piece, Pieces, is_there, open_segment};
pub(crate) use source::Source;
