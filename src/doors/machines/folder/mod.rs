//! A queue in a folder that all machines share (docs/machines.md). Nothing is asked of its file system but
//! that a name can be renamed by one only, and linked only if it is free: no locks, no clocks.

mod disk;
mod files;
mod layout;
mod search;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use self::disk::Disk;
use self::files::Files;
pub use self::files::Store;
use self::layout::Layout;
use self::search::Search;
use super::{
    Committed, Extended, Heartbeat, JobId, Lease, Manifest, Progress, Queue, QueueError, Watched, WorkerState,
};
use crate::{capped, locked};
use rolecall_core::text::visible;

/// Requests to the folder that are on their way at the same time, where there are many.
const AT_ONCE: usize = 16;

/// A queue in a shared folder, as one worker or planner uses it.
pub struct FolderQueue {
    files: Files,
    worker: String,
    layout: OnceCell<Layout>,
    /// Number that is written into a lease when it is extended.
    extensions: AtomicU64,
    search: tokio::sync::Mutex<Search>,
    /// The jobs that this worker plays, each with the time of its last sign.
    held: Mutex<FxHashMap<JobId, Instant>>,
    heartbeats: Mutex<Watched<String, u64>>,
}

/// Outcome of reaching for a job.
enum Taken {
    Leased(Lease),
    Gone,
    Committed,
}

impl FolderQueue {
    /// The queue in a folder, under a worker's name that nobody else has. Nothing is read yet.
    ///
    /// # Errors
    /// If the name has other characters than letters, digits, `-`, `_` and `.`, starts with `.` or is longer
    /// than 128.
    pub fn open(path: &Path, worker: &str) -> Result<Self, QueueError> {
        Self::over(Box::new(Disk::new(path.to_owned(), worker.to_owned())), &format!("dir:{}", path.display()), worker)
    }

    /// The queue in any store; errors call it by this name.
    ///
    /// # Errors
    /// As [`FolderQueue::open`].
    pub fn over(store: Box<dyn Store>, name: &str, worker: &str) -> Result<Self, QueueError> {
        let files = Files::new(store, name);
        if !layout::is_safe(worker) {
            return Err(files.unusable(format!(
                "the name `{}` of a worker cannot be that of a file: letters, digits, `-`, `_` and `.` can, \
                 128 at most, the first one no `.`",
                visible(worker)
            )));
        }
        Ok(Self {
            files,
            worker: worker.to_owned(),
            layout: OnceCell::new(),
            extensions: AtomicU64::new(0),
            search: tokio::sync::Mutex::default(),
            held: Mutex::default(),
            heartbeats: Mutex::default(),
        })
    }

    async fn layout(&self) -> Result<Layout, QueueError> {
        self.layout.get_or_try_init(|| async { self.layout_of(&self.manifest().await?) }).await.copied()
    }

    fn layout_of(&self, manifest: &Manifest) -> Result<Layout, QueueError> {
        Layout::of(manifest).ok_or_else(|| {
            let seconds = manifest.lease_seconds;
            self.files.unusable(format!("its manifest has leases of {seconds} seconds: plan the run anew"))
        })
    }

    /// Whether this worker plays the job. If nothing was heard of it for the time of a lease, it does not.
    fn holds(&self, job: JobId, layout: Layout) -> bool {
        let held = locked(&self.held);
        held.get(&job).is_some_and(|at| at.elapsed() < layout.lease)
    }

    fn lease_path(&self, layout: Layout, lease: &Lease) -> String {
        layout.lease(lease.job, lease.attempt, &self.worker)
    }

    /// Reaches for the file of a job that waits, or of a lost lease.
    async fn take(&self, layout: Layout, from: &str, job: JobId, attempt: u32) -> Result<Taken, QueueError> {
        let leased = layout.lease(job, attempt, &self.worker);
        if !self.files.claim(from, &leased).await? {
            return Ok(Taken::Gone);
        }
        if self.files.has(&layout.part(job)).await? {
            self.clean(layout, &leased, job).await;
            return Ok(Taken::Committed);
        }
        // Also of those that nobody was lost with: who gave a job back may have shipped some of it.
        let begun = self.files.read(&layout.begun(job)).await?;
        locked(&self.held).insert(job, Instant::now());
        Ok(Taken::Leased(Lease { job, attempt, begun }))
    }

