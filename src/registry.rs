//! The table of everything that a config can name: one line per implementation.

use std::sync::Arc;

use crate::domain::{RoleName, UserSees};
use crate::environments;
use crate::evaluation::metrics::{self, Overlap, Retrieved};
use crate::models;
use crate::ports::model::ModelSettings;
use crate::ports::{
    EnvironmentSetup, Metric, ModelClient, Parameter, Parameters, RoleFactory, RoleSetup,
    SetupError, StrategyFactory, TaskSource, UserFactory, UserSetup,
};
use crate::roles;
use crate::strategies;
use crate::users;

/// What configs are resolved against: the tables of this file, and whatever a program that uses
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
    /// Providers of models.
    pub models: Vec<&'static ModelEntry>,
    /// Metrics.
    pub metrics: Vec<&'static MetricEntry>,
}

impl Registry {
    /// The tables of this file.
    pub fn standard() -> Self {
        Self {
            roles: ROLES.iter().collect(),
            users: USERS.iter().collect(),
            strategies: STRATEGIES.iter().collect(),
            environments: ENVIRONMENTS.iter().collect(),
            models: MODELS.iter().collect(),
            metrics: METRICS.iter().collect(),
        }
    }

    /// What is measured, in the order in which tables show it.
    pub fn measured(&self) -> Vec<&'static dyn Metric> {
        self.metrics.iter().map(|entry| entry.metric).collect()
    }
}

/// What every line that takes parameters has in common.
pub trait Entry {
    /// The name that a config writes.
    fn name(&self) -> &'static str;
    /// What it is, in one line.
    fn summary(&self) -> &'static str;
    /// What it can be told in the config.
    fn parameters(&self) -> &'static [Parameter];
}

macro_rules! entries {
    ($($entry:ty),*) => {$(
        impl Entry for $entry {
            fn name(&self) -> &'static str {
                self.name
            }

            fn summary(&self) -> &'static str {
                self.summary
            }

            fn parameters(&self) -> &'static [Parameter] {
                self.parameters
            }
        }
    )*};
}

entries!(RoleEntry, UserEntry, StrategyEntry, EnvironmentEntry);

/// The roles that a strategy works with.
#[derive(Clone, Copy, Debug)]
pub enum Cast {
    /// These, in the order of their first turn.
    Fixed(&'static [&'static str]),
    /// Those that this parameter lists, which is of the kind [`ParameterKind::Roles`](crate::ports::ParameterKind::Roles).
    Listed(&'static str),
}

/// Whether a strategy works with a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserNeed {
    /// Nobody is ever spoken to.
    None,
    /// It works with a user and without one.
    Optional,
    /// There must be one.
    Required,
    /// As the strategy that this parameter names.
    As(&'static str),
}

impl StrategyEntry {
    /// Whether it works with a user with these parameters, where `all` are the strategies there are.
    pub fn user_need(&self, parameters: &Parameters, all: &[&'static Self]) -> UserNeed {
        let UserNeed::As(_) = self.user else {
            return self.user;
        };
        let named = self.around(parameters);
        let other = all.iter().find(|entry| Some(entry.name) == named);
        other.map_or(UserNeed::Optional, |other| other.user)
    }

    /// The strategy that it is played around with these parameters, if it is one around another.
    pub fn around<'a>(&self, parameters: &'a Parameters) -> Option<&'a str> {
        match self.user {
            UserNeed::As(parameter) => parameters.text(parameter),
            UserNeed::None | UserNeed::Optional | UserNeed::Required => None,
        }
    }

    /// The roles that take part with these parameters, each once, in the order of their first turn.
    pub fn cast(&self, parameters: &Parameters) -> Vec<RoleName> {
        let mut cast: Vec<RoleName> = Vec::new();
        let mut add = |role: RoleName| {
            if !cast.contains(&role) {
                cast.push(role);
            }
        };
        match self.roles {
            // A test holds that every name in the table is valid.
            Cast::Fixed(names) => names
                .iter()
                .flat_map(|name| RoleName::new(name))
                .for_each(add),
            Cast::Listed(parameter) => parameters
                .roles(parameter)
                .iter()
                .cloned()
                .for_each(&mut add),
        }
        cast
    }
}

