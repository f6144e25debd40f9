//! The tasks of household games: official files, or built-in games; and the private parts of a task: what the user, the
//! agent or metrics alone may know.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::{Value, json};

use super::environment::HouseholdEnvironment;
use super::sources::Source;
use super::underspecified::labels::{self, Labels};
use super::variant::{alternatives, likely_places};
use super::{
    Game, Hints, HouseholdError, Phrasing, PlanLimits, Rules, Selection, Variant, Wish, World, builtin, shortest_plan,
};
use rolecall_core::domain::{PrivateInfo, PublicTask, RoleName, Seat, Seed, Task};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Environment, EnvironmentError, OpenTask, Parameter, Parameters, SetupError, TaskSource};
use rolecall_core::text::mt19937::NumpyRandom;
use rolecall_core::world::underspecified;

/// The word for games that are generated instead of read.
pub(crate) const BUILTIN: &str = "builtin";

/// The parameter that says by which rules games are read.
const RULES: &str = "rules";

/// Words that choose a wording; the first is the default.
const WORDINGS: &[&str] = &["as-game", "classic"];

/// The parameters of the environment.
pub const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]),
        "a `game.tw-pddl`, the folder of a game, a tree of games such as `json_2.1.1`, or \
            `builtin`";
    text("split", Some("")),
        "folder below `data`, such as `valid_unseen`, empty: all; of `builtin`: `train`, `seen`, \
            `unseen` (or empty)";
    integer("shuffle", None, 0..=u32::MAX as i64),
        "seed of the official shuffle (NumPy's RandomState); absent: sorted by path, built-in \
            games by number";
    choice(RULES, Rules::WORDS),
        "games in files only: what they are played by; `new-style` and `old-style` play games \
            whose own texts are unknown by the rules of the official data releases";
    choice("commands", WORDINGS),
        "`classic`: the agent writes `put X in/on Y` whatever the game's wording";
    choice("observations", WORDINGS),
        "`classic`: `You arrive at ...` is cut, as in published prompts";
    flag("list_admissible", false), "put the admissible commands into each observation's data";
    choice("variant", Variant::WORDS),
        "`ambiguous`: one specific object of the task's class counts; `multi-round`: after a \
            solved task there is another one in the same room";
    integer("wish_seed", Some(1), 0..=u32::MAX as i64),
        "draws which object is meant in ambiguous games";
    choice("hints", Hints::WORDS),
        "what the executor is told of where the task's objects are: the classes of receptacles, \
            or the receptacles themselves";
    => labels::PARAMETERS[0],
       underspecified::PARAMETERS[0],
       underspecified::PARAMETERS[1],
       underspecified::PARAMETERS[2],
       labels::PARAMETERS[1],
       builtin::PARAMETERS[0],
       builtin::PARAMETERS[1],
       builtin::PARAMETERS[2],
       builtin::PARAMETERS[3],
       builtin::PARAMETERS[4],
       builtin::PARAMETERS[5]
];

/// Finds the games, once per run.
pub fn build(parameters: &Parameters) -> Result<Arc<dyn TaskSource>, SetupError> {
    let classic = |name| parameters.text(name) == Some("classic");
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let split = parameters.text("split").filter(|split| !split.is_empty());
    let selection = Selection {
        split: split.map(str::to_owned),
        shuffle: parameters.whole("shuffle"),
        rules: parameters.choice(RULES),
        ..Selection::default()
    };
    let sources = if data == Path::new(BUILTIN) {
        if selection.rules != Rules::Recognise {
            let why = "the rules of built-in games are known; leave it out, or name games that exist in `data`";
            return Err(SetupError::at(RULES, why));
        }
        generated(parameters, selection.shuffle)?
    } else {
        builtin::refuse(parameters)?;
        Source::files(data, &selection).map_err(|error| {
            let split = matches!(error, HouseholdError::NoSplit { .. });
            SetupError::at(if split { "split" } else { "data" }, error)
        })?
    };

    let slot = |source| Slot { source, live: Mutex::default() };
    let variant = parameters.choice("variant");
    let labels = Labels::of(parameters, sources.len(), variant)?;
    let wish_seed = parameters.integer("wish_seed").unwrap_or(1);
    let tasks = HouseholdTasks {
        games: sources.into_iter().map(slot).collect(),
        classic_commands: classic("commands"),
        classic_observations: classic("observations"),
        list_admissible: parameters.flag("list_admissible"),
        variant,
        wish_seed: Seed(wish_seed.unsigned_abs()),
        hints: parameters.choice("hints"),
        labels,
    };
    Ok(Arc::new(tasks))
}

/// The built-in games; each is generated when it is opened.
fn generated(parameters: &Parameters, shuffle: Option<u32>) -> Result<Vec<Source>, SetupError> {
    let (generator, count) = builtin::generator(parameters)?;
    let mut numbers: Vec<usize> = (0..count).collect();
    if let Some(seed) = shuffle {
        NumpyRandom::new(seed).shuffle(&mut numbers);
    }
    Ok(Source::generated(generator, numbers))
}

/// One task.
struct Slot {
    source: Source,
    /// The game that concurrently live episodes of this task share.
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
    variant: Variant,
    wish_seed: Seed,
    hints: Hints,
    /// The details that the sentences leave out; none where they say everything.
    labels: Option<Labels>,
}

impl TaskSource for HouseholdTasks {
    fn len(&self) -> usize {
        self.games.len()
    }

