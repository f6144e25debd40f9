//! A worker: leases jobs, has their episodes played by the runtime beside it, and commits what comes of them.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    Gathering, Heartbeat, Jobs, Keeping, Kept, Lease, Manifest, Part, Play, PlayedEpisode, Queue, QueueError,
    WorkerState, keep,
};
use crate::{capped, locked};
use rolecall_core::domain::EpisodeId;
use rolecall_core::ports::model::ModelShare;
use rolecall_run::config::Plan;
use rolecall_run::runtime::QueuedEpisode;

/// The time between two looks whether the episodes of models have something to be shipped.
const SHIPPING: Duration = Duration::from_millis(100);
/// The waits between two looks for jobs where there was none: at first, and at most.
const IDLE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(3));

/// Works for a queue. Its episodes are played by a [`Launch`](rolecall_run::runtime::Launch) that gets them by the
/// channel, and whose log is [copied](rolecall_core::log::LogHandle::copied) to the gathering.
pub struct Worker {
    /// The queue, under the worker's name.
    pub queue: Arc<dyn Queue>,
    /// The run that it plays.
    pub manifest: Manifest,
    /// The plan that the manifest describes.
    pub plan: Arc<Plan>,
    /// Where lines are gathered.
    pub gathering: Arc<Gathering>,
    /// Where episodes are played.
    pub orders: mpsc::Sender<QueuedEpisode>,
    /// Who it is; what is counted is filled in.
    pub heartbeat: Heartbeat,
    /// The time for which a queue that is away is waited for.
    pub outage: Duration,
    /// Struck when no more jobs are to be leased.
    pub stop: CancellationToken,
    /// Struck when nothing is played any more.
    pub over: CancellationToken,
}

/// The end of a worker.
#[derive(Debug, Default)]
pub struct Ended {
    /// Its last heartbeat.
    pub heartbeat: Heartbeat,
    /// Jobs that were played and could not be committed, with the last error.
    pub unsent: Vec<QueueError>,
    /// The reason why it ended before the queue was empty, unless it was told to.
    pub error: Option<QueueError>,
}

/// Gives the episodes of a job when all are closed.
type Over = oneshot::Receiver<Vec<PlayedEpisode>>;

/// State that the tasks of a worker share.
struct Shared {
    worker: Worker,
    jobs: Jobs,
    keeping: Keeping,
    heartbeat: Mutex<Heartbeat>,
    /// The most episodes that this worker may play now.
    most: Mutex<usize>,
}

impl Worker {
    /// Works until the queue is empty, or it is told to stop and nothing is played any more.
    pub async fn work(self) -> Ended {
        let lease = Duration::try_from_secs_f64(self.manifest.lease_seconds).unwrap_or(Duration::from_secs(60));
        // What was computed by rules is computed again; what models said is paid for.
        let models = self.plan.models.iter().next().is_some();
        let shared = Arc::new(Shared {
            jobs: Jobs::new(&self.plan, self.manifest.per_job),
            keeping: Keeping { lease, shipping: models.then_some(SHIPPING), outage: self.outage },
            heartbeat: Mutex::new(self.heartbeat.clone()),
            most: Mutex::new(self.plan.run.concurrency),
            worker: self,
        });
        shared.give_heartbeat().await;
        shared.join(lease / 3).await;
        let beating = tokio::spawn(Arc::clone(&shared).beat_on(lease / 3));
        let mut ended = Arc::clone(&shared).lease_on().await;
        beating.abort();
        shared.heartbeat().left = true;
        shared.give_heartbeat().await;
        ended.heartbeat = shared.heartbeat().clone();
        ended
    }
}

impl Shared {
    /// Takes a first share, and lets the others make room where something is shared.
    async fn join(&self, notice: Duration) {
        let began = Instant::now();
        while !self.worker.stop.is_cancelled() && began.elapsed() < self.worker.outage {
            match self.share().await {
                None => sleep(IDLE.1).await,
                Some(1) => break,
                Some(_) => {
                    sleep(notice).await;
                    self.share().await;
                    break;
                }
            }
        }
        self.give_heartbeat().await;
    }

    /// Leases jobs as long as there are some.
    async fn lease_on(self: Arc<Self>) -> Ended {
        let (mut ended, mut playing) = (Ended::default(), JoinSet::new());
        let (mut idle, mut reached) = (IDLE.0, Instant::now());
        while !self.worker.stop.is_cancelled() {
            let room = self.room();
            let mut wait = IDLE.1;
            if room > 0 {
                match self.worker.queue.lease(room).await {
                    Ok(leases) => {
                        reached = Instant::now();
                        (idle, wait) = match leases.len() {
                            0 => ((idle * 2).min(IDLE.1), idle),
                            _ => (IDLE.0, Duration::ZERO),
                        };
                        if leases.is_empty() && playing.is_empty() && self.is_done().await {
                            break;
                        }
                        for lease in leases {
                            self.start(lease, &mut playing);
                        }
                    }
                    Err(error) if error.may_pass() && reached.elapsed() < self.worker.outage => {}
                    Err(error) => {
                        ended.error = Some(error);
                        break;
                    }
                }
            }
            tokio::select! {
                biased;
                () = self.worker.stop.cancelled() => {}
                Some(kept) = playing.join_next() => ended.unsent.extend(kept.ok().flatten()),
                () = sleep(wait) => {}
            }
        }
        // Whoever plays waits for more, or has been told to stop.
        self.worker.stop.cancel();
        while let Some(kept) = playing.join_next().await {
            ended.unsent.extend(kept.ok().flatten());
        }
        ended
    }