/// An implementation of a role. Several may share a name if no seat in any environment could mean
/// two of them: `rules` is an executor in one environment and a planner in another.
pub struct RoleEntry {
    /// The name in `roles.<role>.implementation`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The roles that it can take; empty for any.
    pub roles: &'static [&'static str],
    /// The environments that it understands; empty for any.
    pub environments: &'static [&'static str],
    /// What it can be told in the config.
    pub parameters: &'static [Parameter],
    /// Builds it, once per run.
    pub build: fn(&RoleSetup) -> Result<RoleFactory, SetupError>,
}

/// A kind of user.
pub struct UserEntry {
    /// The name in `user.kind`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The environments that it understands; empty for any.
    pub environments: &'static [&'static str],
    /// The kinds of tasks that it understands, by the words of [`TaskSource::kinds`]; empty for any.
    pub tasks: &'static [&'static str],
    /// What it sees unless the config says otherwise.
    pub sees: UserSees,
    /// What it can be told in the config.
    pub parameters: &'static [Parameter],
    /// Builds it, once per run.
    pub build: fn(&UserSetup) -> Result<UserFactory, SetupError>,
}

/// A strategy. Several may share a name if each environment can mean only one of them; one that is made
/// for the environment is meant before one that is for any.
pub struct StrategyEntry {
    /// The name in `strategy.name`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The environments that it understands; empty for any.
    pub environments: &'static [&'static str],
    /// The roles that it works with.
    pub roles: Cast,
    /// Whether it works with a user.
    pub user: UserNeed,
    /// What it can be told in the config.
    pub parameters: &'static [Parameter],
    /// Builds it, once per run, for the given roles.
    pub build: fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>,
}

