//! Operations that a queue on NATS needs, and no more. Its protocol is played against a simulated server, too.

use async_trait::async_trait;

use crate::machines::{Manifest, QueueError};

/// The tables of a run: keys with values. A change of a table has a revision, which rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bucket {
    /// The name of the part of each job that is committed.
    Done,
    /// The manifest.
    Run,
    /// The last heartbeat of each worker.
    Workers,
}

/// A message of the stream of jobs, as handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The key under which it was published.
    pub key: String,
    /// The message as it was published.
    pub message: Vec<u8>,
    /// How often it was handed out, this time included.
    pub delivered: u32,
    /// By which it is named when it is extended or acknowledged.
    pub ticket: String,
}

/// A change of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The key.
    pub key: String,
    /// Its value now; none if it was deleted.
    pub value: Option<Vec<u8>>,
    /// The number of the change.
    pub revision: u64,
}

/// How the stream of jobs stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Messages that are not acknowledged.
    pub messages: u32,
    /// Messages of these that are handed out.
    pub handed_out: u32,
}

/// A server with a stream of jobs, tables and objects of one run. Whatever it answers is durable. An operation
/// that fails with an error that may pass may have been done; it fails within seconds.
#[async_trait]
pub trait Broker: Send + Sync {
    /// Name of the queue in errors, without secrets.
    fn name(&self) -> &str;

    /// Makes the run's stream, tables and objects, unless they are there.
    ///
    /// # Errors
    /// If the server has another run of this name, or cannot have one.
    async fn lay_out(&self, manifest: &Manifest) -> Result<(), QueueError>;

    /// Adds a message to the stream. One with the id of another that was published within the last minutes is
    /// not added, whether that one is still there or not.
    async fn publish(&self, key: &str, id: Option<&str>, message: Vec<u8>) -> Result<(), QueueError>;

    /// Hands out messages that nobody has, or that were handed out and not extended for the time of a lease: so
    /// many at most, none if there are none now.
    async fn fetch(&self, most: usize) -> Result<Vec<Delivery>, QueueError>;

    /// Extends the time for which a message is handed out, whoever has it now.
    async fn extend(&self, ticket: &str) -> Result<(), QueueError>;

    /// Takes a message off the stream for good, whoever has it now. A server that forgot that it handed it out
    /// hands it out once more instead.
    async fn acknowledge(&self, ticket: &str) -> Result<(), QueueError>;

    /// The keys of all messages that are not acknowledged.
    async fn queued(&self) -> Result<Vec<String>, QueueError>;

    /// How the stream stands.
    async fn standing(&self) -> Result<Standing, QueueError>;

    /// Gives a key a value if it has none. Returns whether it had none: of all who try, one gets `true` (which
    /// may be lost on its way).
    async fn create(&self, bucket: Bucket, key: &str, value: Vec<u8>) -> Result<bool, QueueError>;

    /// Gives a key a value.
    async fn put(&self, bucket: Bucket, key: &str, value: Vec<u8>) -> Result<(), QueueError>;

    /// The value of a key, if it has one.
    async fn get(&self, bucket: Bucket, key: &str) -> Result<Option<Vec<u8>>, QueueError>;

    /// Takes a key's value away.
    async fn delete(&self, bucket: Bucket, key: &str) -> Result<(), QueueError>;

    /// The last change of each key that changed after a revision (0: ever), oldest first.
    async fn changes(&self, bucket: Bucket, after: u64) -> Result<Vec<Change>, QueueError>;

    /// Keeps an object of any size, instead of another of its name.
    async fn put_object(&self, name: &str, bytes: &[u8]) -> Result<(), QueueError>;

    /// An object, if there is one of this name.
    async fn get_object(&self, name: &str) -> Result<Option<Vec<u8>>, QueueError>;
}
