//! Following a run that workers play: what they commit is taken into the run, each job once.

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{JobId, Jobs, Manifest, Part, Queue, QueueError, WorkerState};
use rolecall_core::domain::EpisodeId;

/// The time between two looks at the queue.
const LOOK: Duration = Duration::from_millis(300);
/// The time between two looks at who works.
const CALL: Duration = Duration::from_secs(2);
/// How often the part of a job is refused before somebody must help.
const REFUSALS: u32 = 5;

/// Follows a run by its queue.
pub struct Follower {
    /// The queue.
    pub queue: Arc<dyn Queue>,
    /// The manifest of the run.
    pub manifest: Manifest,
    /// The jobs of the run.
    pub jobs: Jobs,
    /// Struck when nobody wants to follow any more.
    pub stop: CancellationToken,
    /// The time for which a queue that is away is waited for.
    pub outage: Duration,
}

/// Who is told of what a follower sees.
pub trait Follows {
    /// The error that ends it.
    type Error: From<QueueError>;

    /// Takes what was committed into the run.
    ///
    /// # Errors
    /// If the run cannot take it.
    fn take(&mut self, part: Part) -> impl Future<Output = Result<(), Self::Error>>;

    /// Time has passed.
    fn tick(&mut self);

    /// Who works; now and then.
    fn look(&mut self, workers: &[WorkerState]);

    /// Something that people should know.
    fn remark(&mut self, text: &str);
}

impl Follower {
    /// Lays down the jobs of which an episode is still missing.
    ///
    /// # Errors
    /// If the queue cannot be used, or is that of another run.
    pub async fn plan(&self, is_closed: impl Fn(&EpisodeId) -> bool) -> Result<(), QueueError> {
        let jobs: Vec<JobId> = self.missing(is_closed).collect();
        self.queue.plan(&self.manifest, &jobs).await
    }

    fn missing(&self, is_closed: impl Fn(&EpisodeId) -> bool) -> impl Iterator<Item = JobId> {
        (0..self.jobs.count()).map(JobId).filter(move |job| !self.jobs.episodes(*job).iter().all(&is_closed))
    }

    /// Follows until all jobs are in the run, or nobody wants to any more. Returns who worked, and whether
    /// all is there.
    ///
    /// # Errors
    /// If the queue is away for too long or cannot be used, or the run cannot take what comes.
    pub async fn follow<F: Follows>(
        &self,
        is_closed: impl Fn(&EpisodeId) -> bool,
        follows: &mut F,
    ) -> Result<(Vec<WorkerState>, bool), F::Error> {
        let mut missing: FxHashSet<JobId> = self.missing(is_closed).collect();
        let mut refused = FxHashMap::default();
        let (mut workers, mut called) = (Vec::new(), None::<Instant>);
        let mut reached = Instant::now();
        // Each call reads something of every worker.
        let call = CALL.max(Duration::try_from_secs_f64(self.manifest.lease_seconds).unwrap_or_default() / 10);
        while !missing.is_empty() && !self.stop.is_cancelled() {
            follows.tick();
            let began = Instant::now();
            match self.look(&mut missing, &mut refused, follows).await {
                Ok(()) => reached = Instant::now(),
                Err(Looked::Queue(error)) if error.may_pass() && reached.elapsed() < self.outage => {}
                Err(Looked::Queue(error)) => return Err(error.into()),
                Err(Looked::Run(error)) => return Err(error),
            }
            if called.is_none_or(|at| at.elapsed() >= call) {
                called = Some(Instant::now());
                if let Ok(seen) = self.queue.workers().await {
                    follows.look(&seen);
                    workers = seen;
                }
            }
            if missing.is_empty() {
                break;
            }
            tokio::select! {
                () = self.stop.cancelled() => {}
                // A queue that answers slowly is asked less often.
                () = sleep(LOOK.max(4 * began.elapsed())) => {}
            }
        }
        if missing.is_empty() {
            // Those that were lost a moment ago are known as lost once they were silent for long enough;
            // nobody waits for that.
            workers = self.queue.workers().await.unwrap_or(workers);
        }
        Ok((workers, missing.is_empty()))
    }

    /// Takes what was committed since the last look.
    async fn look<F: Follows>(
        &self,
        missing: &mut FxHashSet<JobId>,
        refused: &mut FxHashMap<JobId, u32>,
        follows: &mut F,
    ) -> Result<(), Looked<F::Error>> {
        let mut committed = self.queue.committed().await?;
        committed.retain(|job| missing.contains(job));
        committed.sort_unstable();
        for job in committed {
            if self.stop.is_cancelled() {
                break;
            }
            follows.tick();
            match self.check(job, &self.queue.part(job).await?) {
                Ok(part) => {
                    follows.take(part).await.map_err(Looked::Run)?;
                    missing.remove(&job);
                }
                Err(why) => {
                    let times: &mut u32 = refused.entry(job).or_default();
                    *times += 1;
                    if *times > REFUSALS {
                        let reason = format!("what workers commit of job {job} is unusable: {why}");
                        let queue = self.manifest.name.clone();
                        return Err(QueueError::Unusable { queue, reason }.into());
                    }
                    follows.remark(&format!("job {job} is played again: {why}"));
                    self.queue.refuse(job).await?;
                }
            }
        }
        Ok(())
    }

    /// A part of this job, if the bytes are that.
    fn check(&self, job: JobId, packed: &[u8]) -> Result<Part, String> {
        let part = Part::decode(packed).map_err(|error| error.to_string())?;
        let ids = part.episodes.iter().map(|episode| &episode.id);
        let is_whole = self.jobs.episodes(job).iter().eq(ids) && part.episodes.iter().all(|episode| !episode.is_open());
        match part.run == self.manifest.run && part.job == job && is_whole {
            true if part.version == self.manifest.version => Ok(part),
            true => Err(format!("it was played by version {}", part.version)),
            false => Err("it is not the part of this job of this run".to_owned()),
        }
    }
}

/// The error of a look.
enum Looked<E> {
    Queue(QueueError),
    Run(E),
}

impl<E> From<QueueError> for Looked<E> {
    fn from(error: QueueError) -> Self {
        Self::Queue(error)
    }
}
