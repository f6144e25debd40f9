//! A run over many machines (docs/machines.md): queues that hand out jobs and take what was played, shards, and
//! merging all of it into one run. Episodes never span machines; jobs and finished parts travel.
//!
//! Play happens at least once, results count exactly once: the fence of every queue is a name that can be
//! made only once.

mod address;
mod error;
mod folder;
mod follower;
mod gathering;
mod job;
mod keeper;
pub mod merge;
pub mod nats;
mod part;
mod queue;
mod sharing;
mod watched;
mod worker;

pub use address::connect;
pub use error::QueueError;
pub use folder::{FolderQueue, Store};
pub use follower::{Follower, Follows};
pub use gathering::Gathering;
pub use job::{JobId, Jobs};
pub use keeper::{Keeping, Kept, Play, keep};
pub use part::{Part, PartError, PlayedEpisode};
pub use queue::{Committed, Extended, Heartbeat, Lease, Manifest, Progress, Queue, WorkerState};
pub use watched::Watched;
pub use worker::{Ended, Worker};