    /// Takes a committed job off the queue. Whoever looks for lost leases finds what cannot be removed.
    async fn clean(&self, layout: Layout, lease: &str, job: JobId) {
        let _ = self.files.remove(&layout.begun(job)).await;
        let _ = self.files.remove(lease).await;
    }

    async fn find(&self, layout: Layout, most: usize, leases: &mut Vec<Lease>) -> Result<(), QueueError> {
        let (files, worker) = (&self.files, self.worker.as_str());
        let is_own = |job| self.holds(job, layout);
        let mut search = self.search.lock().await;
        search.begin(layout);
        while leases.len() < most {
            let Some(job) = search.waiting(files, layout, worker).await? else {
                break;
            };
            if is_own(job) {
                continue;
            }
            match self.take(layout, &layout.waiting(job), job, 1).await? {
                Taken::Leased(lease) => leases.push(lease),
                Taken::Gone => search.was_gone(),
                Taken::Committed => {}
            }
        }
        if !leases.is_empty() {
            return Ok(());
        }
        for lost in search.lost(files, layout, worker, most, is_own).await? {
            if leases.len() == most {
                break;
            }
            let taken = self.take(layout, &lost.path, lost.job, lost.attempt.saturating_add(1)).await?;
            if let Taken::Leased(lease) = taken {
                leases.push(lease);
            }
        }
        Ok(())
    }

    /// The jobs of all files of a kind.
    async fn jobs(
        &self,
        kind: &'static str,
        folders: u32,
        read: fn(&str) -> Option<JobId>,
    ) -> Result<FxHashSet<JobId>, QueueError> {
        let mut lists = stream::iter(
            (0..folders).map(|number| async move { self.files.list(&layout::folder(kind, number)).await }),
        )
        .buffer_unordered(AT_ONCE);
        let mut jobs = FxHashSet::default();
        while let Some(names) = lists.try_next().await? {
            jobs.extend(names.iter().filter_map(|name| read(name)));
        }
        Ok(jobs)
    }

    /// The jobs that wait, those under lease and those that are committed, read in the order in which a job
    /// goes through them.
    async fn all(&self, layout: Layout) -> Result<[FxHashSet<JobId>; 3], QueueError> {
        let leased = |name: &str| layout::leased(name).map(|(job, _)| job);
        let (folders, lease_folders) = (layout.folders, layout.lease_folders);
        Ok([
            self.jobs(layout::JOBS, folders, layout::job).await?,
            self.jobs(layout::LEASES, lease_folders, leased).await?,
            self.jobs(layout::PARTS, folders, layout::part).await?,
        ])
    }

    async fn read_heartbeat(&self, name: String) -> Result<Option<Heartbeat>, QueueError> {
        let bytes = self.files.read(&format!("{}/{name}", layout::WORKERS)).await?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }
}

#[async_trait]
impl Queue for FolderQueue {
    async fn plan(&self, manifest: &Manifest, jobs: &[JobId]) -> Result<(), QueueError> {
        let layout = self.layout_of(manifest)?;
        let bytes = serde_json::to_vec_pretty(manifest).map_err(|error| self.files.unusable(error))?;
        let is_new = self.files.publish(layout::MANIFEST, &bytes).await?;
        let other = self.manifest().await?;
        if other.run != manifest.run {
            return Err(self.files.unusable(format!(
                "it is that of the run `{}` ({}), not of `{}` ({}): name an empty folder",
                visible(&other.name),
                visible(&other.run),
                visible(&manifest.name),
                visible(&manifest.run),
            )));
        }
        let mut missing = jobs.to_vec();
        // A job on its way from one folder to another may be in neither while they are listed.
        for _ in 0..if is_new { 1 } else { 2 } {
            let all = self.all(layout).await?;
            missing.retain(|job| all.iter().all(|jobs| !jobs.contains(job)));
        }
        let publish = |job| async move { self.files.publish(&layout.waiting(job), b"").await };
        let mut published = stream::iter(missing.into_iter().map(publish)).buffer_unordered(AT_ONCE);
        while published.try_next().await?.is_some() {}
        Ok(())
    }

