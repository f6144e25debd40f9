//! The table of everything that a config can name: the worlds that are handed in, and a line for each
//! implementation that serves all of them.

use rolecall_core::domain::{Event, RoleName, Scene, UserSees};
use rolecall_core::evaluation::analyses::AnalysisPart;
use rolecall_core::evaluation::labels::{JudgeQuestion, USER_FAULTS};
use rolecall_core::evaluation::metrics;
use rolecall_core::models;
use rolecall_core::people;
use rolecall_core::ports::held::{HeldFacts, Secrets};
use rolecall_core::ports::{
    Cast, EnvironmentEntry, EpisodeLog, Format, Metric, MetricEntry, ModelEntry, NoWords, Parameter, Parameters,
    Response, RoleEntry, RoleFactory, RoleSetup, SetupError, StrategyBuild, StrategyEntry, StrategyFactory, UserEntry,
    UserNeed, World,
};
use rolecall_core::reports::analyses::AnalysisEntry;
use rolecall_core::roles;
use rolecall_core::strategies;
use rolecall_core::users;
use rolecall_core::world::{WorldEntry, metric};

/// The implementation of a seat that a client of `rolecall serve` plays.
pub const REMOTE: &str = roles::remote::NAME;

/// The implementation, and the kind of user, that people play.
pub const HUMAN: &str = people::NAME;

/// The tables that configs are resolved against: those of this file, and all that a program that uses
/// the library adds to them (`examples/own_role.rs`).
#[derive(Clone, Default)]
pub struct Registry {
    /// Implementations of roles.
    pub roles: Vec<&'static RoleEntry>,
    /// Kinds of users.
    pub users: Vec<&'static UserEntry>,
    /// Strategies.
    pub strategies: Vec<&'static StrategyEntry>,
    /// Environments.
    pub environments: Vec<&'static EnvironmentEntry>,
    /// Answer formats.
    pub formats: Vec<&'static dyn Format>,
    /// Providers of models.
    pub models: Vec<&'static ModelEntry>,
    /// Metrics.
    pub metrics: Vec<&'static MetricEntry>,
    /// Parts of the analyses that worlds bring.
    pub analyses: Vec<&'static AnalysisEntry>,
    /// Worlds, with the tools that they bring besides.
    pub worlds: Vec<&'static WorldEntry>,
    /// Questions to judges, of worlds and about users.
    pub questions: Vec<&'static JudgeQuestion>,
}

impl Registry {
    /// The tables of this file and those of worlds: worlds first, then what serves all of them; metrics the other
    /// way round, and what models were asked for at the end.
    pub fn of(worlds: impl IntoIterator<Item = &'static WorldEntry>) -> Self {
        let mut registry = Self {
            strategies: STRATEGIES.iter().collect(),
            models: MODELS.iter().collect(),
            metrics: METRICS.iter().collect(),
            ..Self::default()
        };
        for world in worlds {
            registry.add(world);
        }
        registry.roles.extend(ROLES);
        registry.users.extend(USERS);
        registry.metrics.extend(USAGE);
        registry.questions.push(&USER_FAULTS);
        registry
    }

    /// Adds everything of a world.
    pub fn add(&mut self, world: &'static WorldEntry) {
        self.worlds.push(world);
        self.environments.extend(world.environments);
        self.roles.extend(world.roles);
        self.users.extend(world.users);
        self.strategies.extend(world.strategies);
        self.formats.extend(world.formats);
        self.metrics.extend(world.metrics);
        self.analyses.extend(world.analyses);
        self.questions.extend(world.questions);
    }

    /// The registry with one more world: `rolecall::main(rolecall::worlds().with(&world::ENTRIES))`.
    #[must_use]
    pub fn with(mut self, world: &'static WorldEntry) -> Self {
        self.add(world);
        self
    }

