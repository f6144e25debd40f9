//! The source of episodes: tasks are opened, casts are set up, and what an earlier process or another run
//! played of an episode is gone through again.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};

use tokio::sync::OnceCell;

use super::casting::{Cast, cast, served};
use super::check::check_task;
use super::episode::Start;
use super::locked;
use super::orders::{EpisodeOrder, QueuedEpisode};
use super::replay::{ReplayRules, block_on, replay_events};
use super::resume_state::{ResumeState, fork};
use crate::config::Plan;
use rolecall_core::domain::{EpisodeId, Event, Served};
use rolecall_core::log::Digest;
use rolecall_core::ports::{EnvironmentError, OpenTask};

/// The source of a run's episodes.
pub(super) struct EpisodeSource {
    pub(super) plan: Arc<Plan>,
    pub(super) resume_state: Mutex<ResumeState>,
}

impl EpisodeSource {
    /// Whether any episode of the opening is to be played.
    pub(super) fn plays(&self, task: u32, cells: &[usize]) -> bool {
        (0..self.repeats()).any(|repeat| !self.ids(task, repeat, cells).is_empty())
    }

    /// The number of repeats of which an episode may be to be played.
    fn repeats(&self) -> u32 {
        self.with_resume_state(|state| state.repeats(self.plan.repeats))
    }

    fn with_resume_state<T>(&self, look: impl FnOnce(&mut ResumeState) -> T) -> T {
        look(&mut locked(&self.resume_state))
    }

    /// The episodes of one repeat of a task that are to be played, in playing order, each with the index
    /// of its cell.
    fn ids(&self, task: u32, repeat: u32, cells: &[usize]) -> Vec<(usize, EpisodeId)> {
        let shared = cells
            .iter()
            .map(|index| {
                let cell = self.plan.cells[*index].name.clone();
                (*index, EpisodeId { cell, task, repeat })
            })
            .filter(|(_, id)| self.plan.shares(id));
        self.with_resume_state(|state| shared.filter(|(_, id)| state.plays(id)).collect())
    }
}

type OpenedTask = Arc<Result<OpenTask, EnvironmentError>>;

/// A task that was opened, for the cells that share it.
pub(super) struct OpenedCells {
    source: Arc<EpisodeSource>,
    task: u32,
    cells: Vec<usize>,
    opened: OpenedTask,
}

/// An episode that is to be played.
pub(super) struct Episode {
    source: Arc<EpisodeSource>,
    cell: usize,
    id: EpisodeId,
    opened: OpenedTask,
}

/// Opens a task for the cells that share it.
pub(super) async fn open(source: Arc<EpisodeSource>, task: u32, cells: Vec<usize>) -> OpenedCells {
    let opened = open_task(&source, task, cells[0]).await;
    OpenedCells { source, task, cells, opened }
}

/// Sets up the episode that a client asks for; nothing if the plan has none of that name.
pub(super) async fn ordered(source: Arc<EpisodeSource>, order: EpisodeOrder) -> Option<Start> {
    let EpisodeOrder { id, served, client } = order;
    let cell = source.plan.cells.iter().position(|cell| cell.name == id.cell)?;
    let opened = open_task(&source, id.task, cell).await;
    let episode = Episode { source, cell, id, opened };
    Some(Start::Served(Box::new(episode.cast(Some(&served))), client))
}

/// The task that was opened last for a queue: cells that share a source follow one another.
#[derive(Default)]
pub(super) struct LastOpened(Mutex<Option<Opening>>);

/// A task with the first cell that has its source, and where it is opened.
type Opening = (u32, usize, Arc<OnceCell<OpenedTask>>);

impl LastOpened {
    /// Where the task is opened for these cells, or was.
    fn of(&self, task: u32, source: usize) -> Arc<OnceCell<OpenedTask>> {
        let mut last = locked(&self.0);
        match &*last {
            Some((opened_task, from, opened)) if (*opened_task, *from) == (task, source) => Arc::clone(opened),
            _ => {
                let opened = Arc::default();
                *last = Some((task, source, Arc::clone(&opened)));
                opened
            }
        }
    }
}

