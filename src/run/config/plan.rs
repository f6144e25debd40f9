//! A run whose every name is resolved, every file read and every hash taken.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::error::{ConfigError, ConfigErrors};
use rolecall_core::domain::{CellName, EpisodeId, RoleName, Seat, Seed, Shard, UserSees};
use rolecall_core::log::{LogSettings, Sync};
use rolecall_core::ports::model::{CacheMode, ModelSettings};
use rolecall_core::ports::settings::{SettingValue, parameters, settings};
use rolecall_core::ports::{
    Earlier, EnvironmentError, Models, Parameter, Parameters, Progress, RoleFactory, Settings, StrategyFactory,
    TaskSource, UserFactory,
};

/// A run, ready to be started.
#[derive(Clone)]
pub struct Plan {
    /// The run's name; the log folder is named after it.
    pub name: String,
    /// The id that tells the run from all others, also of the same name and config; `resume` keeps it.
    /// Models' servers get it with every call, and nothing else depends on it. Empty
    /// until somebody begins the run.
    pub id: Arc<str>,
    /// The seed from which all others are derived.
    pub seed: Seed,
    /// The number of times that each cell plays each task.
    pub repeats: u32,
    /// Indices into the task sources, in playing order; the position is the task's index in the run.
    /// A cell whose source is shorter plays those that it has.
    pub tasks: Vec<usize>,
    /// The casts that play the tasks.
    pub cells: Vec<Cell>,
    /// The models that seats of the cells name.
    pub models: Models,
    /// Every model that the config describes, by name, used or not.
    pub model_settings: Vec<ModelSettings>,
    /// The use of the machine.
    pub run: RunSettings,
    /// Settings for clients that play in its episodes.
    pub serve: ServeSettings,
    /// How workers on other machines play it, if they do.
    pub queue: QueueSettings,
    /// The text of `run.toml`: the resolved config, hashes of personas and data, seed, version,
    /// schema.
    pub record: String,
}

/// Error of a model whose key is in an environment variable that is not set. Neither a script needs one, nor a
/// model whose replies come from the cache alone.
pub fn without_key(model: &ModelSettings) -> Option<ConfigError> {
    let variable = model.missing_key.as_ref()?;
    if model.cache.mode == CacheMode::Only || model.script.is_some() {
        return None;
    }
    let problem = format!(
        "needs the environment variable `{variable}`, which is not set: set it (`export {variable}=...`), or \
         have the cache alone answer (`--set cache.mode=only`)"
    );
    Some(ConfigError::new(format!("model `{}`", model.profile.name), None, problem))
}

impl Plan {
    /// Number of episodes that this process is to play: all, or those of its shard.
    pub fn planned(&self) -> usize {
        if self.run.shard.is_none() {
            return self.episodes();
        }
        let played =
            self.openings().into_iter().flat_map(|(task, cells)| cells.into_iter().map(move |cell| (task, cell)));
        let ids = played.flat_map(|(task, cell)| {
            (0..self.repeats).map(move |repeat| EpisodeId { cell: self.cells[cell].name.clone(), task, repeat })
        });
        ids.filter(|id| self.shares(id)).count()
    }

    /// Whether the episode is in the shard that is played.
    pub fn shares(&self, id: &EpisodeId) -> bool {
        self.run.shard.is_none_or(|shard| shard.has(id))
    }

    /// Number of episodes, of all shards together.
    pub fn episodes(&self) -> usize {
        self.cells.iter().map(|cell| self.tasks_of(cell).count()).sum::<usize>() * self.repeats as usize
    }

    /// The seat that an implementation of this name takes, in the first cell that has one.
    pub fn seat_of(&self, implementation: &str) -> Option<Seat> {
        self.cells.iter().find_map(|cell| {
            let role = cell.roles.iter().find(|role| role.implementation == implementation);
            let user = cell.users.iter().any(|user| user.kind == implementation);
            role.map(|role| Seat::Role(role.role.clone())).or_else(|| user.then_some(Seat::User))
        })
    }

    /// Whether the episode is one of those, of whatever shard.
    pub fn plays(&self, id: &EpisodeId) -> bool {
        let cell = self.cells.iter().find(|cell| cell.name == id.cell);
        cell.and_then(|cell| self.index_of(cell, id.task)).is_some() && id.repeat < self.repeats
    }

    /// The index of a task of the run in the cell's source; nothing if the cell does not play it.
    pub fn index_of(&self, cell: &Cell, task: u32) -> Option<usize> {
        self.tasks.get(task as usize).copied().filter(|index| *index < cell.tasks.len())
    }

