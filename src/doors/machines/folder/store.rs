//! What a shared folder must be able to do: little enough that any file system over a network can.

use std::io;

use async_trait::async_trait;

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
