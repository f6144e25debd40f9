//! The protocol of leases and commits over a broker.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as AsyncMutex, OnceCell};
use tokio::time::Instant;

use super::broker::{Broker, Bucket, Delivery};
use crate::machines::{
    Committed, Extended, Heartbeat, JobId, Lease, Manifest, Progress, Queue, QueueError, Watched, WorkerState,
};
use crate::{capped, locked};

/// Number of the format of messages.
const FORMAT: u32 = 1;
/// The key of the manifest, and the beginning of the name of its object.
const MANIFEST: &str = "manifest";
/// A larger manifest is an object: messages of a server have a limit, a megabyte unless somebody changed it.
const LARGEST_VALUE: usize = 512 << 10;
/// Messages under way while jobs are laid down.
const AT_ONCE: usize = 256;

/// A queue of jobs on a server of NATS.
///
/// A part is an object, then the name of that object becomes the value of the job's key, which can be made only
/// once, then the job's message is acknowledged. Whoever fails between any two leaves an object that nobody asks
/// for, or a message of a committed job, which is acknowledged without playing when it is handed out the next
/// time.
pub struct NatsQueue<B> {
    broker: B,
    worker: String,
    manifest: OnceCell<Manifest>,
    held: Mutex<FxHashMap<JobId, Held>>,
    done: AsyncMutex<Table>,
    heartbeats: AsyncMutex<(Table, Watched<String, u64>)>,
}

/// A job under lease.
#[derive(Clone)]
struct Held {
    attempt: u32,
    ticket: String,
    /// When it was last extended.
    since: Instant,
}

/// Values of a bucket up to a revision: each change is asked for once.
#[derive(Default)]
struct Table {
    revision: u64,
    values: BTreeMap<String, Vec<u8>>,
}

/// The message of a job. It holds no secrets.
#[derive(Serialize, Deserialize)]
struct Message {
    v: u32,
    run: String,
    job: JobId,
    /// How often other messages of the job were handed out before it was given back.
    before: u32,
}

impl<B: Broker> NatsQueue<B> {
    /// The queue that a worker or planner of this name uses.
    pub fn over(broker: B, worker: impl Into<String>) -> Self {
        Self {
            broker,
            worker: worker.into(),
            manifest: OnceCell::new(),
            held: Mutex::default(),
            done: AsyncMutex::default(),
            heartbeats: AsyncMutex::default(),
        }
    }

    /// The broker.
    pub fn broker(&self) -> &B {
        &self.broker
    }

    fn unusable(&self, reason: impl Into<String>) -> QueueError {
        QueueError::Unusable { queue: self.broker.name().to_owned(), reason: reason.into() }
    }

    /// The job of a lease, if it is held under that one.
    fn held_under(&self, lease: &Lease) -> Option<Held> {
        locked(&self.held).get(&lease.job).filter(|held| held.attempt == lease.attempt).cloned()
    }

    /// The lease, if it still holds by this clock.
    async fn holds(&self, lease: &Lease) -> Result<Option<Held>, QueueError> {
        let time = self.lease_time().await?;
        Ok(self.held_under(lease).filter(|held| held.since.elapsed() < time))
    }

    async fn known_manifest(&self) -> Result<&Manifest, QueueError> {
        self.manifest.get_or_try_init(|| self.read_manifest()).await
    }

    async fn read_manifest(&self) -> Result<Manifest, QueueError> {
        let value = self.broker.get(Bucket::Run, MANIFEST).await?;
        let value = match value {
            Some(name) if name.starts_with(MANIFEST.as_bytes()) => {
                self.broker.get_object(&String::from_utf8_lossy(&name)).await?
            }
            other => other,
        };
        let value = value.ok_or_else(|| QueueError::Unreachable {
            queue: self.broker.name().to_owned(),
            reason: "no run was planned there yet".to_owned(),
        })?;
        serde_json::from_slice(&value).map_err(|error| self.unusable(format!("its manifest cannot be read: {error}")))
    }

    async fn lease_time(&self) -> Result<Duration, QueueError> {
        Ok(Duration::try_from_secs_f64(self.known_manifest().await?.lease_seconds).unwrap_or(Duration::MAX))
    }

