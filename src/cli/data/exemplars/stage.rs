//! The cast and the games of exemplars: the rule-based player, the helpful user, the training split.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use crate::config::{Cell, Limits, PlannedRole, PlannedUser};
use crate::domain::{CellName, EpisodeId, Event, RoleName, Seed, UserSees};
use crate::environments::household::generate::Split;
use crate::environments::household::tasks::{self, BUILTIN};
use crate::ports::{
    OpenTask, ParameterValue, Parameters, Persona, RoleSetup, SetupError, TaskSource, UserSetup,
};
use crate::roles;
use crate::runtime::rehearse;
use crate::strategies;
use crate::users;

/// The only role.
const EXECUTOR: &str = "executor";

/// Where exemplars are played.
pub(super) struct Stage {
    cell: Cell,
    name: CellName,
    seed: Seed,
}

impl Stage {
    /// Prepares so many games of the seed; none is drawn yet.
    pub(super) fn new(seed: u32, games: usize, classic: bool) -> anyhow::Result<Self> {
        let executor = RoleName::new(EXECUTOR).context("the name of the role is valid")?;
        let name = CellName::new("exemplars").context("the name of the cell is valid")?;
        let cell = Cell {
            name: name.clone(),
            environment: "household".to_owned(),
            tasks: training(seed, games, classic)?,
            strategy_name: "respact".to_owned(),
            strategy: strategies::respact(std::slice::from_ref(&executor), &Parameters::default())?,
            roles: vec![player(executor)?],
            users: vec![helper()?],
            hidden_thoughts: BTreeSet::new(),
            limits: Limits::default(),
        };
        Ok(Self {
            cell,
            name,
            seed: Seed(u64::from(seed)),
        })
    }

    /// The game of that number.
    pub(super) fn open(&self, game: usize) -> anyhow::Result<OpenTask> {
        Ok(self.cell.tasks.open(game)?)
    }

    /// Plays it.
    pub(super) fn play(&self, game: usize, task: OpenTask) -> anyhow::Result<Vec<Event>> {
        let id = EpisodeId {
            cell: self.name.clone(),
            task: u32::try_from(game)?,
            repeat: 0,
        };
        rehearse(&self.cell, id, self.seed, task).context("no game can be played")
    }
}

/// Built-in games of the training split.
fn training(seed: u32, games: usize, classic: bool) -> Result<Arc<dyn TaskSource>, SetupError> {
    let text = |text: &str| ParameterValue::Text(text.to_owned());
    let games = i64::try_from(games).unwrap_or(i64::MAX);
    let wording = text(if classic { "classic" } else { "as-game" });
    let parameters = BTreeMap::from([
        ("data", ParameterValue::Path(PathBuf::from(BUILTIN))),
        ("split", text(Split::Train.folder())),
        ("games", ParameterValue::Integer(games)),
        ("games_seed", ParameterValue::Integer(i64::from(seed))),
        ("commands", wording.clone()),
        ("observations", wording),
    ]);
    tasks::build(&Parameters::new(parameters))
}

/// The player, without the habits that cost steps and show nothing.
fn player(role: RoleName) -> Result<PlannedRole, SetupError> {
    let parameters = BTreeMap::from([
        ("tidy", ParameterValue::Flag(false)),
        ("thoughts", ParameterValue::Text("each-class".to_owned())),
        ("patience", ParameterValue::Integer(3)),
    ]);
    let factory = roles::household::build(&RoleSetup {
        role: role.clone(),
        parameters: Parameters::new(parameters),
        persona: Persona::default(),
        models: Default::default(),
    })?;
    Ok(PlannedRole {
        role,
        implementation: "rules".to_owned(),
        factory,
    })
}

/// The user who knows the house.
fn helper() -> Result<PlannedUser, SetupError> {
    Ok(PlannedUser {
        kind: "helpful".to_owned(),
        weight: 1.0,
        sees: UserSees::DialogueAndObservations,
        factory: users::household::build_helpful(&UserSetup::default())?,
    })
}
