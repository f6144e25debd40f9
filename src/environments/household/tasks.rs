//! The tasks of household games: official files, or the games that ship with the crate.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::{Value, json};

use super::builtin;
use super::classic::Phrasing;
use super::environment::HouseholdEnvironment;
use super::error::HouseholdError;
use super::game::Game;
use super::load::{Selection, list};
use super::plan::{PlanLimits, shortest_plan};
use super::world::World;
use crate::domain::{Entrusted, PublicTask, Seat, Task};
use crate::ports::{
    Environment, EnvironmentError, OpenTask, Parameter, ParameterKind, Parameters, SetupError,
    TaskSource,
};
use crate::text::mt19937::NumpyRandom;

/// The word for the games that ship with the crate.
const BUILTIN: &str = "builtin";

/// Words that choose a wording; the first is the default.
const WORDINGS: &[&str] = &["as-game", "classic"];

/// What the environment can be told.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "data",
        kind: ParameterKind::Path {
            default: Some(BUILTIN),
            words: &[BUILTIN],
        },
        help: "a `game.tw-pddl`, the folder of a game, a tree of games such as `json_2.1.1`, or `builtin`",
    },
    Parameter {
        name: "split",
        kind: ParameterKind::Text { default: Some("") },
        help: "folder below `data` whose games are played, such as `valid_unseen`; empty: all",
    },
    Parameter {
        name: "shuffle",
        kind: ParameterKind::Integer {
            default: None,
            min: 0,
            max: u32::MAX as i64,
        },
        help: "seed of the official shuffle (NumPy's RandomState); absent: sorted by path",
    },
    Parameter {
        name: "commands",
        kind: ParameterKind::Choice { words: WORDINGS },
        help: "`classic`: the agent writes `put X in/on Y` whatever the game's wording",
    },
    Parameter {
        name: "observations",
        kind: ParameterKind::Choice { words: WORDINGS },
        help: "`classic`: `You arrive at ...` is cut, as in published prompts",
    },
    Parameter {
        name: "list_admissible",
        kind: ParameterKind::Flag { default: false },
        help: "put the admissible commands into each observation's data",
    },
];

/// Finds the games, once per run.
pub fn build(parameters: &Parameters) -> Result<Arc<dyn TaskSource>, SetupError> {
    let classic = |name| parameters.text(name) == Some("classic");
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let shuffle = parameters.integer("shuffle").map(u32::try_from).transpose();
    let selection = Selection {
        split: parameters
            .text("split")
            .filter(|split| !split.is_empty())
            .map(str::to_owned),
        shuffle: shuffle.map_err(|error| SetupError::at("shuffle", error))?,
        ..Selection::default()
    };
    let tasks = HouseholdTasks {
        games: find(data, &selection)?,
        classic_commands: classic("commands"),
        classic_observations: classic("observations"),
        list_admissible: parameters.flag("list_admissible"),
    };
    Ok(Arc::new(tasks))
}

fn find(data: &Path, selection: &Selection) -> Result<Vec<Slot>, SetupError> {
    if data == Path::new(BUILTIN) {
        return find_builtin(selection);
    }
    let files = list(data, selection).map_err(|error| {
        let split = matches!(error, HouseholdError::NoSplit { .. });
        SetupError::at(if split { "split" } else { "data" }, error)
    })?;
    let slots = files.into_iter().map(|file| Slot {
        id: id_of(data, &file),
        source: Source::File(file),
        live: Mutex::new(Weak::new()),
    });
    Ok(slots.collect())
}

fn find_builtin(selection: &Selection) -> Result<Vec<Slot>, SetupError> {
    if selection.split.is_some() {
        let why =
            "the built-in games have no splits; leave it empty or name a tree of games in `data`";
        return Err(SetupError::at("split", why));
    }
    let mut games = builtin::games();
    games.sort();
    if let Some(seed) = selection.shuffle {
        NumpyRandom::new(seed).shuffle(&mut games);
    }
    let slots = games.into_iter().map(|(id, json)| Slot {
        id,
        source: Source::BuiltIn(json),
        live: Mutex::new(Weak::new()),
    });
    Ok(slots.collect())
}

