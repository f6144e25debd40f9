//! Queues: they hand out jobs under leases and take what was played, each job once. Their errors.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::time::Duration;

use async_trait::async_trait;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::JobId;

/// Description of a run for everybody who plays it; laid down once, when it is planned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Number of this format.
    pub schema: u32,
    /// The version of the program that planned the run: who has another one is refused.
    pub version: String,
    /// The run's id.
    pub run: String,
    /// Its name.
    pub name: String,
    /// The text of its `run.toml`.
    pub record: String,
    /// The config's files, by their paths from the working folder.
    pub files: BTreeMap<String, String>,
    /// Number of jobs, those included that need not be played any more.
    pub jobs: u32,
    /// Episodes in a job, the last one perhaps excepted.
    pub per_job: u32,
    /// Seconds after which a lease that was not extended is another's.
    pub lease_seconds: f64,
    /// How often a job is played; whoever is handed it after that lets its episodes break.
    pub attempts: u32,
    /// The most episodes that all workers together play at the same time; none if nothing was said.
    pub in_flight: Option<u32>,
}

/// The right to play a job for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// How often the job was handed out, this time included; from 1.
    pub attempt: u32,
    /// Episodes that the worker before shipped until it was lost: a [part](super::Part), in which some may be open.
    pub begun: Option<Vec<u8>>,
}

/// The outcome of extending a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extended {
    /// It holds from now on for its whole time.
    Held,
    /// Somebody else has the job, or it was committed.
    Lost,
}

/// The outcome of committing a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committed {
    /// This part is the one that counts.
    First,
    /// Another one was there: this one is to be thrown away.
    Late,
}

/// How the jobs of a queue stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Jobs that nobody plays yet.
    pub waiting: u32,
    /// Jobs under lease.
    pub leased: u32,
    /// Jobs that are committed.
    pub committed: u32,
}

/// A worker's report of itself, now and then.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Its name; no two workers of a queue have the same.
    pub worker: String,
    /// The name of its machine.
    pub host: String,
    /// The version of its program.
    pub version: String,
    /// Rises with each heartbeat.
    pub number: u64,
    /// It has left, and is not lost.
    pub left: bool,
    /// Episodes that it plays at the moment.
    pub playing: u32,
    /// Episodes that it committed.
    pub committed: u64,
    /// Episodes whose commit came late.
    pub late: u64,
    /// Episodes that it went on with, or played again, after another worker was lost.
    pub taken_over: u64,
    /// The money that it spent, by model.
    #[serde(default)]
    pub spent: BTreeMap<String, f64>,
    /// Money that it may spend before its next heartbeat, where money is limited.
    #[serde(default)]
    pub reserved: BTreeMap<String, f64>,
}

/// A worker as others see it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerState {
    /// Its last heartbeat.
    pub heartbeat: Heartbeat,
    /// It gave a sign of life within the time of a lease, and has not left. Judged by the clock of who asks,
    /// from when it first asked.
    pub alive: bool,
}

/// A queue of jobs, as its planner and its workers use it. Each has its own, under its own name.
///
/// Whatever fails with an error that [may pass](QueueError::may_pass) may be done again, and may have been
/// done already.
#[async_trait]
pub trait Queue: Send + Sync {
    /// Lays down the manifest and the jobs, unless they are there. Jobs that are committed or under lease stay
    /// so.
    ///
    /// # Errors
    /// If the queue is that of another run.
    async fn plan(&self, manifest: &Manifest, jobs: &[JobId]) -> Result<(), QueueError>;

    /// The manifest.
    ///
    /// # Errors
    /// If nothing was planned.
    async fn manifest(&self) -> Result<Manifest, QueueError>;

    /// Leases jobs that nobody has, or whose worker was lost: so many at most, none if there are none now.
    /// Jobs that are committed are never handed out.
    async fn lease(&self, most: usize) -> Result<Vec<Lease>, QueueError>;

    /// Extends a lease. Ships what was played so far, if that is given; who gets the job after this one is
    /// lost has it then.
    async fn extend(&self, lease: &Lease, begun: Option<&[u8]>) -> Result<Extended, QueueError>;

    /// Commits what was played. The part is durable before it counts, and the job is taken off the queue
    /// after that.
    async fn commit(&self, lease: &Lease, part: &[u8]) -> Result<Committed, QueueError>;

    /// Gives a job back, for somebody else to play at once; this attempt does not count.
    async fn give_back(&self, lease: &Lease) -> Result<(), QueueError>;

    /// Says how this worker is.
    async fn heartbeat(&self, heartbeat: &Heartbeat) -> Result<(), QueueError>;

    /// All workers that ever gave a heartbeat, by name.
    async fn workers(&self) -> Result<Vec<WorkerState>, QueueError>;

    /// The jobs that are committed, in any order.
    async fn committed(&self) -> Result<Vec<JobId>, QueueError>;

    /// The part of a committed job.
    async fn part(&self, job: JobId) -> Result<Vec<u8>, QueueError>;

    /// Puts a committed part aside that cannot be used, and the job back into the queue.
    async fn refuse(&self, job: JobId) -> Result<(), QueueError>;

    /// How the jobs stand.
    async fn progress(&self) -> Result<Progress, QueueError>;
}

/// The reason why a queue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// It cannot be reached at the moment; it is worth trying again.
    #[error("the queue `{queue}` cannot be reached: {reason}")]
    Unreachable {
        /// The queue, without secrets.
        queue: String,
        /// The problem.
        reason: String,
    },
    /// It cannot be used, now or later, without somebody's help.
    #[error("the queue `{queue}` cannot be used: {reason}")]
    Unusable {
        /// The queue, without secrets.
        queue: String,
        /// The problem, and what to do.
        reason: String,
    },
}

impl QueueError {
    /// Whether trying again may help.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}

/// When each of several things was last seen to change.
#[derive(Debug)]
pub struct Watched<K, V> {
    seen: FxHashMap<K, (V, Instant)>,
}

impl<K, V> Default for Watched<K, V> {
    fn default() -> Self {
        Self { seen: FxHashMap::default() }
    }
}

impl<K: Eq + Hash + Clone, V: PartialEq> Watched<K, V> {
    /// Notes the state of one now. Returns for how long it has been seen in this state; nothing the first
    /// time.
    pub fn look(&mut self, key: &K, state: V) -> Duration {
        let now = Instant::now();
        match self.seen.get_mut(key) {
            Some((known, since)) if *known == state => now.saturating_duration_since(*since),
            _ => {
                self.seen.insert(key.clone(), (state, now));
                Duration::ZERO
            }
        }
    }

    /// Forgets all but these.
    pub fn keep(&mut self, mut is_there: impl FnMut(&K) -> bool) {
        self.seen.retain(|key, _| is_there(key));
    }
}
