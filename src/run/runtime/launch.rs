//! Starting episodes: tasks are opened lazily, episodes are admitted under permits and spread over
//! arbiters, results come back in any order.

use std::future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use actix::{Actor, System};
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::arbiters::Arbiters;
use super::directory::Directory;
use super::episode::{EpisodeActor, RunContext, Start};
use super::episode_source::{Episode, EpisodeSource, LastOpened, open, ordered, queued};
use super::orders::Orders;
use super::outage_monitor::{ModelOutage, OutageMonitor};
use super::resume_state::ResumeState;
use super::watchdog::Blocked;
use crate::config::Plan;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{Batch, LogHandle, LogWriter};
use rolecall_core::ports::Metric;

/// The most results for which room is made before they come: while a list of many grows, it is there twice.
const RESERVED: usize = 1 << 20;

/// Follows a run while it goes on.
pub trait Observer {
    /// An episode has closed.
    fn closed(&mut self, result: &EpisodeResult, live: &Directory);

    /// Some time has passed. The outages are the models that do not answer at the moment, with what
    /// is wrong.
    fn tick(&mut self, live: &Directory, outages: &[ModelOutage]);

    /// Somebody keeps a thread to itself: told when it is noticed, again each time that it has
    /// lasted twice as long, and when it is over.
    fn blocked(&mut self, _: &Blocked) {}

    /// Episodes were given up with their thread: they have no result.
    fn given_up(&mut self, _: &[EpisodeId]) {}
}

/// For runs that nobody follows.
impl Observer for () {
    fn closed(&mut self, _: &EpisodeResult, _: &Directory) {}

    fn tick(&mut self, _: &Directory, _: &[ModelOutage]) {}
}

/// The reason why a run cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// Setting an episode up panicked (a strategy's factory, for instance). Episodes that were
    /// begun before it are closed and logged.
    #[error("no more episodes could be started: setting one up panicked")]
    Admission,
    /// Episodes vanished without closing.
    #[error("{0} episodes ended without closing; this is a fault of rolecall, please report it")]
    Lost(usize),
}