/// A task's id: the folder of its game as seen from the root, or the name of that folder where the
/// root is the game itself.
fn id_of(root: &Path, file: &Path) -> String {
    let folder = file.parent().unwrap_or(file);
    let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
    let words = |path: &Path| {
        let parts = path.components().filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        });
        parts.collect::<Vec<_>>()
    };
    let below = words(below);
    if !below.is_empty() {
        return below.join("/");
    }
    words(folder)
        .pop()
        .unwrap_or_else(|| file.to_string_lossy().into_owned())
}

/// Where a game comes from.
enum Source {
    /// A game file.
    File(PathBuf),
    /// The text of a game file that ships with the crate.
    BuiltIn(String),
}

/// One task.
struct Slot {
    id: String,
    source: Source,
    /// What concurrently live episodes of this task share.
    live: Mutex<Weak<Prepared>>,
}

/// A game that is ready to be played, and its task.
struct Prepared {
    game: Arc<Game>,
    phrasing: Phrasing,
    task: Task,
}

/// The games of a run as tasks.
struct HouseholdTasks {
    games: Vec<Slot>,
    classic_commands: bool,
    classic_observations: bool,
    list_admissible: bool,
}

impl Source {
    fn load(&self, id: &str) -> Result<Game, HouseholdError> {
        match self {
            Self::File(path) => Game::load(path),
            Self::BuiltIn(json) => Game::from_json(id, json.as_bytes()),
        }
    }
}

impl TaskSource for HouseholdTasks {
    fn len(&self) -> usize {
        self.games.len()
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let prepared = self.prepared(index)?;
        let task = prepared.task.clone();
        let list_admissible = self.list_admissible;
        Ok(OpenTask {
            task,
            environment: Arc::new(move || {
                let game = prepared.game.clone();
                let world = HouseholdEnvironment::new(game, prepared.phrasing, list_admissible);
                Box::new(world) as Box<dyn Environment>
            }),
        })
    }
}

impl HouseholdTasks {
    /// The game of a task: read and planned once for all episodes that are alive together.
    fn prepared(&self, index: usize) -> Result<Arc<Prepared>, EnvironmentError> {
        let slot = self.games.get(index).ok_or_else(|| {
            EnvironmentError::Data(format!(
                "there is no task {index}: there are {}",
                self.games.len()
            ))
        })?;
        let mut live = slot.live.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prepared) = live.upgrade() {
            return Ok(prepared);
        }
        let prepared = Arc::new(
            self.prepare(slot)
                .map_err(|error| EnvironmentError::Data(error.to_string()))?,
        );
        *live = Arc::downgrade(&prepared);
        Ok(prepared)
    }

    fn prepare(&self, slot: &Slot) -> Result<Prepared, HouseholdError> {
        let game = Arc::new(slot.source.load(&slot.id)?);
        let put = game.dialect().put;
        let phrasing = Phrasing::new(put, self.classic_commands, self.classic_observations);
        let world = World::new(game.clone());
        let task = Task {
            public: Arc::new(PublicTask {
                id: slot.id.clone(),
                kind: game.task_type().short().to_owned(),
                text: game.task_sentence().to_owned(),
                data: json!({
                    "task_type": game.task_type().prefix(),
                    "put": phrasing.put_template(put),
                }),
            }),
            entrusted: vec![
                to_user("oracle_plan", oracle_plan(&world, phrasing)),
                to_user("placements", placements(&world)),
            ],
        };
        Ok(Prepared {
            game,
            phrasing,
            task,
        })
    }
}

fn to_user(label: &str, value: Value) -> Entrusted {
    Entrusted {
        audience: Seat::User,
        label: label.to_owned(),
        value: Arc::new(value),
    }
}

/// The commands that solve the game, in the agent's wording: the shortest, or where the search
/// gives up those that the file carries.
fn oracle_plan(world: &World, phrasing: Phrasing) -> Value {
    let found = shortest_plan(world, PlanLimits::default()).map(|plan| plan.commands);
    let carried = || world.game().walkthrough().map(<[String]>::to_vec);
    let commands = found.ok().or_else(carried).unwrap_or_default();
    let worded = commands
        .iter()
        .map(|command| phrasing.command_to_agent(command));
    worded
        .map(|command| Value::from(command.into_owned()))
        .collect()
}

fn placements(world: &World) -> Value {
    world
        .placements()
        .map(|(object, place)| json!([object, place]))
        .collect()
}