    /// The tasks that a cell plays, as indices into its source.
    pub fn tasks_of(&self, cell: &Cell) -> impl Iterator<Item = usize> + use<'_> {
        let count = cell.tasks.len();
        self.tasks.iter().copied().filter(move |index| *index < count)
    }

    /// The cells (by index) that share a source and so an opened task.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            let same = |group: &&mut Vec<usize>| Arc::ptr_eq(&self.cells[group[0]].tasks, &cell.tasks);
            match groups.iter_mut().find(same) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        groups
    }

    /// Whether there is a value in every environment variable that a model in use needs.
    ///
    /// # Errors
    /// Every variable that is not set.
    pub fn check_keys(&self) -> Result<(), ConfigErrors> {
        let used = self.model_settings.iter().filter(|model| self.models.get(&model.profile.name).is_some());
        let unset: Vec<ConfigError> = used.filter_map(without_key).collect();
        match unset.is_empty() {
            true => Ok(()),
            false => Err(ConfigErrors(unset)),
        }
    }

    /// Loads what the worlds of the cells need, which [`load`](super::load) leaves out.
    ///
    /// # Errors
    /// When data cannot be used.
    pub fn prepare(&self, progress: &dyn Progress) -> Result<(), ConfigErrors> {
        self.groups().iter().try_for_each(|group| {
            let cell = &self.cells[group[0]];
            cell.tasks.prepare(progress).map_err(|error| cell.unusable(&error))
        })
    }

    /// The tasks to be opened, in playing order: the task's index in the run, and the cells (by
    /// index) that share a source and so an opened task.
    pub fn openings(&self) -> Vec<(u32, Vec<usize>)> {
        let groups = self.groups();
        let played = |(task, group): &(u32, Vec<usize>)| {
            let cell = group.first().and_then(|cell| self.cells.get(*cell));
            cell.is_some_and(|cell| self.index_of(cell, *task).is_some())
        };
        let tasks = 0..u32::try_from(self.tasks.len()).unwrap_or(u32::MAX);
        tasks.flat_map(|task| groups.iter().map(move |group| (task, group.clone()))).filter(played).collect()
    }
}

/// One cast that plays the tasks of the run.
#[derive(Clone)]
pub struct Cell {
    /// Its name, unique in the run.
    pub name: CellName,
    /// Name of its environment.
    pub environment: String,
    /// The tasks. Cells with equal environment tables share one source.
    pub tasks: Arc<dyn TaskSource>,
    /// Name of its strategy.
    pub strategy_name: String,
    /// Makes the strategy of an episode.
    pub strategy: StrategyFactory,
    /// The roles, in the order in which the strategy names them.
    pub roles: Vec<PlannedRole>,
    /// The users; one is drawn per episode by weight. Empty if the strategy needs none.
    pub users: Vec<PlannedUser>,
    /// Roles whose thoughts, plans and judgements the other roles do not see.
    pub hidden_thoughts: BTreeSet<RoleName>,
    /// When episodes end at the latest.
    pub limits: Limits,
}

impl Cell {
    /// Its data cannot be used.
    pub(super) fn unusable(&self, error: &EnvironmentError) -> ConfigErrors {
        ConfigErrors(vec![ConfigError::new(format!("cell `{}`", self.name), Some("environment"), error.to_string())])
    }
}

/// A role of a cell.
#[derive(Clone)]
pub struct PlannedRole {
    /// Its seat.
    pub role: RoleName,
    /// Name of its implementation.
    pub implementation: String,
    /// Makes it for an episode.
    pub factory: RoleFactory,
}

/// A user of a cell.
#[derive(Clone)]
pub struct PlannedUser {
    /// Its kind; results are grouped by it.
    pub kind: String,
    /// Its weight in the draw, relative to the others; above 0.
    pub weight: f64,
    /// The events that it sees.
    pub sees: UserSees,
    /// Makes it for an episode.
    pub factory: UserFactory,
}

