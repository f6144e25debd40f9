//! A small registry whose entries cannot be played, and a folder to write configs into.

use std::path::Path;
use std::sync::Arc;

use rolecall::config::{ConfigErrors, Request, Resolved, load};
use rolecall::domain::UserSees;
use rolecall::ports::{Cast, EnvironmentEntry, NoWords, RoleEntry, StrategyBuild, StrategyEntry, UserEntry, UserNeed};
use rolecall::ports::{
    EnvironmentError, OpenTask, Parameter, Parameters, Role, SetupError, Strategy, TaskSource, UserSimulator,
};
use rolecall::registry::Registry;

struct Tasks(usize);

impl TaskSource for Tasks {
    fn len(&self) -> usize {
        self.0
    }

    fn open(&self, _index: usize) -> Result<OpenTask, EnvironmentError> {
        Err(EnvironmentError::Failed("not played here".to_owned()))
    }
}

fn tasks(parameters: &Parameters) -> Result<Arc<dyn TaskSource>, SetupError> {
    let size = parameters.integer("size").unwrap_or(3);
    Ok(Arc::new(Tasks(usize::try_from(size).unwrap())))
}

const SIZE: Parameter = Parameter::integer("size", Some(3), 0..=1000, "number of tasks");

static ENVIRONMENTS: &[EnvironmentEntry] = &[
    EnvironmentEntry {
        name: "household",
        summary: "a house",
        parameters: &[
            SIZE,
            Parameter::path("data", Some("builtin"), &["builtin"], "a folder with games"),
            Parameter::choice("observations", &["as-game", "classic"], "how observations are worded"),
        ],
        words: &NoWords,
        build: |setup| tasks(&setup.parameters),
    },
    EnvironmentEntry {
        name: "shop",
        summary: "a shop",
        parameters: &[SIZE],
        words: &NoWords,
        build: |setup| tasks(&setup.parameters),
    },
];

const COMMANDS: Parameter = Parameter::choice("commands", &["as-game", "classic"], "how commands are worded");

const fn strategy(
    name: &'static str,
    roles: &'static [&'static str],
    user: bool,
    parameters: &'static [Parameter],
) -> StrategyEntry {
    StrategyEntry {
        name,
        summary: "an order of moves",
        environments: &[],
        roles: Cast::Fixed(roles),
        user: if user { UserNeed::Required } else { UserNeed::None },
        parameters,
        build: StrategyBuild::Alone(|_, _| Ok(Arc::new(|| -> Box<dyn Strategy> { panic!("not played here") }))),
    }
}

static STRATEGIES: &[StrategyEntry] = &[
    strategy("react", &["executor"], false, &[COMMANDS]),
    strategy("respact", &["executor"], true, &[COMMANDS]),
    strategy("relay", &["thinker", "executor"], true, &[]),
    StrategyEntry {
        roles: Cast::Listed("order"),
        user: UserNeed::Optional,
        ..strategy("sequence", &[], false, &[Parameter::roles("order", &["thinker", "executor"], "who takes part")])
    },
    StrategyEntry { environments: &["shop"], ..strategy("react", &["executor"], false, &[DEPTH]) },
    StrategyEntry { environments: &["shop"], ..strategy("haggle", &["executor"], false, &[]) },
];

fn rules(parameters: &Parameters) -> Result<(), SetupError> {
    match parameters.integer("patience") {
        Some(9) => Err(SetupError::at("patience", "nine is too many")),
        _ => Ok(()),
    }
}

const DEPTH: Parameter = Parameter::flag("depth", false, "thinks twice");

static ROLES: &[RoleEntry] = &[
    RoleEntry {
        name: "rules",
        summary: "plays by rules",
        roles: &[],
        environments: &["household"],
        parameters: &[
            Parameter::integer("patience", Some(3), 0..=9, "how often it asks again"),
            Parameter::text("api_key", Some(""), "a secret"),
        ],
        build: |setup| {
            rules(&setup.parameters)?;
            Ok(Arc::new(|| -> Box<dyn Role> { panic!("not played here") }))
        },
    },
    RoleEntry {
        name: "twice",
        summary: "a thinker in the household",
        roles: &["thinker"],
        environments: &["household"],
        parameters: &[DEPTH],
        build: |_| Ok(Arc::new(|| -> Box<dyn Role> { panic!("not played here") })),
    },
    RoleEntry {
        name: "twice",
        summary: "an executor in the shop",
        roles: &["executor"],
        environments: &["shop"],
        parameters: &[],
        build: |_| Ok(Arc::new(|| -> Box<dyn Role> { panic!("not played here") })),
    },
    RoleEntry {
        name: "scripted",
        summary: "answers from a file",
        roles: &["executor"],
        environments: &[],
        parameters: &[Parameter::path("script", None, &[], "the file with its answers")],
        build: |_| Ok(Arc::new(|| -> Box<dyn Role> { panic!("not played here") })),
    },
];

const fn user(
    name: &'static str,
    sees: UserSees,
    environments: &'static [&'static str],
    parameters: &'static [Parameter],
) -> UserEntry {
    UserEntry {
        name,
        summary: "answers questions",
        environments,
        tasks: &[],
        sees,
        parameters,
        build: |_| Ok(Arc::new(|| -> Box<dyn UserSimulator> { panic!("not played here") })),
    }
}

const WRONG_RATE: Parameter = Parameter::number("wrong_rate", 0.0, 0.0..=1.0, "how often it errs");

static USERS: &[UserEntry] = &[
    user("helpful", UserSees::DialogueAndObservations, &["household"], &[WRONG_RATE]),
    user("perturbed", UserSees::DialogueAndObservations, &["household"], &[]),
    user("unhelpful", UserSees::Question, &[], &[]),
    user("human", UserSees::Dialogue, &[], &[]),
];

/// The small registry.
pub(crate) fn registry() -> Registry {
    Registry {
        roles: ROLES.iter().collect(),
        users: USERS.iter().collect(),
        strategies: STRATEGIES.iter().collect(),
        environments: ENVIRONMENTS.iter().collect(),
        ..Registry::default()
    }
}

/// A working folder with the given files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text.as_bytes());
    }
    folder
}

/// Writes a file and the folders that it lies in.
pub(crate) fn write(folder: &Path, name: &str, content: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// The request for the file `run.toml` of a folder.
pub(crate) fn request(folder: &Path, sets: &[&str]) -> Request {
    Request {
        file: "run.toml".into(),
        sets: sets.iter().map(|set| (*set).to_owned()).collect(),
        working: folder.canonicalize().unwrap(),
        ..Request::default()
    }
}

/// Resolves one config without other files.
pub(crate) fn resolve(text: &str, sets: &[&str]) -> Result<Resolved, ConfigErrors> {
    let folder = folder(&[("run.toml", text)]);
    load(&request(folder.path(), sets), registry())
}

/// Every problem of a config, one a line, or nothing.
pub(crate) fn problems(result: Result<Resolved, ConfigErrors>) -> Vec<String> {
    let errors = result.err().map(|errors| errors.0).unwrap_or_default();
    errors.iter().map(ToString::to_string).collect()
}

/// A config in which nothing is wrong.
pub(crate) const GOOD: &str = r#"
[environment]
name = "household"
[strategy]
name = "respact"
[roles.executor]
implementation = "rules"
[user]
kind = "helpful"
"#;