    fn digest(&self, tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        let mut hasher = blake3::Hasher::new();
        for slot in tasks.iter().filter_map(|index| self.games.get(*index)) {
            if !slot.source.add_to(&mut hasher) {
                return Ok(None);
            }
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    fn rounds_remedy(&self) -> Option<&'static str> {
        let single = self.variant != Variant::MultiRound;
        single.then_some("set `environment.variant = \"multi-round\"`")
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let prepared = self.prepared(index)?;
        let task = prepared.task.clone();
        let (variant, list_admissible) = (self.variant, self.list_admissible);
        Ok(OpenTask {
            task,
            environment: Arc::new(move || {
                Box::new(HouseholdEnvironment {
                    game: prepared.game.clone(),
                    phrasing: prepared.phrasing,
                    variant,
                    list_admissible,
                    world: None,
                    over: false,
                }) as Box<dyn Environment>
            }),
        })
    }
}

impl HouseholdTasks {
    /// The game of a task: read and planned once for all episodes that are alive together.
    fn prepared(&self, index: usize) -> Result<Arc<Prepared>, EnvironmentError> {
        let count = self.games.len();
        let no_task = || format!("there is no task {index}: there are {count}");
        let slot = self.games.get(index).ok_or_else(|| EnvironmentError::Data(no_task()))?;
        let mut live = slot.live.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prepared) = live.upgrade() {
            return Ok(prepared);
        }
        let prepared = Arc::new(self.prepare(index, slot)?);
        *live = Arc::downgrade(&prepared);
        Ok(prepared)
    }

    fn prepare(&self, index: usize, slot: &Slot) -> Result<Prepared, EnvironmentError> {
        let (id, game) = slot.source.load()?;
        let style = game.dialect().style;
        let phrasing = Phrasing::new(style, self.classic_commands, self.classic_observations);
        let world = World::new(Arc::clone(&game));
        let wish = self.wish(&world, &id)?;
        let mut private = private_parts(&world, wish.as_ref(), phrasing, self.variant, self.hints)?;
        let mut game = wish.map_or(game, |wish| wish.game);
        if let Some(labels) = &self.labels {
            let parts;
            (game, parts) = labels.apply(index, game)?;
            private.extend(parts);
        }
        let mut data = json!({
            "task_type": game.task_type().prefix(),
            "put": phrasing.put_template(style),
        });
        if let (true, Some(data)) = (self.variant != Variant::Standard, data.as_object_mut()) {
            data.insert("variant".to_owned(), self.variant.as_str().into());
        }
        let task = Task {
            public: Arc::new(PublicTask {
                data,
                ..PublicTask::new(id, game.task_type().short(), game.task_sentence())
            }),
            private,
        };
        Ok(Prepared { game, phrasing, task })
    }

    /// The objects that are meant, in ambiguous games.
    fn wish(&self, world: &World, id: &str) -> Result<Option<Wish>, EnvironmentError> {
        if self.variant != Variant::Ambiguous {
            return Ok(None);
        }
        let wish = Wish::draw(world, self.wish_seed.labelled("wish", id, 0));
        let nothing = || {
            EnvironmentError::Data(format!(
                "`{id}`: no single object of the class `{}` serves its task, so that it cannot be \
                 played as an ambiguous game; leave it out, or set environment.variant = \"standard\"",
                world.game().goal().object_class()
            ))
        };
        wish.map(Some).ok_or_else(nothing)
    }
}

/// The role that is told of likely places.
const EXECUTOR: &str = "executor";

/// The parts of a task whose room is at its start; in ambiguous games with what is meant.
fn private_parts(
    world: &World,
    wish: Option<&Wish>,
    phrasing: Phrasing,
    variant: Variant,
    hints: Hints,
) -> Result<Vec<PrivateInfo>, EnvironmentError> {
    let commands = wish.map_or_else(|| oracle_plan(world), |wish| wish.plan.clone());
    let plan = commands
        .iter()
        .map(|command| phrasing.command_to_agent(command))
        .map(|command| Value::from(command.into_owned()))
        .collect();
    let placements = world.placements().map(|(object, receptacle)| json!([object, receptacle]));
    let mut parts = vec![part(Seat::User, "oracle_plan", plan), part(Seat::User, "placements", placements.collect())];
    if let Some(wish) = wish {
        parts.push(part(Seat::User, "wish", json!(wish.objects)));
        let alternatives = json!(alternatives(world));
        parts.push(part(Seat::Conductor, "alternatives", alternatives));
    }
    if hints != Hints::None {
        let executor = RoleName::new(EXECUTOR).map_err(|error| EnvironmentError::Failed(error.to_string()))?;
        let places = likely_places(world, variant, hints).into();
        parts.push(part(Seat::Role(executor), "likely_places", places));
    }
    Ok(parts)
}

fn part(audience: Seat, label: &str, value: Value) -> PrivateInfo {
    PrivateInfo { audience, label: label.to_owned(), value: Arc::new(value) }
}

/// The commands that solve the game: the shortest, or where the search gives up those that the file
/// carries.
fn oracle_plan(world: &World) -> Vec<String> {
    let found = shortest_plan(world, PlanLimits::default()).map(|plan| plan.commands);
    let carried = || world.game().walkthrough().map(<[String]>::to_vec);
    found.ok().or_else(carried).unwrap_or_default()
}
