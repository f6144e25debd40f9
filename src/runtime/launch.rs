//! Starting episodes: tasks are opened lazily, episodes are admitted under permits and spread over
//! arbiters, results come back in any order.

use std::sync::Arc;

use actix::{Actor, Arbiter, System};
use futures_util::{StreamExt, stream};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::check::check_task;
use super::conductor::{Opening, Setup};
use super::directory::Directory;
use super::episode::{Cast, EpisodeActor, Shared};
use super::participant::Factory;
use super::pauses::{Complaint, Pauses};
use super::seats::Seats;
use crate::config::{Cell, Plan, PlannedUser};
use crate::domain::{EpisodeId, Opened, PublicTask, Seat, Seed, Task, Visibility};
use crate::evaluation::EpisodeResult;
use crate::log::{Batch, LogHandle, LogWriter};
use crate::ports::{EnvironmentError, Metric, OpenTask};

/// Follows a run while it goes on.
pub trait Observer {
    /// An episode has closed.
    fn closed(&mut self, result: &EpisodeResult, live: &Directory);

    /// Some time has passed. The pauses are models that do not answer at the moment, with what is
    /// wrong.
    fn tick(&mut self, live: &Directory, pauses: &[Complaint]);
}

/// For runs that nobody follows.
impl Observer for () {
    fn closed(&mut self, _: &EpisodeResult, _: &Directory) {}

    fn tick(&mut self, _: &Directory, _: &[Complaint]) {}
}

/// Why a run cannot go on.
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

/// A run that is ready to go.
pub struct Launch {
    /// What is run.
    pub plan: Arc<Plan>,
    /// Where it is written.
    pub log: LogHandle,
    /// What is measured.
    pub metrics: Arc<[&'static dyn Metric]>,
    /// Strike it to end the run: no new episodes, live ones end at their next turn.
    pub stop: CancellationToken,
}

/// What came of a run.
#[derive(Debug)]
pub struct Launched {
    /// The results of all episodes that were begun, in no particular order.
    pub results: Vec<EpisodeResult>,
    /// The number of episodes that were planned.
    pub planned: usize,
    /// Events of all episodes.
    pub events: u64,
    /// Models that will not answer without somebody's help, with what is wrong; the run was
    /// stopped for it.
    pub lost: Vec<Complaint>,
}

impl Launch {
    /// The run of a plan whose log goes to the writer's folder, with a token of its own to stop it.
    pub fn new(
        plan: impl Into<Arc<Plan>>,
        log: &LogWriter,
        metrics: Vec<&'static dyn Metric>,
    ) -> Self {
        Self {
            plan: plan.into(),
            log: log.handle(),
            metrics: metrics.into(),
            stop: CancellationToken::new(),
        }
    }

    /// Plays all episodes. Blocks until they are closed.
    pub fn run(self, observer: &mut dyn Observer) -> Result<Launched, LaunchError> {
        System::new().block_on(self.play(observer))
    }

    async fn play(self, observer: &mut dyn Observer) -> Result<Launched, LaunchError> {
        let count = self.plan.run.arbiters.max(1);
        let arbiters: Vec<Arbiter> = (0..count).map(|_| Arbiter::new()).collect();
        let directory = Directory::default();
        let (finished, mut results) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            log: self.log,
            directory: directory.clone(),
            metrics: self.metrics,
            stop: self.stop,
            finished,
        });
        let planned = self.plan.episodes();
        let mut pauses = Pauses::new(&self.plan.models);
        let log = shared.log.clone();
        let stop = shared.stop.clone();
        let mut lost = Vec::new();
        let begun = actix::spawn(admit(self.plan, shared, arbiters));
        let mut all = Vec::new();
        let mut ticks = tokio::time::interval(std::time::Duration::from_millis(100));
        loop {
            tokio::select! {
                biased;
                _ = ticks.tick() => {
                    let look = pauses.look();
                    if !look.lost.is_empty() {
                        lost = look.lost;
                        stop.cancel();
                    }
                    if !look.over.is_empty() {
                        note(&log, Batch { timing: look.over, ..Batch::default() }).await;
                    }
                    observer.tick(&directory, &look.pauses);
                }
                result = results.recv() => match result {
                    Some(result) => {
                        observer.closed(&result, &directory);
                        all.push(result);
                    }
                    // The last episode has dropped its end of the channel.
                    None => break,
                },
            }
        }
        note(&log, pauses.end()).await;
        let begun = begun.await.map_err(|_| LaunchError::Admission)?;
        if begun != all.len() {
            return Err(LaunchError::Lost(begun.saturating_sub(all.len())));
        }
        Ok(Launched {
            results: all,
            planned,
            events: directory.events(),
            lost,
        })
    }
}

/// Writes lines about the run itself.
async fn note(log: &LogHandle, lines: Batch) {
    if !lines.timing.is_empty() {
        // A log that cannot be written stops the run by way of its episodes.
        let _ = log.append(lines).await;
    }
}