/// An environment.
pub struct EnvironmentEntry {
    /// The name in `environment.name`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What it can be told in the config.
    pub parameters: &'static [Parameter],
    /// Finds its tasks, once per run.
    pub build: fn(&EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError>,
}

/// A provider of models.
pub struct ModelEntry {
    /// The name in `models.<name>.provider`.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Builds the client of a model, once per run.
    pub build: fn(&ModelSettings) -> Result<Arc<dyn ModelClient>, SetupError>,
}

/// A metric.
pub struct MetricEntry {
    /// What it measures, in one line.
    pub summary: &'static str,
    /// The metric.
    pub metric: &'static dyn Metric,
}

/// Implementations of roles.
pub static ROLES: &[RoleEntry] = &[
    RoleEntry {
        name: "rules",
        summary: "plays household games by rules: explores by likelihood, asks where it may, follows advice and plans",
        roles: &["executor"],
        environments: &["household"],
        parameters: roles::household::PARAMETERS,
        build: roles::household::build,
    },
    RoleEntry {
        name: "rules",
        summary: "names the next sub-goal of a household game in plain English",
        roles: &["thinker"],
        environments: &["household"],
        parameters: &[],
        build: roles::household::build_thinker,
    },
    RoleEntry {
        name: "rules",
        summary: "judges whether asking is worth it, and asks where to look and which object is meant",
        roles: &["clarifier"],
        environments: &["household"],
        parameters: roles::household::CLARIFIER_PARAMETERS,
        build: roles::household::build_clarifier,
    },
    RoleEntry {
        name: "rules",
        summary: "lays out the next actions towards the sub-goal",
        roles: &["planner"],
        environments: &["household"],
        parameters: roles::household::PLANNER_PARAMETERS,
        build: roles::household::build_planner,
    },
    RoleEntry {
        name: "rules",
        summary: "writes down what a failed trial of a household game has shown",
        roles: &["reflector"],
        environments: &["household"],
        parameters: &[],
        build: roles::household::build_reflector,
    },
    RoleEntry {
        name: "eager",
        summary: "asks where to look before every search, whatever was said before",
        roles: &["clarifier"],
        environments: &["household"],
        parameters: &[],
        build: roles::household::build_eager_clarifier,
    },
    RoleEntry {
        name: "rules",
        summary: "infers from surface cues what a dialogue's user is at, and outlines the answer (TPE)",
        roles: &["thinker"],
        environments: &["dialogue"],
        parameters: roles::dialogue::THINKER_PARAMETERS,
        build: roles::dialogue::build_thinker,
    },
    RoleEntry {
        name: "rules",
        summary: "chooses which sources of a dialogue to ask with what, or by which strategies to speak",
        roles: &["planner"],
        environments: &["dialogue"],
        parameters: roles::dialogue::PLANNER_PARAMETERS,
        build: roles::dialogue::build_planner,
    },
    RoleEntry {
        name: "rules",
        summary: "answers in a dialogue from what sources gave, or strategy by strategy",
        roles: &["executor"],
        environments: &["dialogue"],
        parameters: roles::dialogue::EXECUTOR_PARAMETERS,
        build: roles::dialogue::build_executor,
    },
    RoleEntry {
        name: "rules",
        summary: "judges whether a request in a dialogue is too vague, and asks one short question",
        roles: &["clarifier"],
        environments: &["dialogue"],
        parameters: roles::dialogue::CLARIFIER_PARAMETERS,
        build: roles::dialogue::build_clarifier,
    },
    RoleEntry {
        name: "scripted",
        summary: "answers from a file, line by line",
        roles: &[],
        environments: &[],
        parameters: roles::scripted::PARAMETERS,
        build: roles::scripted::build,
    },
    RoleEntry {
        name: "model",
        summary: "a language model plays the role, as its persona says",
        roles: &[],
        environments: &[],
        parameters: roles::model::PARAMETERS,
        build: roles::model::build,
    },
];

/// Kinds of users.
pub static USERS: &[UserEntry] = &[
    UserEntry {
        name: "helpful",
        summary: "knows a plan and where everything is, and answers exactly what was asked",
        environments: &["household"],
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: users::household::build_helpful,
    },
    UserEntry {
        name: "perturbed",
        summary: "knows the same as `helpful` but names classes, never numbers",
        environments: &["household"],
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: users::household::build_perturbed,
    },
    UserEntry {
        name: "unhelpful",
        summary: "knows nothing and guesses among the receptacles it has heard of",
        environments: &["household"],
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: users::household::build_unhelpful,
    },
    UserEntry {
        name: "owner",
        summary: "knows where everything is and which object is meant, and answers `A is in B` (ABA)",
        environments: &["household"],
        tasks: &[],
        sees: UserSees::Question,
        parameters: users::household::OWNER_PARAMETERS,
        build: users::household::build_owner,
    },
    UserEntry {
        name: "student",
        summary: "tries to translate with the words that a tutor gives it, and leaves when it is right",
        environments: &["dialogue"],
        tasks: &["cima"],
        sees: UserSees::Dialogue,
        parameters: users::dialogue::STUDENT_PARAMETERS,
        build: users::dialogue::build_student,
    },
    UserEntry {
        name: "client",
        summary: "tells of a worry in Chinese, takes guidance up, and leaves with thanks",
        environments: &["dialogue"],
        tasks: &["psyqa"],
        sees: UserSees::Dialogue,
        parameters: users::dialogue::CLIENT_PARAMETERS,
        build: users::dialogue::build_client,
    },
    UserEntry {
        name: "visitor",
        summary: "asks one thing after the other about a place, and leaves with thanks",
        environments: &["dialogue"],
        tasks: &["focus"],
        sees: UserSees::Dialogue,
        parameters: users::dialogue::VISITOR_PARAMETERS,
        build: users::dialogue::build_visitor,
    },
    UserEntry {
        name: users::human::NAME,
        summary: "a person at the terminal",
        environments: &[],
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: users::human::build,
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
];

/// Strategies.
pub static STRATEGIES: &[StrategyEntry] = &[
    alone(
        "react",
        UserNeed::None,
        "think and act in turn (ReAct)",
        strategies::react,
    ),
    alone(
        "respact",
        UserNeed::Required,
        "think, speak to the user and act in turn (ReSpAct)",
        strategies::respact,
    ),
    alone(
        "react-im",
        UserNeed::None,
        "think before each action (inner monologue)",
        strategies::react_im,
    ),
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
        roles: Cast::Fixed(strategies::REFLEXION_ROLES),
        user: UserNeed::As("around"),
        parameters: strategies::REFLEXION_PARAMETERS,
        build: strategies::reflexion,
    },
    StrategyEntry {
        name: "relay",
        summary: "one role after the other, in the order of a list, lap after lap",
        environments: &[],
        roles: Cast::Listed("order"),
        user: UserNeed::Optional,
        parameters: strategies::RELAY_PARAMETERS,
        build: strategies::relay,
    },
    in_dialogue(
        "cot",
        "every source is asked with the dialogue, then one response (chain of thought)",
        Cast::Fixed(&["executor"]),
        strategies::dialogue::PARAMETERS,
        strategies::dialogue::cot,
    ),
    in_dialogue(
        "react",
        "one source or strategy at a time until the response (ReAct)",
        Cast::Fixed(&["executor"]),
        strategies::dialogue::REACT_PARAMETERS,
        strategies::dialogue::react,
    ),
    in_dialogue(
        "cue-cot",
        "the user's status, then the response to it (Cue-CoT)",
        Cast::Fixed(&["thinker", "executor"]),
        strategies::dialogue::PARAMETERS,
        strategies::dialogue::cue_cot,
    ),
    in_dialogue(
        "chameleon",
        "a list of sources or strategies, each by itself, then the response (Chameleon)",
        Cast::Fixed(&["planner", "executor"]),
        strategies::dialogue::PARAMETERS,
        strategies::dialogue::chameleon,
    ),
    in_dialogue(
        "rewoo",
        "a plan over sources with variables, then the response from its evidence (ReWOO)",
        Cast::Fixed(&["planner", "executor"]),
        strategies::dialogue::PARAMETERS,
        strategies::dialogue::rewoo,
    ),
    in_dialogue(
        "tpe",
        "a thought, a plan over sources or strategies, and its execution (TPE)",
        Cast::Listed("cast"),
        strategies::dialogue::TPE_PARAMETERS,
        strategies::dialogue::tpe,
    ),
];

/// Environments.
pub static ENVIRONMENTS: &[EnvironmentEntry] = &[
    // One entry each, in the order in which they are listed.
    EnvironmentEntry {
        name: "household",
        summary: "ALFWorld's text games: find things in a house, treat them, put them in place",
        parameters: environments::household::tasks::PARAMETERS,
        build: |setup| environments::household::tasks::build(&setup.parameters),
    },
    EnvironmentEntry {
        name: "dialogue",
        summary: "dialogues to be answered with knowledge sources (FoCus) or strategies of tutoring (CIMA) and counselling (PsyQA)",
        parameters: environments::dialogue::tasks::PARAMETERS,
        build: environments::dialogue::tasks::build,
    },
];

/// Providers of models.
pub static MODELS: &[ModelEntry] = &[
    ModelEntry {
        name: "openai",
        summary: "a server with the OpenAI interface: OpenAI, vLLM, llama.cpp, Ollama, LiteLLM, ...",
        build: models::build,
    },
    ModelEntry {
        name: "scripted",
        summary: "answers from a file, for tests and demonstrations",
        build: models::build_scripted,
    },
];

/// Metrics, in the order in which tables show them.
pub static METRICS: &[MetricEntry] = &[
    metric("whether the task was solved", &metrics::Success),
    metric("the environment's reward", &metrics::Reward),
    metric("moves of roles, of every kind", &metrics::Steps),
    metric(
        "utterances to the user that are no responses to a dialogue",
        &metrics::Questions,
    ),
    metric("actions that the environment refused", &metrics::Invalid),
    metric("actions on the environment", &metrics::Actions),
    metric("moves that are thoughts", &metrics::Thoughts),
    metric("faults of any seat", &metrics::Faults),
    metric("step of the first question", &metrics::FirstQuestion),
    metric("moves that lay out a plan", &metrics::Plans),
    metric("moves that judge whether to ask", &metrics::Judgements),
    metric("moves that write a lesson", &metrics::Lessons),
    metric("moves that end the task", &metrics::Finishes),
    metric(
        "questions that were asked before",
        &metrics::RepeatedQuestions,
    ),
    metric(
        "questions whose answer changed nothing",
        &metrics::IdleQuestions,
    ),
    metric(
        "share of advice that the next action follows",
        &metrics::AdviceFollowed,
    ),
    metric(
        "utterances to the user in solved episodes",
        &metrics::DialogueTurns,
    ),
    metric("trials (Reflexion)", &metrics::Trials),
    metric("trial that solved the task, from 1", &metrics::SolvedTrial),
    metric("rounds that were solved", &metrics::RoundsSolved),
    metric(
        "success where more things fit the task than are meant",
        &metrics::SuccessSeveral,
    ),
    metric(
        "Avg.BLEU of the response, from 0 to 1 (nltk, smoothing 1: lower_ws; Chinese char)",
        &Overlap::Bleu,
    ),
    metric(
        "F1 of the response, from 0 to 1 (SQuAD; Chinese characters)",
        &Overlap::F1,
    ),
    metric(
        "ROUGE-L of the response, from 0 to 1 (rouge-score, stems; Chinese characters)",
        &Overlap::RougeL,
    ),
    metric(
        "sacreBLEU of the response, from 0 to 1 (13a; Chinese zh)",
        &Overlap::SacreBleu,
    ),
    metric("chrF2 of the response, from 0 to 1", &Overlap::Chrf),
    metric("chrF2++ of the response, from 0 to 1", &Overlap::ChrfPlus),
    metric(
        "share of different words in the response, from 0 to 1",
        &Overlap::DistinctOne,
    ),
    metric(
        "share of different pairs of words in the response, from 0 to 1",
        &Overlap::DistinctTwo,
    ),
    metric(
        "queries to sources for the response",
        &Retrieved::Retrievals,
    ),
    metric(
        "share of the right personas that were retrieved",
        &Retrieved::PersonaFound,
    ),
    metric(
        "share of the right documents that were retrieved",
        &Retrieved::DocumentFound,
    ),
    metric(
        "right personas retrieved, each as often as it was",
        &Retrieved::PersonasCorrect,
    ),
    metric(
        "right documents retrieved, each as often as it was",
        &Retrieved::DocumentsCorrect,
    ),
    metric(
        "strategies planned for the response",
        &metrics::StrategiesPlanned,
    ),
    metric(
        "whether the planned strategies are annotated ones",
        &metrics::StrategyAccuracy,
    ),
    metric("calls of models", &metrics::ModelCalls),
    metric("tokens of prompts to models", &metrics::PromptTokens),
    metric("tokens that models generated", &metrics::CompletionTokens),
    metric("what models cost by the config's prices", &metrics::Cost),
];

const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    MetricEntry { summary, metric }
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
        build,
    }
}

/// A strategy of dialogue with conceptual tools.
const fn in_dialogue(
    name: &'static str,
    summary: &'static str,
    roles: Cast,
    parameters: &'static [Parameter],
    build: fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>,
) -> StrategyEntry {
    StrategyEntry {
        name,
        summary,
        environments: &["dialogue"],
        roles,
        user: UserNeed::Optional,
        parameters,
        build,
    }
}
