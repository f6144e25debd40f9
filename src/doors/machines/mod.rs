//! A run over many machines (docs/machines.md): queues that hand out jobs and take what was played, shards, and
//! merging all of it into one run. Episodes never span machines; jobs and finished parts travel.
//!
//! Play happens at least once, results count exactly once: the fence of every queue is a name that can be
//! made only once.

mod folder;
mod follower;
mod gathering;
mod job;
mod keeper;
pub mod merge;
pub mod nats;
mod part;
mod queue;
mod worker;

use std::path::Path;
use std::sync::Arc;

pub use folder::{FolderQueue, Store};
pub use follower::{Follower, Follows};
pub use gathering::Gathering;
pub use job::{JobId, Jobs};
pub use keeper::{Keeping, Kept, Play, keep};
pub use part::{Part, PartError, PlayedEpisode};
pub use queue::{Committed, Extended, Heartbeat, Lease, Manifest, Progress, Queue, QueueError, Watched, WorkerState};
pub use worker::{Ended, Worker};

/// The queue at an address (`dir:FOLDER`, `nats://HOST:PORT/RUN` or `tls://...`), as it is used by the one of
/// this name. The key file holds a token or an nkey seed, for servers that want one.
///
/// # Errors
/// If there is no such kind of queue, or it cannot be used.
pub async fn connect(address: &str, key_file: Option<&Path>, worker: &str) -> Result<Arc<dyn Queue>, QueueError> {
    if let Some(folder) = address.strip_prefix("dir:").filter(|folder| !folder.is_empty()) {
        return Ok(Arc::new(FolderQueue::open(Path::new(folder), worker)?));
    }
    if ["nats://", "tls://"].iter().any(|scheme| address.starts_with(scheme)) {
        return nats::connect(address, key_file, worker).await;
    }
    let reason = "a queue is written `dir:FOLDER`, `nats://HOST:PORT/RUN` or `tls://HOST:PORT/RUN`";
    Err(QueueError::Unusable { queue: address.to_owned(), reason: reason.to_owned() })
}