    /// Lays the manifest down; the first counts.
    async fn lay_down(&self, manifest: &Manifest) -> Result<(), QueueError> {
        let mut value = serde_json::to_vec(manifest)
            .map_err(|error| self.unusable(format!("the manifest cannot be written: {error}")))?;
        if value.len() > LARGEST_VALUE {
            let name = format!("{MANIFEST}/{:.16}", blake3::hash(&value).to_hex());
            self.broker.put_object(&name, &value).await?;
            value = name.into_bytes();
        }
        if self.broker.create(Bucket::Run, MANIFEST, value).await? {
            return Ok(());
        }
        let known = self.known_manifest().await?;
        let same = |of: fn(&Manifest) -> (&str, u32, u32)| of(known) == of(manifest);
        if same(|manifest| (&manifest.run, manifest.jobs, manifest.per_job)) {
            Ok(())
        } else {
            Err(self.unusable(format!(
                "it holds run `{}` in {} jobs of {} episodes, not run `{}` in {} of {}",
                known.run, known.jobs, known.per_job, manifest.run, manifest.jobs, manifest.per_job
            )))
        }
    }

    async fn publish(&self, job: JobId, with_id: bool, before: u32) -> Result<(), QueueError> {
        let message =
            serde_json::to_vec(&Message { v: FORMAT, run: self.known_manifest().await?.run.clone(), job, before })
                .map_err(|error| self.unusable(format!("a message cannot be written: {error}")))?;
        let key = job.to_string();
        self.broker.publish(&key, with_id.then_some(key.as_str()), message).await
    }

    /// The lease of a message that was handed out; none if its job is committed, or it is no job.
    async fn leased(&self, delivery: Delivery, since: Instant) -> Result<Option<Lease>, QueueError> {
        let run = &self.known_manifest().await?.run;
        let message: Option<Message> = serde_json::from_slice(&delivery.message).ok();
        let Some(Message { job, before, .. }) = message.filter(|message| message.v == FORMAT && message.run == *run)
        else {
            self.broker.acknowledge(&delivery.ticket).await?;
            return Ok(None);
        };
        if self.broker.get(Bucket::Done, &job.to_string()).await?.is_some() {
            self.broker.acknowledge(&delivery.ticket).await?;
            return Ok(None);
        }
        let begun = self.broker.get_object(&begun(job)).await?;
        let attempt = before.saturating_add(delivery.delivered);
        locked(&self.held).insert(job, Held { attempt, ticket: delivery.ticket, since });
        Ok(Some(Lease { job, attempt, begun: begun.filter(|begun| !begun.is_empty()) }))
    }

    /// Reads what changed of a table.
    async fn follow(&self, bucket: Bucket, table: &mut Table) -> Result<(), QueueError> {
        for change in self.broker.changes(bucket, table.revision).await? {
            table.revision = table.revision.max(change.revision);
            match change.value {
                Some(value) => table.values.insert(change.key, value),
                None => table.values.remove(&change.key),
            };
        }
        Ok(())
    }
}

/// The name of the object of what was shipped of a job.
fn begun(job: JobId) -> String {
    format!("begun/{job}")
}

#[async_trait]
impl<B: Broker> Queue for NatsQueue<B> {
    async fn plan(&self, manifest: &Manifest, jobs: &[JobId]) -> Result<(), QueueError> {
        self.broker.lay_out(manifest).await?;
        self.lay_down(manifest).await?;
        // The server drops the message of a job that was refused a moment ago for that of its first message:
        // what is missing after the first round goes without an id.
        for with_id in [true, false] {
            // In this order: a job leaves the stream only after it is committed.
            let queued: FxHashSet<JobId> =
                self.broker.queued().await?.iter().filter_map(|key| key.parse().ok()).collect();
            let committed: FxHashSet<JobId> = self.committed().await?.into_iter().collect();
            let mut missing = jobs.to_vec();
            missing.retain(|job| !queued.contains(job) && !committed.contains(job));
            stream::iter(missing)
                .map(|job| self.publish(job, with_id, 0))
                .buffer_unordered(AT_ONCE)
                .try_collect::<()>()
                .await?;
        }
        Ok(())
    }

    async fn manifest(&self) -> Result<Manifest, QueueError> {
        self.known_manifest().await.cloned()
    }

    async fn lease(&self, most: usize) -> Result<Vec<Lease>, QueueError> {
        self.known_manifest().await?;
        let since = Instant::now();
        let deliveries = self.broker.fetch(most).await?.into_iter();
        let (mut leases, mut failed) = (Vec::new(), None);
        for leased in join_all(deliveries.map(|delivery| self.leased(delivery, since))).await {
            match leased {
                Ok(lease) => leases.extend(lease),
                Err(error) => failed = Some(error),
            }
        }
        // What failed is handed out once more after the time of a lease.
        match failed {
            Some(error) if leases.is_empty() => Err(error),
            _ => Ok(leases),
        }
    }