    /// The number of jobs that there is room for.
    fn room(&self) -> usize {
        let most = *locked(&self.most);
        most.saturating_sub(self.worker.gathering.open()).div_ceil(self.worker.manifest.per_job.max(1) as usize)
    }

    /// Whether nobody needs this worker any more.
    async fn is_done(&self) -> bool {
        self.worker.queue.progress().await.is_ok_and(|jobs| jobs.waiting == 0 && jobs.leased == 0)
    }

    /// Has a job played, unless it is played here already: a queue may hand it out anew that believes this
    /// worker lost.
    fn start(self: &Arc<Self>, lease: Lease, playing: &mut JoinSet<Option<QueueError>>) {
        if self.worker.gathering.has(lease.job) {
            return;
        }
        let (episodes, orders) = self.episodes(&lease);
        let over = self.worker.gathering.begin(lease.job, episodes);
        playing.spawn(Arc::clone(self).play_out(lease, orders, over));
    }

    /// Plays a job to its end. Returns the error if it could not be committed.
    async fn play_out(self: Arc<Self>, lease: Lease, orders: Vec<QueuedEpisode>, over: Over) -> Option<QueueError> {
        let shipped = || self.part(&lease, self.worker.gathering.news(lease.job)?).encode().ok();
        let episodes = self.jobs.episodes(lease.job).len() as u64;
        if lease.attempt > 1 {
            self.heartbeat().taken_over += episodes;
        }
        let queue = &*self.worker.queue;
        let play = self.play(&lease, orders, over);
        let kept = keep(queue, &lease, &self.keeping, play, shipped).await;
        self.worker.gathering.drop_job(lease.job);
        match kept {
            Kept::First => self.heartbeat().committed += episodes,
            Kept::Late => self.heartbeat().late += episodes,
            Kept::GivenBack | Kept::Abandoned => {}
            Kept::Unsent { error, .. } => return Some(error),
        }
        None
    }

    /// The episodes of a job, those included that somebody else closed, and those that are to be played.
    fn episodes(&self, lease: &Lease) -> (Vec<PlayedEpisode>, Vec<QueuedEpisode>) {
        let mut begun = self.begun(lease);
        let ids = self.jobs.episodes(lease.job);
        let (mut episodes, mut orders) = (Vec::new(), Vec::new());
        for id in ids {
            match begun.remove(&id) {
                Some(episode) if !episode.is_open() => episodes.push(episode),
                open => {
                    episodes.push(PlayedEpisode::new(id.clone()));
                    orders.push(QueuedEpisode {
                        id,
                        begun: open.and_then(|episode| episode.events().ok()).unwrap_or_default(),
                        broken: self.poison(lease),
                    });
                }
            }
        }
        (episodes, orders)
    }

    async fn play(&self, lease: &Lease, orders: Vec<QueuedEpisode>, over: Over) -> Play {
        let given = async {
            for order in orders {
                // Closed only when nothing is played any more.
                let _ = self.worker.orders.send(order).await;
            }
            over.await
        };
        tokio::select! {
            biased;
            played = given => match played.map(|played| self.part(lease, played).encode()) {
                Ok(Ok(part)) => Play::Whole(part),
                Ok(Err(_)) | Err(_) => Play::Hopeless,
            },
            () = self.worker.over.cancelled() => Play::Stopped,
        }
    }

    /// Episodes of the job that the worker before left, if they are of this run.
    fn begun(&self, lease: &Lease) -> FxHashMap<EpisodeId, PlayedEpisode> {
        let begun = lease.begun.as_deref().and_then(|part| Part::decode(part).ok());
        begun
            .filter(|part| part.run == self.worker.manifest.run && part.job == lease.job)
            .map(|part| part.episodes)
            .into_iter()
            .flatten()
            .map(|episode| (episode.id.clone(), episode))
            .collect()
    }

    /// The reason why the episodes of a job are to break: whoever played it was lost, again and again.
    fn poison(&self, lease: &Lease) -> Option<String> {
        let tries = lease.attempt.saturating_sub(1);
        let most = self.worker.manifest.attempts;
        (most > 0 && tries >= most).then(|| format!("{tries} workers were lost while they played its job"))
    }

    fn part(&self, lease: &Lease, episodes: Vec<PlayedEpisode>) -> Part {
        let heartbeat = self.heartbeat();
        Part {
            run: self.worker.manifest.run.clone(),
            job: lease.job,
            attempt: lease.attempt,
            worker: heartbeat.worker.clone(),
            version: heartbeat.version.clone(),
            episodes,
        }
    }

