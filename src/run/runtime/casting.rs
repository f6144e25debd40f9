//! The cast of an episode.

use std::sync::{Arc, Mutex};

use super::conductor::{Opening, Setup};
use super::locked;
use super::participant::Factory;
use super::seats::Seats;
use crate::config::{Cell, Plan, PlannedUser};
use rolecall_core::domain::{
    CellName, EpisodeId, Event, Message, Opened, PublicTask, Seat, Seed, Served, Task, Visibility,
};
use rolecall_core::ports::{EnvironmentError, OpenTask, Strategy};

/// The cast of one episode, with its set-up.
pub(crate) struct Cast {
    pub(crate) setup: Setup,
    pub(crate) opening: Opening,
    pub(crate) visibility: Visibility,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) factories: Seats<Factory>,
}

/// Sets the cast of an episode up, as a client asked for if one did.
pub(super) fn cast(
    cell: &Cell,
    id: EpisodeId,
    seed: Seed,
    served: Option<&Served>,
    task: &Result<OpenTask, EnvironmentError>,
) -> Cast {
    let (public, private, broken) = match task {
        Ok(open) => {
            let Task { public, private } = open.task.clone();
            (public, private, None)
        }
        Err(error) => (unknown_task(id.task), Vec::new(), Some(error.to_string())),
    };
    let (seed, repeat) = served.and_then(|served| served.seed).map_or((seed, id.repeat), |asked| (asked, 0));
    let named = served
        .and_then(|served| served.user.as_ref())
        .and_then(|kind| cell.users.iter().find(|user| user.kind == *kind));
    let user = named.or_else(|| draw_user(&cell.users, seed, &public.id, repeat));
    let mut factories: Seats<Factory> = Seats::new();
    for role in &cell.roles {
        factories.insert(Seat::Role(role.role.clone()), Factory::Role(role.factory.clone()));
    }
    if let Some(user) = user {
        factories.insert(Seat::User, Factory::User(user.factory.clone()));
    }
    if let Ok(open) = task {
        factories.insert(Seat::Environment, Factory::Environment(open.environment.clone()));
    }
    let opened = Opened {
        task: Arc::clone(&public),
        cell: id.cell.clone(),
        strategy: cell.strategy_name.clone(),
        roles: cell.roles.iter().map(|role| role.role.clone()).collect(),
        user: user.map(|user| user.kind.clone()),
        fork: None,
        served: served.cloned().map(Box::new),
    };
    Cast {
        setup: Setup { id, seed, repeat, task: public, limits: cell.limits },
        opening: Opening { opened: Box::new(opened), private, broken },
        visibility: Visibility {
            user_sees: user.map(|user| user.sees).unwrap_or_default(),
            hidden_thoughts: cell.hidden_thoughts.clone(),
            environment_hears: cell.tasks.hears(),
        },
        strategy: (cell.strategy)(),
        factories,
    }
}

/// The client's wishes, by the events of an episode.
pub(super) fn served(log: &[Event]) -> Option<&Served> {
    match &log.first()?.message {
        Message::Opened(opened) => opened.served.as_deref(),
        _ => None,
    }
}

/// Sets the cast of an episode of the plan up, which has these events so far; none if the plan has no such
/// episode.
pub(super) fn cast_of(plan: &Plan, id: &EpisodeId, log: &[Event]) -> Option<Cast> {
    LastTask::default().cast_of(plan, id, log)
}

/// The task that was opened last. In a log, episodes of one task come one after the other, and to open it
/// may take longer than to play it.
#[derive(Default)]
pub(super) struct LastTask(Mutex<Option<(CellName, u32, OpenedTask)>>);

type OpenedTask = Arc<Result<OpenTask, EnvironmentError>>;

impl LastTask {
    /// Sets the cast up as [`cast_of`] does, with the task kept open.
    pub(super) fn cast_of(&self, plan: &Plan, id: &EpisodeId, log: &[Event]) -> Option<Cast> {
        let cell = plan.cells.iter().find(|cell| cell.name == id.cell)?;
        let index = plan.index_of(cell, id.task)?;
        let last = || locked(&self.0);
        let same = |(cell, task, _): &&(CellName, u32, _)| *cell == id.cell && *task == id.task;
        // A statement of its own: the lock is free again while a task is opened.
        let kept = last().as_ref().filter(same).map(|(.., task)| Arc::clone(task));
        let task = kept.unwrap_or_else(|| {
            let task = Arc::new(cell.tasks.open(index));
            *last() = Some((id.cell.clone(), id.task, Arc::clone(&task)));
            task
        });
        Some(cast(cell, id.clone(), plan.seed, served(log), &task))
    }
}

/// Stands for a task that cannot be opened.
fn unknown_task(task: u32) -> Arc<PublicTask> {
    Arc::new(PublicTask::new(format!("task {task}"), "unknown", ""))
}

/// Draws the user of an episode by weight. The draw depends on the task and the repeat only, so
/// that cells are compared with the same users.
fn draw_user<'a>(users: &'a [PlannedUser], seed: Seed, task: &str, repeat: u32) -> Option<&'a PlannedUser> {
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