/// Starts episodes as permits allow; returns how many were begun.
async fn admit(plan: Arc<Plan>, shared: Arc<Shared>, arbiters: Vec<Arbiter>) -> usize {
    let permits = Arc::new(Semaphore::new(plan.run.concurrency.max(1)));
    let openings = plan.openings();
    let ahead = arbiters.len() + 1;
    let mut opened = stream::iter(openings)
        .map(|(task, cells)| open(Arc::clone(&plan), task, cells))
        .buffered(ahead);
    let mut begun = 0;
    'admission: while let Some((task, cells, source)) = opened.next().await {
        for repeat in 0..plan.repeats {
            for cell in &cells {
                let permit = tokio::select! {
                    biased;
                    () = shared.stop.cancelled() => break 'admission,
                    permit = Arc::clone(&permits).acquire_owned() => permit,
                };
                // The semaphore is never closed.
                let Ok(permit) = permit else { break 'admission };
                let id = EpisodeId {
                    cell: plan.cells[*cell].name.clone(),
                    task,
                    repeat,
                };
                let cast = cast(&plan.cells[*cell], id, plan.seed, &source);
                let shared = Arc::clone(&shared);
                let arbiter = &arbiters[begun % arbiters.len()];
                EpisodeActor::start_in_arbiter(&arbiter.handle(), move |_| {
                    EpisodeActor::new(cast, shared, permit)
                });
                begun += 1;
            }
        }
    }
    // Arbiters stop when their episodes are gone: keep them until every permit is back.
    let all = u32::try_from(plan.run.concurrency.max(1)).unwrap_or(u32::MAX);
    drop(shared);
    let _ = permits.acquire_many(all).await;
    arbiters.iter().for_each(|arbiter| {
        arbiter.stop();
    });
    begun
}

type OpenedTask = (u32, Vec<usize>, Arc<Result<OpenTask, EnvironmentError>>);

/// Opens a task off the arbiters: it may read a file and search for a plan.
async fn open(plan: Arc<Plan>, task: u32, cells: Vec<usize>) -> OpenedTask {
    let source = Arc::clone(&plan.cells[cells[0]].tasks);
    let index = plan.tasks[task as usize];
    let opened = tokio::task::spawn_blocking(move || source.open(index)).await;
    let opened = opened.unwrap_or_else(|_| {
        Err(EnvironmentError::Failed(
            "opening the task panicked".to_owned(),
        ))
    });
    let opened = opened.and_then(|open| check_task(&open.task).map(|()| open));
    (task, cells, Arc::new(opened))
}

/// Sets the cast of an episode up.
pub(super) fn cast(
    cell: &Cell,
    id: EpisodeId,
    seed: Seed,
    task: &Result<OpenTask, EnvironmentError>,
) -> Cast {
    let (public, entrusted, broken) = match task {
        Ok(open) => {
            let Task { public, entrusted } = open.task.clone();
            (public, entrusted, None)
        }
        Err(error) => (unknown_task(id.task), Vec::new(), Some(error.to_string())),
    };
    let user = draw_user(&cell.users, seed, &public.id, id.repeat);
    let mut factories: Seats<Factory> = Seats::new();
    for role in &cell.roles {
        factories.insert(
            Seat::Role(role.role.clone()),
            Factory::Role(role.factory.clone()),
        );
    }
    if let Some(user) = user {
        factories.insert(Seat::User, Factory::User(user.factory.clone()));
    }
    if let Ok(open) = task {
        let factory = Factory::Environment(open.environment.clone());
        factories.insert(Seat::Environment, factory);
    }
    let opened = Opened {
        task: Arc::clone(&public),
        cell: id.cell.clone(),
        strategy: cell.strategy_name.clone(),
        roles: cell.roles.iter().map(|role| role.role.clone()).collect(),
        user: user.map(|user| user.kind.clone()),
    };
    Cast {
        setup: Setup {
            id,
            seed,
            task: public,
            limits: cell.limits,
        },
        opening: Opening {
            opened: Box::new(opened),
            entrusted,
            broken,
        },
        visibility: Visibility {
            user_sees: user.map(|user| user.sees).unwrap_or_default(),
            hidden_thoughts: cell.hidden_thoughts.clone(),
        },
        strategy: (cell.strategy)(),
        factories,
    }
}

/// Stands for a task that cannot be opened.
fn unknown_task(task: u32) -> Arc<PublicTask> {
    Arc::new(PublicTask::new(format!("task {task}"), "unknown", ""))
}

/// Draws the user of an episode by weight. The draw depends on the task and the repeat only, so
/// that cells are compared with the same users.
fn draw_user<'a>(
    users: &'a [PlannedUser],
    seed: Seed,
    task: &str,
    repeat: u32,
) -> Option<&'a PlannedUser> {
    let total: f64 = users.iter().map(|user| user.weight).sum();
    let Seed(bits) = seed.labelled("user", task, repeat);
    // The upper 53 bits make a number in [0, 1).
    let mut point = (bits >> 11) as f64 / (1_u64 << 53) as f64 * total;
    users
        .iter()
        .find(|user| {
            point -= user.weight;
            point < 0.0
        })
        .or(users.last())
}