    /// Says how this worker is, now and then, and looks who else is there.
    async fn beat_on(self: Arc<Self>, every: Duration) {
        loop {
            sleep(every).await;
            self.share().await;
            // Now others know what this one reserved.
            self.give_heartbeat().await;
        }
    }

    /// Whether there is something that workers must not take more of together.
    fn has_limits(&self) -> bool {
        let mut models = self.worker.plan.model_settings.iter();
        self.worker.manifest.in_flight.is_some()
            || models.any(|model| {
                let limits = &model.limits;
                model.spend.is_some()
                    || [limits.requests_per_minute, limits.tokens_per_minute].iter().any(Option::is_some)
            })
    }

    /// Takes its share of what all workers may use together. Returns the number of those that share it; nothing if
    /// the queue does not say.
    async fn share(&self) -> Option<usize> {
        if !self.has_limits() {
            return Some(1);
        }
        let workers = self.worker.queue.workers().await.ok()?;
        let name = self.heartbeat().worker.clone();
        let sharing = Sharing::of(&workers, &name);
        if let Some(all) = self.worker.manifest.in_flight {
            *locked(&self.most) = sharing.part(all as usize).min(self.worker.plan.run.concurrency);
        }
        let reserved = self.worker.plan.models.iter().filter_map(|model| {
            let slice = model.share(&sharing.model(model.name()))?;
            Some((model.name().to_owned(), slice))
        });
        self.heartbeat().reserved = rolecall_core::maps::ordered(reserved);
        Some(sharing.live)
    }

    async fn give_heartbeat(&self) {
        let heartbeat = {
            let mut heartbeat = self.heartbeat();
            heartbeat.number += 1;
            heartbeat.playing = capped(self.worker.gathering.open());
            let spent = self
                .worker
                .plan
                .models
                .iter()
                .filter(|model| model.profile().prices.is_some())
                .map(|model| (model.name().to_owned(), model.spent()));
            heartbeat.spent = rolecall_core::maps::ordered(spent);
            heartbeat.clone()
        };
        // A queue that is away is noticed where jobs are leased.
        let _ = self.worker.queue.heartbeat(&heartbeat).await;
    }

    fn heartbeat(&self) -> MutexGuard<'_, Heartbeat> {
        locked(&self.heartbeat)
    }
}

/// The part of one worker.
pub(super) struct Sharing<'a> {
    others: Vec<&'a WorkerState>,
    /// Live workers whose names come before its own.
    before: usize,
    /// Live workers, this one included.
    pub(super) live: usize,
}

impl<'a> Sharing<'a> {
    /// The part of the one with this name.
    pub(super) fn of(workers: &'a [WorkerState], name: &str) -> Self {
        let others: Vec<&WorkerState> = workers.iter().filter(|state| state.heartbeat.worker != name).collect();
        let live = others.iter().filter(|state| state.alive);
        let before = live.clone().filter(|state| *state.heartbeat.worker < *name);
        Self { before: before.count(), live: live.count() + 1, others }
    }

    /// Its part of so many: the parts of all make up the whole, and differ by one at most.
    pub(super) fn part(&self, whole: usize) -> usize {
        whole / self.live + usize::from(self.before < whole % self.live)
    }

    /// Its part of a model's limits. Who is lost or has left spends nothing more.
    pub(super) fn model(&self, name: &str) -> ModelShare {
        let mut share = ModelShare { workers: capped(self.live), spent_elsewhere: 0.0, reserved_elsewhere: 0.0 };
        for state in &self.others {
            let of = |money: &std::collections::BTreeMap<String, f64>| money.get(name).copied().unwrap_or_default();
            let spent = of(&state.heartbeat.spent);
            let reserved = of(&state.heartbeat.reserved);
            share.spent_elsewhere += spent;
            share.reserved_elsewhere += if state.alive { spent.max(reserved) } else { spent };
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(name: &str, alive: bool) -> WorkerState {
        let money = |amount| [("large".to_owned(), amount)].into();
        let heartbeat =
            Heartbeat { worker: name.to_owned(), spent: money(1.0), reserved: money(3.0), ..Heartbeat::default() };
        WorkerState { heartbeat, alive }
    }

    #[test]
    fn parts_are_even_and_make_up_the_whole() {
        let workers = ["a", "b", "c", "d"].map(|name| worker(name, true));
        for whole in [0, 1, 7, 64] {
            let parts = ["a", "b", "c", "d"].map(|name| Sharing::of(&workers, name).part(whole));
            assert_eq!(parts.iter().sum::<usize>(), whole);
            assert!(parts[0] - parts[3] <= 1);
        }
        // Who is not there yet counts for itself.
        assert_eq!(Sharing::of(&workers, "e").live, 5);
    }

    #[test]
    fn who_is_gone_has_spent_and_reserves_nothing() {
        let workers = [worker("a", true), worker("b", false), worker("c", true)];
        let share = Sharing::of(&workers, "c").model("large");
        let expected = ModelShare { workers: 2, spent_elsewhere: 2.0, reserved_elsewhere: 4.0 };
        assert_eq!(share, expected);
        assert_eq!(Sharing::of(&workers, "c").model("other").spent_elsewhere, 0.0);
    }
}
