//! The addresses of queues.

use std::path::Path;
use std::sync::Arc;

use super::folder::FolderQueue;
use super::{Queue, QueueError, nats};

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
