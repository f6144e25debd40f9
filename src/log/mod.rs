//! The log of a run: a folder that one thread writes and everything else is computed from.
//!
//! Holds the event line, the writer and the reader. Imports the domain, and from the ports only
//! [`EpisodeLog`](crate::ports::EpisodeLog), which is what metrics are given.

mod canonical;
mod episode;
mod error;
mod folder;
mod handle;
mod index;
mod line;
mod lines;
mod reader;
mod record;
mod running;
mod sink;
mod tail;
mod timings;
mod writer;

pub use canonical::{CanonicalError, write_canonical};
pub use episode::RecordedEpisode;
pub use error::{EncodeError, LogError};
pub use folder::{EVENTS, REPORT_HTML, REPORT_MARKDOWN, RESULTS, RUN, RUNNING, TIMINGS, TRACE};
pub use handle::{Batch, LogHandle, LogSnapshot};
pub use line::{EventEncoder, decode_episode, decode_event};
pub use lines::TornLine;
pub use reader::{Episodes, RunLog};
pub use record::RunRecord;
pub use running::is_running;
pub use tail::{Chunk, Tail};
pub use timings::{ModelPause, ModelTally, Timing, read_timings};
pub use writer::{LogSummary, LogWriter};
