//! The store of a queue, whose errors say what they mean for the queue.

use std::io::{self, ErrorKind};

use async_trait::async_trait;

use crate::machines::QueueError;
use rolecall_core::text::visible;

/// A store and the queue's name.
pub(super) struct Files {
    store: Box<dyn Store>,
    queue: String,
}

impl Files {
    pub(super) fn new(store: Box<dyn Store>, queue: &str) -> Self {
        Self { store, queue: visible(queue).into_owned() }
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

    pub(super) fn unusable(&self, reason: impl ToString) -> QueueError {
        QueueError::Unusable { queue: self.queue.clone(), reason: reason.to_string() }
    }

    pub(super) fn unreachable(&self, reason: impl ToString) -> QueueError {
        QueueError::Unreachable { queue: self.queue.clone(), reason: reason.to_string() }
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

/// The operations of a shared folder. Paths are relative to it, with `/` between names; the folders of a path
/// come to be when something is written there.
///
/// Whatever fails may have been done all the same.
#[async_trait]
pub trait Store: Send + Sync {
    /// Makes a file with this content, which is durable then. False if there is one already, which stays as
    /// it is: the fence.
    async fn publish(&self, path: &str, bytes: &[u8]) -> io::Result<bool>;

    /// Renames a file. Of all who try, one does. False if it is not there.
    async fn claim(&self, from: &str, to: &str) -> io::Result<bool>;

    /// Writes a file, of at least this length in all of its states, only if it is there. False if it is not.
    async fn update(&self, path: &str, bytes: &[u8]) -> io::Result<bool>;

    /// Puts a whole content into the place of a file, or makes it.
    async fn replace(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// The content of a file; none if it is not there.
    async fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>>;

    /// Whether a file is there.
    async fn has(&self, path: &str) -> io::Result<bool>;

    /// The names in a folder, in any order; none if it is not there.
    async fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Removes a file, if it is there.
    async fn remove(&self, path: &str) -> io::Result<()>;
}