    async fn manifest(&self) -> Result<Manifest, QueueError> {
        let Some(bytes) = self.files.read(layout::MANIFEST).await? else {
            return Err(self.files.unreachable("no run was planned there yet"));
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            let path = layout::MANIFEST;
            self.files.unusable(format!("`{path}` is not of this version: {error}"))
        })
    }

    async fn lease(&self, most: usize) -> Result<Vec<Lease>, QueueError> {
        let layout = self.layout().await?;
        let mut leases = Vec::new();
        match self.find(layout, most, &mut leases).await {
            Err(error) if leases.is_empty() => Err(error),
            // What was leased before something failed is leased.
            _ => Ok(leases),
        }
    }

    async fn extend(&self, lease: &Lease, begun: Option<&[u8]>) -> Result<Extended, QueueError> {
        let layout = self.layout().await?;
        locked(&self.held).insert(lease.job, Instant::now());
        let number = self.extensions.fetch_add(1, Ordering::Relaxed) + 1;
        let (path, number) = (self.lease_path(layout, lease), format!("{number:016x}\n"));
        if !self.files.update(&path, number.as_bytes()).await? {
            return Ok(Extended::Lost);
        }
        // After that: who was lost must not write over what its successor ships.
        if let Some(begun) = begun {
            self.files.replace(&layout.begun(lease.job), begun).await?;
        }
        Ok(Extended::Held)
    }

    async fn commit(&self, lease: &Lease, part: &[u8]) -> Result<Committed, QueueError> {
        let layout = self.layout().await?;
        locked(&self.held).insert(lease.job, Instant::now());
        let path = layout.part(lease.job);
        let mut is_own = self.files.publish(&path, part).await?;
        if !is_own {
            // Perhaps an earlier try made it, whose answer was lost.
            let other = self.files.read(&path).await?;
            is_own = other.is_some_and(|other| other == part);
        }
        self.clean(layout, &self.lease_path(layout, lease), lease.job).await;
        locked(&self.held).remove(&lease.job);
        Ok(if is_own { Committed::First } else { Committed::Late })
    }

    async fn give_back(&self, lease: &Lease) -> Result<(), QueueError> {
        let layout = self.layout().await?;
        locked(&self.held).remove(&lease.job);
        let (leased, waiting) = (self.lease_path(layout, lease), layout.waiting(lease.job));
        // Whose lease is lost has nothing to give back.
        self.files.claim(&leased, &waiting).await.map(|_| ())
    }

    async fn heartbeat(&self, heartbeat: &Heartbeat) -> Result<(), QueueError> {
        let bytes = serde_json::to_vec(heartbeat).map_err(|error| self.files.unusable(error))?;
        self.files.replace(&format!("{}/{}.json", layout::WORKERS, self.worker), &bytes).await
    }

    async fn workers(&self) -> Result<Vec<WorkerState>, QueueError> {
        let layout = self.layout().await?;
        let mut names = self.files.list(layout::WORKERS).await?;
        names.sort();
        let heartbeats: Vec<Option<Heartbeat>> = stream::iter(names.into_iter().map(|name| self.read_heartbeat(name)))
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        let mut watched = locked(&self.heartbeats);
        let states = heartbeats.into_iter().flatten().map(|heartbeat| {
            let silent = watched.look(&heartbeat.worker, heartbeat.number);
            let alive = !heartbeat.left && silent < layout.lease;
            WorkerState { heartbeat, alive }
        });
        Ok(states.collect())
    }

    async fn committed(&self) -> Result<Vec<JobId>, QueueError> {
        Ok(self.jobs(layout::PARTS, self.layout().await?.folders, layout::part).await?.into_iter().collect())
    }

    async fn part(&self, job: JobId) -> Result<Vec<u8>, QueueError> {
        let path = self.layout().await?.part(job);
        let part = self.files.read(&path).await?;
        part.ok_or_else(|| self.files.unusable(format!("`{path}` is not there: plan the run anew")))
    }

    async fn refuse(&self, job: JobId) -> Result<(), QueueError> {
        let layout = self.layout().await?;
        self.files.remove(&layout.begun(job)).await?;
        let (part, refused) = (layout.part(job), layout::refused(job));
        // In this order: a job whose part is there would be taken off the queue.
        self.files.claim(&part, &refused).await?;
        self.files.publish(&layout.waiting(job), b"").await?;
        Ok(())
    }

    async fn progress(&self) -> Result<Progress, QueueError> {
        let [mut waiting, mut leased, committed] = self.all(self.layout().await?).await?;
        leased.retain(|job| !committed.contains(job));
        waiting.retain(|job| !committed.contains(job) && !leased.contains(job));
        let count = |jobs: FxHashSet<JobId>| capped(jobs.len());
        Ok(Progress { waiting: count(waiting), leased: count(leased), committed: count(committed) })
    }
}