    /// The world that an environment is listed by.
    pub fn world_of(&self, environment: &str) -> Option<&'static WorldEntry> {
        let lists = |world: &&&WorldEntry| world.environments.iter().any(|entry| entry.name == environment);
        self.worlds.iter().find(lists).copied()
    }

    /// The metrics, in the order in which tables show them.
    pub fn measured(&self) -> Vec<&'static dyn Metric> {
        self.metrics.iter().map(|entry| entry.metric).collect()
    }

    /// The parts of the analyses, in the order in which they are shown.
    pub fn parts(&self) -> Vec<AnalysisPart> {
        AnalysisPart::all(self.analyses.iter().map(|entry| entry.part))
    }

    /// The response that an episode came to; none if its world knows of none.
    pub fn response(&self, log: &EpisodeLog<'_>) -> Option<Response> {
        self.environments.iter().find_map(|entry| entry.words.response(log))
    }

    /// The facts that the user of an episode holds; none if its world knows of none.
    pub fn held(&self, events: &[Event]) -> Option<Box<dyn HeldFacts>> {
        self.environments.iter().find_map(|entry| entry.words.held(events))
    }

    /// Secrets that the user of an episode was asked to keep; none if its world knows of none.
    pub fn secrets(&self, log: &EpisodeLog<'_>) -> Option<Secrets> {
        self.environments.iter().find_map(|entry| entry.words.secrets(log))
    }

    /// How readers are shown an episode; none if no world stages it.
    pub fn scene(&self, log: &EpisodeLog<'_>) -> Option<Scene> {
        self.environments.iter().find_map(|entry| entry.words.scene(log))
    }

    /// The kinds of tasks that worlds know, in the order of tables.
    pub fn kinds(&self) -> Vec<&'static str> {
        self.environments.iter().flat_map(|entry| entry.words.kinds()).copied().collect()
    }

    /// The metrics that say how good an episode on a task of this kind is, where success says little
    /// ([`Words::measures`](rolecall_core::ports::Words::measures)). A kind that a world lists is that world's; of
    /// others, such as those that data files name themselves, the first that measures them tells.
    pub fn measures(&self, kind: &str) -> &'static [&'static str] {
        let lists = |entry: &&&EnvironmentEntry| entry.words.kinds().contains(&kind);
        if let Some(entry) = self.environments.iter().find(lists) {
            return entry.words.measures(kind);
        }
        let mut measures = self.environments.iter().map(|entry| entry.words.measures(kind));
        measures.find(|metrics| !metrics.is_empty()).unwrap_or_default()
    }

    /// The world of an environment, for its participants; of one that is not known, an empty one.
    pub fn world(&self, environment: Option<&str>) -> World {
        let entry = self.environments.iter().find(|entry| Some(entry.name) == environment);
        let variables = self.environments.iter().flat_map(|entry| entry.words.variables());
        World {
            words: entry.map_or(&NoWords, |entry| entry.words),
            variables: variables.copied().collect(),
            formats: self.formats.clone().into(),
            ..World::default()
        }
    }
}

/// Implementations of roles for any world.
pub static ROLES: &[RoleEntry] = &[
    role("scripted", "answers from a file, line by line", roles::scripted::PARAMETERS, roles::scripted::build),
    role(
        "model",
        "a language model plays the role, as its persona says",
        roles::model::PARAMETERS,
        roles::model::build,
    ),
    role(people::NAME, "a person plays the role, at the terminal or in a browser", people::PARAMETERS, people::build),
    role(REMOTE, "a client of `rolecall serve` plays the role", &[], roles::remote::build),
];

/// Kinds of users for any world.
pub static USERS: &[UserEntry] = &[
    UserEntry {
        name: people::NAME,
        summary: "a person, at the terminal or in a browser",
        environments: &[],
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: people::USER_PARAMETERS,
        build: people::build_user,
    },
    UserEntry {
        name: "model",
        summary: "a language model plays the user, as its persona says",
        environments: &[],
        tasks: &[],
        sees: UserSees::Question,
        parameters: users::model::PARAMETERS,
        build: users::model::build,
    },
    users::revealer::ENTRY,
    UserEntry {
        name: REMOTE,
        summary: "a client of `rolecall serve` plays the user",
        environments: &[],
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: roles::remote::build_user,
    },
];

/// Strategies for any world.
pub static STRATEGIES: &[StrategyEntry] = &[
    alone("react", UserNeed::None, "think and act in turn (ReAct)", strategies::react),
    alone("respact", UserNeed::Required, "think, speak to the user and act in turn (ReSpAct)", strategies::respact),
    alone("react-im", UserNeed::None, "think before each action (inner monologue)", strategies::react_im),
    alone(
        "respact-im",
        UserNeed::Required,
        "think before each action and each word to the user (inner monologue)",
        strategies::respact_im,
    ),
    alone(
        "respact-schema",
        UserNeed::Required,
        "as `respact`, and what is spoken declares one of ten dialogue acts",
        strategies::respact_schema,
    ),
    alone(
        "aba",
        UserNeed::Required,
        "think, ask the user and act in turn (ABA, Asking Before Action)",
        strategies::aba,
    ),
    StrategyEntry {
        name: "reflexion",
        summary: "another strategy, trial after trial, with a lesson after each that did not solve the task",
        environments: &[],
        roles: Cast::Around(strategies::REFLEXION_ROLES),
        user: UserNeed::As("around"),
        parameters: strategies::REFLEXION_PARAMETERS,
        build: StrategyBuild::Around(strategies::reflexion),
    },
    StrategyEntry {
        name: "relay",
        summary: "one role after the other, in the order of a list, lap after lap",
        environments: &[],
        roles: Cast::Listed("order"),
        user: UserNeed::Optional,
        parameters: strategies::RELAY_PARAMETERS,
        build: StrategyBuild::Alone(strategies::relay),
    },
];