/// A run that is ready to start.
pub struct Launch {
    /// The plan that is run.
    pub plan: Arc<Plan>,
    /// The log that it is written to.
    pub log: LogHandle,
    /// The metrics that are measured.
    pub metrics: Arc<[&'static dyn Metric]>,
    /// Strike it to end the run: no new episodes, live ones end at their next turn and stay open
    /// in the log.
    pub stop: CancellationToken,
    /// The episodes that need not be played, or not from the beginning.
    pub resume_state: ResumeState,
    /// Episodes that are asked for: these are played, until the channel closes, and no others.
    pub orders: Option<Orders>,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Launched {
    /// The results of all episodes that were begun or gone on with, in no particular order. Those
    /// of episodes that are open have no ending.
    pub results: Vec<EpisodeResult>,
    /// The number of episodes that were to be played.
    pub planned: usize,
    /// Events that were logged.
    pub events: u64,
    /// Models that will not answer without somebody's help, with what is wrong; the run was
    /// stopped for it.
    pub lost: Vec<ModelOutage>,
    /// Episodes that were given up with their thread, which somebody kept to itself for good. They
    /// are open in the log and have no result.
    pub given_up: Vec<EpisodeId>,
}

impl Launch {
    /// The run of a plan whose log goes to the writer's folder, with a token of its own to stop it.
    pub fn new(plan: impl Into<Arc<Plan>>, log: &LogWriter, metrics: Vec<&'static dyn Metric>) -> Self {
        Self {
            plan: plan.into(),
            log: log.handle(),
            metrics: metrics.into(),
            stop: CancellationToken::new(),
            resume_state: ResumeState::default(),
            orders: None,
        }
    }

    /// Number of episodes that are to be played, from their beginning or on; 0 where others say which.
    pub fn planned(&self) -> usize {
        match self.orders {
            Some(_) => 0,
            None => self.resume_state.left(self.plan.planned()),
        }
    }

    /// Plays all episodes. Blocks until they are closed.
    pub fn run(self, observer: &mut dyn Observer) -> Result<Launched, LaunchError> {
        System::new().block_on(self.play(observer))
    }

    async fn play(self, observer: &mut dyn Observer) -> Result<Launched, LaunchError> {
        bound_answers(&self.plan);
        let arbiters = Rc::new(Arbiters::start(&self.plan));
        let planned = self.planned();
        let (finished, mut results) = mpsc::unbounded_channel();
        let shared = Arc::new(RunContext {
            run: Arc::clone(&self.plan.id),
            log: self.log,
            directory: Directory::default(),
            metrics: self.metrics,
            stop: self.stop,
        });
        let mut monitor = OutageMonitor::new(&self.plan.models);
        let mut lost = Vec::new();
        let (run, on) = (Arc::clone(&shared), Rc::clone(&arbiters));
        let source = Arc::new(EpisodeSource { plan: self.plan, resume_state: Mutex::new(self.resume_state) });
        let starts = starts(Arc::clone(&source), self.orders, arbiters.len() + 1);
        let begun = actix::spawn(admit(source, starts, run, on, finished));
        let directory = &shared.directory;
        let (mut all, mut given_up) = (Vec::with_capacity(planned.min(RESERVED)), Vec::new());
        let mut ticks = tokio::time::interval(std::time::Duration::from_millis(100));
        loop {
            tokio::select! {
                biased;
                _ = ticks.tick() => {
                    let outages = check_models(&mut monitor, &shared, &mut lost).await;
                    observer.tick(directory, &outages);
                    given_up.extend(watch(&arbiters, &shared, observer).await);
                }
                result = results.recv() => match result {
                    Some(result) => {
                        observer.closed(&result, directory);
                        all.push(result);
                    }
                    // The last episode has dropped its end of the channel.
                    None => break,
                },
            }
        }
        // Whoever kept a thread until the end has given it back.
        given_up.extend(watch(&arbiters, &shared, observer).await);
        log_timing(&shared.log, monitor.end()).await;
        let begun = begun.await.map_err(|_| LaunchError::Admission)?;
        let ended = all.len() + given_up.len();
        if begun != ended {
            return Err(LaunchError::Lost(begun.saturating_sub(ended)));
        }
        Ok(Launched { results: all, planned, events: directory.events(), lost, given_up })
    }
}

/// Tells models how much of an answer is kept in the cell that keeps most.
fn bound_answers(plan: &Plan) {
    if let Some(most) = plan.cells.iter().map(|cell| cell.limits.answer_bytes).max() {
        plan.models.iter().for_each(|model| model.bound_answers(most));
    }
}

/// Looks how models do: those that are lost end the run. Returns those that do not answer now.
async fn check_models(monitor: &mut OutageMonitor, run: &RunContext, lost: &mut Vec<ModelOutage>) -> Vec<ModelOutage> {
    let look = monitor.look();
    if !look.lost.is_empty() {
        *lost = look.lost;
        run.stop.cancel();
    }
    log_timing(&run.log, look.over).await;
    look.outages
}

/// Looks who keeps a thread to itself, and says so. Returns episodes that were given up.
async fn watch(arbiters: &Arbiters, run: &RunContext, observer: &mut dyn Observer) -> Vec<EpisodeId> {
    let (look, given_up) = arbiters.look(&run.directory, run.stop.is_cancelled());
    log_timing(&run.log, look.lines).await;
    for blocked in &look.blocked {
        observer.blocked(blocked);
    }
    if !given_up.is_empty() {
        observer.given_up(&given_up);
    }
    given_up
}

/// Writes lines about the run itself.
async fn log_timing(log: &LogHandle, timing: Vec<u8>) {
    if timing.is_empty() {
        return;
    }
    // A log that cannot be written stops the run by way of its episodes.
    let _ = log.append(Batch { timing, ..Batch::default() }).await;
}

/// The episodes as they are to be started, some of them set up ahead: those of the plan, or those that are
/// asked for.
fn starts(source: Arc<EpisodeSource>, orders: Option<Orders>, ahead: usize) -> Pin<Box<dyn Stream<Item = Start>>> {
    match orders {
        None => {}
        Some(Orders::Clients(mut orders)) => {
            let orders = stream::poll_fn(move |context| orders.poll_recv(context));
            let starts = orders.map(move |order| ordered(Arc::clone(&source), order));
            return Box::pin(starts.buffered(ahead).filter_map(future::ready));
        }
        Some(Orders::Queue(mut orders)) => {
            let last = Arc::<LastOpened>::default();
            let orders = stream::poll_fn(move |context| orders.poll_recv(context));
            let starts = orders.map(move |order| queued(Arc::clone(&source), Arc::clone(&last), order));
            return Box::pin(starts.buffered(ahead).filter_map(future::ready));
        }
    }
    let openings = source.plan.openings().into_iter();
    let (played, opened) = (Arc::clone(&source), source);
    let starts = stream::iter(openings.filter(move |(task, cells)| played.plays(*task, cells)))
        .map(move |(task, cells)| open(Arc::clone(&opened), task, cells))
        .buffered(ahead)
        .flat_map(|opened| stream::iter(opened.episodes()))
        .map(Episode::ready)
        .buffered(ahead);
    Box::pin(starts)
}

/// Starts episodes as permits allow; returns how many were started.
async fn admit(
    source: Arc<EpisodeSource>,
    mut starts: Pin<Box<dyn Stream<Item = Start>>>,
    shared: Arc<RunContext>,
    arbiters: Rc<Arbiters>,
    finished: UnboundedSender<EpisodeResult>,
) -> usize {
    let permits = Arc::new(Semaphore::new(source.plan.run.concurrency.max(1)));
    let mut begun = 0;
    loop {
        let start = tokio::select! {
            biased;
            () = shared.stop.cancelled() => break,
            start = starts.next() => start,
        };
        let Some(start) = start else { break };
        let permit = tokio::select! {
            biased;
            () = shared.stop.cancelled() => break,
            permit = Arc::clone(&permits).acquire_owned() => permit,
        };
        // The semaphore is never closed.
        let Ok(permit) = permit else { break };
        let shared = Arc::clone(&shared);
        let (arbiter, lease) = arbiters.lease(start.id(), permit, &finished);
        EpisodeActor::start_in_arbiter(&arbiter, move |_| EpisodeActor::new(start, shared, lease));
        begun += 1;
    }
    // Arbiters stop when their episodes are gone: keep them until every permit is back.
    let all = u32::try_from(source.plan.run.concurrency.max(1)).unwrap_or(u32::MAX);
    drop(finished);
    let _ = permits.acquire_many(all).await;
    arbiters.stop();
    begun
}
