//! The tasks of household games: official files, or built-in games.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::{Value, json};

use super::builtin;
use super::classic::Phrasing;
use super::environment::HouseholdEnvironment;
use super::error::HouseholdError;
use super::game::Game;
use super::generate::Generator;
use super::load::{Selection, list};
use super::plan::{PlanLimits, shortest_plan};
use super::world::World;
use crate::domain::{Entrusted, PublicTask, Seat, Task};
use crate::ports::{
    Environment, EnvironmentError, OpenTask, Parameter, ParameterKind, Parameters, SetupError,
    TaskSource,
};
use crate::text::mt19937::NumpyRandom;

/// The word for games that are generated instead of read.
pub(crate) const BUILTIN: &str = "builtin";

/// What built-in games can be told.
const GENERATED: [Parameter; 6] = builtin::PARAMETERS;

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
        help: "folder below `data`, such as `valid_unseen`, empty: all; of `builtin`: `train`, `seen`, \
               `unseen` (or empty)",
    },
    Parameter {
        name: "shuffle",
        kind: ParameterKind::Integer {
            default: None,
            min: 0,
            max: u32::MAX as i64,
        },
        help: "seed of the official shuffle (NumPy's RandomState); absent: sorted by path, built-in \
               games by number",
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
    GENERATED[0],
    GENERATED[1],
    GENERATED[2],
    GENERATED[3],
    GENERATED[4],
    GENERATED[5],
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
        games: if data == Path::new(BUILTIN) {
            generated(parameters, selection.shuffle)?
        } else {
            find(data, &selection, parameters)?
        },
        classic_commands: classic("commands"),
        classic_observations: classic("observations"),
        list_admissible: parameters.flag("list_admissible"),
    };
    Ok(Arc::new(tasks))
}

/// The games that exist as files.
fn find(
    data: &Path,
    selection: &Selection,
    parameters: &Parameters,
) -> Result<Vec<Slot>, SetupError> {
    builtin::refuse(parameters)?;
    let files = list(data, selection).map_err(|error| {
        let split = matches!(error, HouseholdError::NoSplit { .. });
        SetupError::at(if split { "split" } else { "data" }, error)
    })?;
    let sources = files.into_iter().map(|path| Source::File {
        id: id_of(data, &path),
        path,
    });
    Ok(sources.map(Slot::new).collect())
}

/// The built-in games; each is generated when it is opened.
fn generated(parameters: &Parameters, shuffle: Option<u32>) -> Result<Vec<Slot>, SetupError> {
    let (generator, count) = builtin::generator(parameters)?;
    let generator = Arc::new(generator);
    let mut numbers: Vec<usize> = (0..count).collect();
    if let Some(seed) = shuffle {
        NumpyRandom::new(seed).shuffle(&mut numbers);
    }
    let sources = numbers.into_iter().map(|index| Source::Generated {
        generator: Arc::clone(&generator),
        index,
    });
    Ok(sources.map(Slot::new).collect())
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
    File { id: String, path: PathBuf },
    /// One of the built-in games.
    Generated {
        generator: Arc<Generator>,
        index: usize,
    },
}

/// One task.
struct Slot {
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

impl Slot {
    fn new(source: Source) -> Self {
        Self {
            source,
            live: Mutex::new(Weak::new()),
        }
    }
}

impl Source {
    /// The task's id and the game.
    fn load(&self) -> Result<(String, Game), EnvironmentError> {
        match self {
            Self::File { id, path } => match Game::load(path) {
                Ok(game) => Ok((id.clone(), game)),
                Err(error) => Err(EnvironmentError::Data(error.to_string())),
            },
            Self::Generated { generator, index } => {
                let made = generator.game(*index);
                let made = made.map_err(|error| EnvironmentError::Data(error.to_string()))?;
                let game = Game::from_json(&made.id, made.game.as_bytes());
                let game = game.map_err(|error| EnvironmentError::Data(error.to_string()))?;
                Ok((made.id, game))
            }
        }
    }
}

impl TaskSource for HouseholdTasks {
    fn len(&self) -> usize {
        self.games.len()
    }

    fn digest(&self, tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        let mut hasher = blake3::Hasher::new();
        for slot in tasks.iter().filter_map(|index| self.games.get(*index)) {
            let Source::File { id, path } = &slot.source else {
                return Ok(None);
            };
            hasher.update(id.as_bytes());
            // A file that cannot be read breaks the episodes of its own task, and nothing else.
            if let Ok(hash) = hash_of(path) {
                hasher.update(hash.as_bytes());
            }
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
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

fn hash_of(path: &Path) -> std::io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(crate::files::open(path)?)?;
    Ok(hasher.finalize())
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
        let prepared = Arc::new(self.prepare(slot)?);
        *live = Arc::downgrade(&prepared);
        Ok(prepared)
    }

    fn prepare(&self, slot: &Slot) -> Result<Prepared, EnvironmentError> {
        let (id, game) = slot.source.load()?;
        let game = Arc::new(game);
        let put = game.dialect().put;
        let phrasing = Phrasing::new(put, self.classic_commands, self.classic_observations);
        let world = World::new(game.clone());
        let task = Task {
            public: Arc::new(PublicTask {
                id,
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
