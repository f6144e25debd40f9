//! The registry's entries of dialogue.

use super::analyses::ANALYSES;
use super::formats::FORMATS;
use super::metrics::OverlapMetric;
use super::roles::{CastMember, build_player};
use super::words::DialogueWords;
use super::{data, judged, metrics, roles, strategies, tasks, user};
use rolecall_core::domain::{RoleName, UserSees};
use rolecall_core::evaluation::Overlap;
use rolecall_core::ports::{
    Cast, EnvironmentEntry, Metric, MetricEntry, Parameter, Parameters, RoleEntry, SetupError, StrategyBuild,
    StrategyEntry, StrategyFactory, UserEntry, UserNeed,
};
use rolecall_core::world::{self, WorldEntry};

/// The name in `environment.name`.
const NAME: &str = "dialogue";

/// The environments that its entries are for.
const NAMES: &[&str] = &[NAME];

/// Everything of dialogue.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: ENVIRONMENTS,
    roles: ROLES,
    users: USERS,
    strategies: STRATEGIES,
    formats: FORMATS,
    metrics: METRICS,
    analyses: ANALYSES,
    questions: judged::QUESTIONS,
    data: data::TOOLS,
    ..WorldEntry::EMPTY
};

static ENVIRONMENTS: &[EnvironmentEntry] = &[EnvironmentEntry {
    name: NAME,
    summary: "dialogues to be answered with knowledge sources (FoCus), strategies of tutoring (CIMA) and counselling (PsyQA), or those of your own data",
    parameters: tasks::PARAMETERS,
    words: &DialogueWords,
    build: tasks::build,
}];

const EXECUTOR: RoleEntry = RoleEntry {
    name: "rules",
    summary: "answers in a dialogue from what sources gave, or strategy by strategy",
    roles: &["executor"],
    environments: NAMES,
    parameters: roles::EXECUTOR_PARAMETERS,
    build: |setup| build_player(CastMember::Executor, setup),
};

static ROLES: &[RoleEntry] = &[
    RoleEntry {
        summary: "infers from surface cues what a dialogue's user is at, and outlines the answer (TPE)",
        roles: &["thinker"],
        parameters: roles::THINKER_PARAMETERS,
        build: |setup| build_player(CastMember::Thinker, setup),
        ..EXECUTOR
    },
    RoleEntry {
        summary: "chooses which sources of a dialogue to ask with what, or by which strategies to speak",
        roles: &["planner"],
        parameters: roles::PLANNER_PARAMETERS,
        build: |setup| build_player(CastMember::Planner, setup),
        ..EXECUTOR
    },
    EXECUTOR,
    RoleEntry {
        summary: "judges whether a request in a dialogue is too vague, and asks one short question",
        roles: &["clarifier"],
        parameters: roles::CLARIFIER_PARAMETERS,
        build: roles::build_clarifier,
        ..EXECUTOR
    },
];

const STUDENT: UserEntry = UserEntry {
    name: "student",
    summary: "tries to translate with the words that a tutor gives it, and leaves when it is right",
    environments: NAMES,
    tasks: &["cima"],
    sees: UserSees::Dialogue,
    parameters: user::STUDENT_PARAMETERS,
    build: user::build_student,
};

static USERS: &[UserEntry] = &[
    STUDENT,
    UserEntry {
        name: "client",
        summary: "tells of a worry in Chinese, takes guidance up, and leaves with thanks",
        tasks: &["psyqa"],
        parameters: user::CLIENT_PARAMETERS,
        build: user::build_client,
        ..STUDENT
    },
    UserEntry {
        name: "visitor",
        summary: "asks one thing after the other about a place, and leaves with thanks",
        tasks: &["focus"],
        parameters: user::VISITOR_PARAMETERS,
        build: user::build_visitor,
        ..STUDENT
    },
];