settings! {
    /// When an episode ends at the latest.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Limits {
        steps: u32 = integer("steps", Some(50), 1..=1_000_000),
            "moves of roles in one trial, of every kind";
        questions: Option<u32> = integer("questions", None, 0..=1_000_000),
            "utterances to the user in one episode that are no responses to a dialogue";
        repeats: u32 = integer("repeats", Some(8), 0..=1_000_000).before(Earlier::Whole(0)),
            "times in a row that a role of a model may make the same move, or the same two or three in turn; 0: no limit";
        model_calls: Option<u32> = integer("model_calls", None, 1..=1_000_000_000),
            "calls of models in one episode";
        tokens: Option<u64> = integer("tokens", None, 1..=i64::MAX),
            "tokens of these calls, of prompts and answers";
        cost: Option<f64> = number("cost", 0.0, 1e-9..=1e9).optional(),
            "cost of these calls by the prices of the config, also where the cache answered";
        turn: Duration = number("turn_seconds", 600.0, 0.001..=1e7).before(Earlier::Number(120.0)),
            "wall time of one turn, without waiting for a model's permits, outages and first bytes";
        episode: Option<Duration> = number("episode_seconds", 0.0, 0.001..=1e7).optional(),
            "wall time of one episode";
        attempts: u32 = integer("attempts", Some(3), 1..=100),
            "how often a turn is tried in all before its fault ends the episode";
        answer_bytes: usize = integer("answer_bytes", Some(64 * 1024), 1..=64 * 1024 * 1024),
            "bytes of text in one answer, reply or observation; a model's completion is cut there";
    }
}

settings! {
    /// Settings for clients of `rolecall serve`. None of this changes a result.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ServeSettings {
        question_cost: f64 = number("question_cost", 0.0, 0.0..=1e6),
            "what a question to the user takes from the reward of its step";
    }
}

/// A run's use of the machine. None of this changes a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSettings {
    /// Episodes that are alive at the same time.
    pub concurrency: usize,
    /// Threads that run actors.
    pub arbiters: usize,
    /// The folder under which the run's folder is made.
    pub logs: PathBuf,
    /// The share of the episodes that is played; none if all are.
    pub shard: Option<Shard>,
    /// The way in which the run's files are written.
    pub log: LogSettings,
    /// Limits on the time that a participant may keep a thread to itself.
    pub watching: Watching,
}

impl Settings for RunSettings {
    const PARAMETERS: &'static [Parameter] = parameters![
        integer("concurrency", Some(64), 1..=1_000_000),
            "episodes that are alive at the same time";
        integer("arbiters", None, 1..=1024),
            "threads that run participants; as many as there are cores if nothing is written";
        text("logs", Some("logs")), "the folder under which the run's folder is made";
        text("shard", None).optional(),
            "the share of the episodes that is played, such as `3/16`: numbers from 0 (`rolecall merge`)";
        choice("sync", &Sync::NAMES), "when lines of the log must survive a power cut";
        integer("segment_mb", Some(64), 1..=1 << 20),
            "megabytes of events after which a file is closed and compressed";
        number("blocked_seconds", 5.0, 0.001..=86_400.0),
            "a participant that keeps its thread to itself for longer is named";
        number("give_up_seconds", 30.0, 0.001..=86_400.0),
            "so long after the deadline of its turn, the thread is given up with all its episodes";
    ];

    fn of(values: &Parameters) -> Self {
        Self {
            concurrency: usize::read(values, "concurrency"),
            arbiters: usize::read(values, "arbiters"),
            logs: PathBuf::read(values, "logs"),
            shard: values.text("shard").and_then(|shard| shard.parse().ok()),
            log: LogSettings {
                sync: values.choice("sync"),
                segment_bytes: u64::read(values, "segment_mb") << 20,
                private: false,
                many: false,
            },
            watching: Watching {
                notice: Duration::read(values, "blocked_seconds"),
                grace: Duration::read(values, "give_up_seconds"),
            },
        }
    }
}

/// Limits on the time that a participant may keep its arbiter's thread to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watching {
    /// The time after which the participant is named.
    pub notice: Duration,
    /// The time after the deadline of a turn at which the thread is given up with all its episodes.
    pub grace: Duration,
}

impl Default for Watching {
    fn default() -> Self {
        RunSettings::usual().watching
    }
}

settings! {
    /// How workers on other machines play a run. None of this changes a result.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct QueueSettings {
        address: Option<String> = text("address", None).optional(),
            "the queue by which workers play the run: `dir:FOLDER` or `nats://HOST:PORT`";
        key_file: Option<PathBuf> = text("key_file", None).optional(),
            "a file with the token or the nkey seed that the queue's server wants";
        per_job: Option<u32> = integer("per_job", None, 1..=100_000),
            "episodes that a worker gets at once; 1 with models and 100 by rules if nothing is written";
        lease: Duration = number("lease_seconds", 60.0, 0.2..=86_400.0),
            "after so long without a sign of life, a worker's jobs are given to others";
        in_flight: Option<u32> = integer("in_flight", None, 1..=1_000_000),
            "the most episodes that all workers together play at the same time";
    }
}
