//! The store of a queue, whose errors say what they mean for the queue.

use std::io::{self, ErrorKind};

use super::store::Store;
use crate::machines::QueueError;
use rolecall_core::text::visible;

/// A store and the queue's name.
pub(super) struct Files {
    store: Box<dyn Store>,
    queue: String,
}

impl Files {
    pub(super) fn new(store: Box<dyn Store>, queue: &str) -> Self {
        let queue = visible(queue).into_owned();
        Self { store, queue }
    }

    pub(super) async fn publish(&self, path: &str, bytes: &[u8]) -> Result<bool, QueueError> {
        self.check(path, self.store.publish(path, bytes).await)
    }

    pub(super) async fn claim(&self, from: &str, to: &str) -> Result<bool, QueueError> {
        self.check(from, self.store.claim(from, to).await)
    }

    pub(super) async fn update(&self, path: &str, bytes: &[u8]) -> Result<bool, QueueError> {
        self.check(path, self.store.update(path, bytes).await)
    }

    pub(super) async fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), QueueError> {
        self.check(path, self.store.replace(path, bytes).await)
    }

    pub(super) async fn read(&self, path: &str) -> Result<Option<Vec<u8>>, QueueError> {
        self.check(path, self.store.read(path).await)
    }

    pub(super) async fn has(&self, path: &str) -> Result<bool, QueueError> {
        self.check(path, self.store.has(path).await)
    }

    pub(super) async fn list(&self, folder: &str) -> Result<Vec<String>, QueueError> {
        self.check(folder, self.store.list(folder).await)
    }

    pub(super) async fn remove(&self, path: &str) -> Result<(), QueueError> {
        self.check(path, self.store.remove(path).await)
    }

    pub(super) fn unusable(&self, reason: String) -> QueueError {
        let queue = self.queue.clone();
        QueueError::Unusable { queue, reason }
    }

    pub(super) fn unreachable(&self, reason: String) -> QueueError {
        let queue = self.queue.clone();
        QueueError::Unreachable { queue, reason }
    }

    fn check<T>(&self, path: &str, done: io::Result<T>) -> Result<T, QueueError> {
        done.map_err(|error| {
            let reason = format!("`{}`: {error}", visible(path));
            match error.kind() {
                ErrorKind::PermissionDenied
                | ErrorKind::ReadOnlyFilesystem
                | ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::InvalidFilename
                | ErrorKind::Unsupported => self.unusable(reason),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    self.unusable(format!("there is no space left: {reason}"))
                }
                // Above all a server that is away: `ESTALE`, `EIO`, a time that ran out.
                _ => self.unreachable(reason),
            }
        })
    }
}