/// Sets up the episode that a queue hands out; nothing if the plan has none of that name.
pub(super) async fn queued(source: Arc<EpisodeSource>, last: Arc<LastOpened>, order: QueuedEpisode) -> Option<Start> {
    let QueuedEpisode { id, begun, broken } = order;
    let cell = source.plan.cells.iter().position(|cell| cell.name == id.cell)?;
    let tasks = &source.plan.cells[cell].tasks;
    let opened = last.of(id.task, source.plan.cells.iter().position(|other| Arc::ptr_eq(&other.tasks, tasks))?);
    let opened = opened.get_or_init(|| open_task(&source, id.task, cell)).await;
    let episode = Episode { opened: Arc::clone(opened), source, cell, id };
    if begun.is_empty() || broken.is_some() {
        let mut cast = episode.cast(None);
        if let Some(why) = broken {
            cast.opening.broken.get_or_insert(why);
        }
        return Some(Start::Fresh(Box::new(cast)));
    }
    let gone_on = tokio::task::spawn_blocking(move || episode.go_on(&begun)).await;
    Some(gone_on.unwrap_or_else(|error| resume_unwind(error.into_panic())))
}

/// Opens a task off the arbiters: it may read a file and search for a plan.
async fn open_task(source: &EpisodeSource, task: u32, cell: usize) -> OpenedTask {
    let cell = &source.plan.cells[cell];
    let tasks = Arc::clone(&cell.tasks);
    let index = source.plan.index_of(cell, task);
    let opened = tokio::task::spawn_blocking(move || {
        let none = || EnvironmentError::Failed("the cell has no such task".to_owned());
        tasks.open(index.ok_or_else(none)?)
    });
    let panicked = || EnvironmentError::Failed("opening the task panicked".to_owned());
    let opened = opened.await.unwrap_or_else(|_| Err(panicked()));
    Arc::new(opened.and_then(|open| check_task(&open.task).map(|()| open)))
}

impl OpenedCells {
    /// Its episodes that are to be played, in playing order; made as they are asked for, since there may
    /// be very many repeats.
    pub(super) fn episodes(self) -> impl Iterator<Item = Episode> {
        (0..self.source.repeats()).flat_map(move |repeat| self.of_repeat(repeat))
    }

    fn of_repeat(&self, repeat: u32) -> Vec<Episode> {
        self.source
            .ids(self.task, repeat, &self.cells)
            .into_iter()
            .map(|(cell, id)| Episode { source: Arc::clone(&self.source), cell, id, opened: Arc::clone(&self.opened) })
            .collect()
    }
}

impl Episode {
    /// Sets the episode up.
    pub(super) async fn ready(self) -> Start {
        if let Some(replayed) = self.source.with_resume_state(|state| state.take(&self.id)) {
            return Start::On(Box::new(replayed));
        }
        if !self.source.with_resume_state(|state| state.is_forked()) {
            return Start::Fresh(Box::new(self.cast(None)));
        }
        let forked = tokio::task::spawn_blocking(move || self.fork()).await;
        // What panics here is a factory, as where the cast is set up at once.
        forked.unwrap_or_else(|error| resume_unwind(error.into_panic()))
    }

    fn cast(&self, served: Option<&Served>) -> Cast {
        let plan = &self.source.plan;
        cast(&plan.cells[self.cell], self.id.clone(), plan.seed, served, &self.opened)
    }

    /// Goes on with what another process played, whose calls of models are paid; it is written anew here.
    fn go_on(&self, begun: &[Event]) -> Start {
        match block_on(replay_events(self.cast(None), begun, ReplayRules::default())) {
            Ok(Ok(mut replayed)) => {
                (replayed.logged, replayed.digest) = (0, Digest::default());
                Start::On(Box::new(replayed))
            }
            // It is of another world, or was cut off where nobody can go on.
            _ => Start::Fresh(Box::new(self.cast(None))),
        }
    }

    /// Takes the beginning of the parent's episode over. An episode that cannot is broken, and says
    /// why.
    fn fork(self) -> Start {
        let source = &self.source;
        let Some(beginning) = source.with_resume_state(|state| state.beginning(&self.id)) else {
            return Start::Fresh(Box::new(self.cast(None)));
        };
        let forked = beginning.and_then(|(by, events)| fork(self.cast(served(&events)), by, &events));
        match forked {
            Ok(mut replayed) => {
                // It is another run's log that holds them.
                (replayed.logged, replayed.digest) = (0, Digest::default());
                replayed.paid_before = 0;
                Start::On(Box::new(replayed))
            }
            Err(problem) => {
                let mut cast = self.cast(None);
                cast.opening.broken.get_or_insert(problem);
                Start::Fresh(Box::new(cast))
            }
        }
    }
}