static STRATEGIES: &[StrategyEntry] = &[
    method(
        "cot",
        "every source is asked with the dialogue, then reasoning and the response in one answer (CoT)",
        Cast::Fixed(&["executor"]),
        strategies::COT_PARAMETERS,
        strategies::cot,
    ),
    method(
        "few-shot",
        "every source is asked with the dialogue, then the response without reasoning (a baseline)",
        Cast::Fixed(&["executor"]),
        strategies::PARAMETERS,
        strategies::few_shot,
    ),
    method(
        "react",
        "one source or strategy at a time until the response (ReAct)",
        Cast::Fixed(&["executor"]),
        strategies::REACT_PARAMETERS,
        strategies::react,
    ),
    method(
        "cue-cot",
        "the user's status, then the response to it (Cue-CoT)",
        Cast::Fixed(&["thinker", "executor"]),
        strategies::PARAMETERS,
        strategies::cue_cot,
    ),
    method(
        "chameleon",
        "a list of sources or strategies, each by itself, then the response (Chameleon)",
        Cast::Fixed(&["planner", "executor"]),
        strategies::PARAMETERS,
        strategies::chameleon,
    ),
    method(
        "rewoo",
        "a plan over sources with variables, then the response from its evidence (ReWOO)",
        Cast::Fixed(&["planner", "executor"]),
        strategies::PARAMETERS,
        strategies::rewoo,
    ),
    method(
        "tpe",
        "a thought, a plan over sources or strategies, and its execution (TPE)",
        Cast::Listed("cast"),
        strategies::TPE_PARAMETERS,
        strategies::tpe,
    ),
];

static METRICS: &[MetricEntry] = &[
    metric(
        "whether the conversation reached its goal: the right sentence is said, or the user leaves content",
        &metrics::GOAL_REACHED,
    ),
    metric(
        "Avg.BLEU of the response, from 0 to 1 (nltk, smoothing 1: lower_ws; Chinese char)",
        &OverlapMetric(Overlap::Bleu),
    ),
    metric("F1 of the response, from 0 to 1 (SQuAD; Chinese characters)", &OverlapMetric(Overlap::F1)),
    metric(
        "ROUGE-L of the response, from 0 to 1 (rouge-score, stems; Chinese characters)",
        &OverlapMetric(Overlap::RougeL),
    ),
    metric("sacreBLEU of the response, from 0 to 1 (13a; Chinese zh)", &OverlapMetric(Overlap::SacreBleu)),
    metric("chrF2 of the response, from 0 to 1", &OverlapMetric(Overlap::Chrf)),
    metric("chrF2++ of the response, from 0 to 1", &OverlapMetric(Overlap::ChrfPlus)),
    metric("share of different words in the response, from 0 to 1", &OverlapMetric(Overlap::DistinctOne)),
    metric("share of different pairs of words in the response, from 0 to 1", &OverlapMetric(Overlap::DistinctTwo)),
    metric("queries to sources for the response", &metrics::RETRIEVALS),
    metric("share of the right personas that were retrieved", &metrics::PERSONA_FOUND),
    metric("share of the right documents that were retrieved", &metrics::DOCUMENT_FOUND),
    metric("share of the right texts that were retrieved, of all sources of own data", &metrics::TEXTS_FOUND),
    metric("right personas retrieved, each as often as it was", &metrics::PERSONAS_CORRECT),
    metric("right documents retrieved, each as often as it was", &metrics::DOCUMENTS_CORRECT),
    metric("strategies planned for the response", &metrics::STRATEGIES_PLANNED),
    metric("whether the planned strategies are annotated ones", &metrics::STRATEGY_ACCURACY),
];

/// A line of the table of metrics, of one for these environments.
const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    world::metric(summary, metric).of(NAMES)
}

/// A strategy of dialogue with conceptual tools.
const fn method(
    name: &'static str,
    summary: &'static str,
    roles: Cast,
    parameters: &'static [Parameter],
    build: fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>,
) -> StrategyEntry {
    StrategyEntry {
        name,
        summary,
        environments: NAMES,
        roles,
        user: UserNeed::Optional,
        parameters,
        build: StrategyBuild::Alone(build),
    }
}