/// Providers of models.
pub static MODELS: &[ModelEntry] = &[
    ModelEntry {
        name: "openai",
        summary: "a server with the OpenAI interface: OpenAI, vLLM, llama.cpp, Ollama, LiteLLM, ...",
        server: true,
        build: models::build,
    },
    ModelEntry {
        name: "scripted",
        summary: "answers from a file, for tests and demonstrations",
        server: false,
        build: models::build_scripted,
    },
    ModelEntry {
        name: "local",
        summary: "a small model inside the program, from a checkpoint; without one, that which comes with it",
        server: false,
        build: models::build_local,
    },
];

/// Metrics of any world, in the order in which tables show them.
pub static METRICS: &[MetricEntry] = &[
    metric("whether the task was solved", &metrics::SUCCESS),
    metric("the environment's reward", &metrics::REWARD),
    metric("moves of roles, of every kind", &metrics::STEPS),
    metric("utterances to the user that are no responses to a dialogue", &metrics::QUESTIONS),
    metric("actions that the environment refused", &metrics::INVALID),
    metric("actions on the environment", &metrics::ACTIONS),
    metric("moves that are thoughts", &metrics::THOUGHTS),
    metric("faults of any seat", &metrics::FAULTS),
    metric("step of the first question", &metrics::FIRST_QUESTION),
    metric("moves that lay out a plan", &metrics::PLANS),
    metric("moves that judge whether to ask", &metrics::JUDGEMENTS),
    metric("moves that write a lesson", &metrics::LESSONS),
    metric("moves that end the task", &metrics::FINISHES),
    metric("questions that were asked before", &metrics::REPEATED_QUESTIONS),
    metric("questions whose answer changed nothing", &metrics::IDLE_QUESTIONS),
    metric("share of advice that the next action follows", &metrics::ADVICE_FOLLOWED),
    metric("utterances to the user in solved episodes", &metrics::DIALOGUE_TURNS),
    metric(
        "F1 of asking where tasks are underspecified; also `.precision`, `.recall`, `.accuracy`, and success by it",
        &metrics::clarification::Clarification,
    ),
    metric("trials (Reflexion)", &metrics::TRIALS),
    metric("trial that solved the task, from 1", &metrics::SOLVED_TRIAL),
    metric("rounds that were solved", &metrics::ROUNDS_SOLVED),
];

/// Metrics of the calls of models.
pub static USAGE: &[MetricEntry] = &[
    metric("calls of models", &metrics::MODEL_CALLS),
    metric("tokens of prompts to models", &metrics::PROMPT_TOKENS),
    metric("tokens that models generated", &metrics::COMPLETION_TOKENS),
    metric("what models cost by the config's prices", &metrics::COST),
    metric("share of models' answers that could not be read; by seat `unreadable.SEAT`", &metrics::UNREADABLE),
    metric("times that seats were asked again; by seat `retries.SEAT`", &metrics::RETRIES),
    metric("share of models' answers that were mended; by seat and kind `repaired.SEAT.KIND`", &metrics::REPAIRED),
    metric("share of models' answers that repeat what was shown; by seat `echo.SEAT`", &metrics::ECHO),
    metric("share of models' answers cut at the limit of tokens; by seat `cut.SEAT`", &metrics::CUT),
    metric("share of models' answers whose action the world refused; by seat `refused.SEAT`", &metrics::REFUSED),
];

/// An implementation of any role in any world.
const fn role(
    name: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    build: fn(&RoleSetup) -> Result<RoleFactory, SetupError>,
) -> RoleEntry {
    RoleEntry { name, summary, roles: &[], environments: &[], parameters, build }
}

/// A strategy of the turn loop: one executor, and perhaps a user.
const fn alone(
    name: &'static str,
    user: UserNeed,
    summary: &'static str,
    build: fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>,
) -> StrategyEntry {
    StrategyEntry {
        name,
        summary,
        environments: &[],
        roles: Cast::Fixed(&["executor"]),
        user,
        parameters: strategies::TURN_LOOP_PARAMETERS,
        build: StrategyBuild::Alone(build),
    }
}
