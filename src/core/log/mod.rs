//! The log of a run: a folder that one thread writes and everything else is computed from.
//!
//! Holds the event line, the writer and the reader. Imports the domain, and from the ports only
//! [`EpisodeLog`](crate::ports::EpisodeLog), which is what metrics are given.

mod batches;
mod earlier;
mod episode;
mod error;
mod folder;
mod gather;
mod handle;
mod index;
mod line;
mod lines;
mod lost;
mod reader;
mod record;
mod repair;
mod rotation;
mod run_folder;
mod running;
mod segments;
mod sink;
mod syncer;
mod tables;
mod tail;
mod timings;
mod verify;
mod writer;

pub use episode::{CanonicalError, RecordedEpisode, write_canonical};
pub use error::{EncodeError, LogError};
pub use folder::{EVENTS, INDEX, REPORT_HTML, REPORT_MARKDOWN, RESULTS, RUN, RUNNING, TIMINGS, TRACE};
pub use handle::{Batch, LogHandle, LogSnapshot};
pub use line::{Digest, EventEncoder, InvalidDigest, decode_episode, decode_event};
pub use lines::TornLine;
pub use reader::RunLog;
pub use record::{Accepted, Parent, RunRecord, position, schema_of};
pub use repair::Repair;
pub use run_folder::RunFolder;
pub(crate) use running::Mark;
pub use running::is_running;
pub use segments::{is_events_file, is_results_file};
pub use tables::{WorkerRecord, episodes_of_workers, recorded_visibility, with_workers};
pub use tail::{Chunk, Tail, ends_whole};
pub use timings::{ModelPause, ModelTally, Timing, read_timings, with_worker};
pub use verify::{Check, IndexState, MOST_PROBLEMS, Problem, Verified, verify, verify_and_open};
pub use writer::{LogSettings, LogSummary, LogWriter, Sync, is_free};
