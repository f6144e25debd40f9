//! The cast of an episode.

use std::sync::Arc;

use super::conductor::{Opening, Setup};
use super::participant::Factory;
use super::seats::Seats;
use crate::config::{Cell, Plan, PlannedUser};
use crate::domain::{EpisodeId, Opened, PublicTask, Seat, Seed, Task, Visibility};
use crate::ports::{EnvironmentError, OpenTask, Strategy};

/// The cast of one episode, with its set-up.
pub(crate) struct Cast {
    pub(crate) setup: Setup,
    pub(crate) opening: Opening,
    pub(crate) visibility: Visibility,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) factories: Seats<Factory>,
}

/// Sets the cast of an episode up.
pub(super) fn cast(
    cell: &Cell,
    id: EpisodeId,
    seed: Seed,
    task: &Result<OpenTask, EnvironmentError>,
) -> Cast {
    let (public, private, broken) = match task {
        Ok(open) => {
            let Task { public, private } = open.task.clone();
            (public, private, None)
        }
        Err(error) => (unknown_task(id.task), Vec::new(), Some(error.to_string())),
    };
    let user = draw_user(&cell.users, seed, &public.id, id.repeat);
    let mut factories: Seats<Factory> = Seats::new();
    for role in &cell.roles {
        let factory = Factory::Role(role.factory.clone());
        factories.insert(Seat::Role(role.role.clone()), factory);
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
        fork: None,
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
            private,
            broken,
        },
        visibility: Visibility {
            user_sees: user.map(|user| user.sees).unwrap_or_default(),
            hidden_thoughts: cell.hidden_thoughts.clone(),
            environment_hears: cell.tasks.hears(),
        },
        strategy: (cell.strategy)(),
        factories,
    }
}

/// Sets the cast of an episode of the plan up; none if the plan has no such episode.
pub(super) fn cast_of(plan: &Plan, id: &EpisodeId) -> Option<Cast> {
    let cell = plan.cells.iter().find(|cell| cell.name == id.cell)?;
    let task = cell.tasks.open(plan.index_of(cell, id.task)?);
    Some(cast(cell, id.clone(), plan.seed, &task))
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
    let drawn = users.iter().find(|user| {
        point -= user.weight;
        point < 0.0
    });
    drawn.or(users.last())
}