    async fn extend(&self, lease: &Lease, shipped: Option<&[u8]>) -> Result<Extended, QueueError> {
        let Some(held) = self.holds(lease).await? else {
            return Ok(Extended::Lost);
        };
        let since = Instant::now();
        self.broker.extend(&held.ticket).await?;
        if self.broker.get(Bucket::Done, &lease.job.to_string()).await?.is_some() {
            return Ok(Extended::Lost);
        }
        if let Some(held) = locked(&self.held).get_mut(&lease.job) {
            held.since = since;
        }
        if let Some(shipped) = shipped {
            self.broker.put_object(&begun(lease.job), shipped).await?;
        }
        Ok(Extended::Held)
    }

    async fn commit(&self, lease: &Lease, part: &[u8]) -> Result<Committed, QueueError> {
        let (key, digest) = (lease.job.to_string(), blake3::hash(part).to_hex());
        // Nobody else's part has this name, and no other bytes.
        let name = format!("{key}/{}.{}.{digest:.16}", lease.attempt, self.worker);
        let committed =
            if self.holds(lease).await?.is_none() { self.broker.get(Bucket::Done, &key).await? } else { None };
        let committed = match committed {
            Some(committed) => committed,
            None => {
                self.broker.put_object(&name, part).await?;
                let value = name.clone().into_bytes();
                if self.broker.create(Bucket::Done, &key, value.clone()).await? {
                    value
                } else {
                    self.broker.get(Bucket::Done, &key).await?.unwrap_or_default()
                }
            }
        };
        if let Some(held) = self.held_under(lease) {
            self.broker.acknowledge(&held.ticket).await?;
            locked(&self.held).remove(&lease.job);
        }
        // It may be this one's from before, whose answer was lost.
        Ok(if committed == name.as_bytes() { Committed::First } else { Committed::Late })
    }

    async fn give_back(&self, lease: &Lease) -> Result<(), QueueError> {
        let Some(held) = self.held_under(lease) else {
            return Ok(());
        };
        self.publish(lease.job, false, lease.attempt.saturating_sub(1)).await?;
        self.broker.acknowledge(&held.ticket).await?;
        locked(&self.held).remove(&lease.job);
        Ok(())
    }

    async fn heartbeat(&self, heartbeat: &Heartbeat) -> Result<(), QueueError> {
        let value = serde_json::to_vec(heartbeat)
            .map_err(|error| self.unusable(format!("a heartbeat cannot be written: {error}")))?;
        let key = blake3::hash(heartbeat.worker.as_bytes()).to_hex();
        self.broker.put(Bucket::Workers, &key, value).await
    }

    async fn workers(&self) -> Result<Vec<WorkerState>, QueueError> {
        let time = self.lease_time().await?;
        let mut heartbeats = self.heartbeats.lock().await;
        let (table, watched) = &mut *heartbeats;
        self.follow(Bucket::Workers, table).await?;
        let mut states: Vec<WorkerState> = table
            .values
            .values()
            .filter_map(|value| serde_json::from_slice::<Heartbeat>(value).ok())
            .map(|heartbeat| WorkerState {
                alive: watched.look(&heartbeat.worker, heartbeat.number) < time && !heartbeat.left,
                heartbeat,
            })
            .collect();
        states.sort_by(|one, other| one.heartbeat.worker.cmp(&other.heartbeat.worker));
        Ok(states)
    }

    async fn committed(&self) -> Result<Vec<JobId>, QueueError> {
        let mut done = self.done.lock().await;
        self.follow(Bucket::Done, &mut done).await?;
        Ok(done.values.keys().filter_map(|key| JobId::from_str(key).ok()).collect())
    }

    async fn part(&self, job: JobId) -> Result<Vec<u8>, QueueError> {
        let name = self
            .broker
            .get(Bucket::Done, &job.to_string())
            .await?
            .ok_or_else(|| self.unusable(format!("job {job} is not committed")))?;
        let name = String::from_utf8_lossy(&name);
        // A part that somebody took away is one that cannot be used.
        Ok(self.broker.get_object(&name).await?.unwrap_or_default())
    }

    async fn refuse(&self, job: JobId) -> Result<(), QueueError> {
        self.broker.put_object(&begun(job), &[]).await?;
        self.broker.delete(Bucket::Done, &job.to_string()).await?;
        self.publish(job, false, 0).await
    }

    async fn progress(&self) -> Result<Progress, QueueError> {
        let standing = self.broker.standing().await?;
        let committed = self.committed().await?.len();
        Ok(Progress {
            waiting: standing.messages.saturating_sub(standing.handed_out),
            leased: standing.handed_out,
            committed: capped(committed),
        })
    }
}
