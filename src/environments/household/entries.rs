//! What the registry lists of household games.

use super::words::HouseholdWords;
use super::{conformance, data, new, roles, tasks, user};
use crate::domain::UserSees;
use crate::ports::{EnvironmentEntry, Metric, MetricEntry, RoleEntry, UserEntry};
use crate::world::{self, WorldEntry};

/// The name in `environment.name`.
const NAME: &str = "household";

/// The environments that its entries are for.
const NAMES: &[&str] = &[NAME];

/// Everything of the household.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: ENVIRONMENTS,
    roles: ROLES,
    users: USERS,
    metrics: METRICS,
    conformance: Some(conformance::compare),
    data: data::TOOLS,
    starters: new::STARTERS,
    ..WorldEntry::EMPTY
};

static ENVIRONMENTS: &[EnvironmentEntry] = &[EnvironmentEntry {
    name: NAME,
    summary: "ALFWorld's text games: find things in a house, treat them, put them in place",
    parameters: tasks::PARAMETERS,
    words: &HouseholdWords,
    build: |setup| tasks::build(&setup.parameters),
}];

static ROLES: &[RoleEntry] = &[
    RoleEntry {
        name: "rules",
        summary: "plays household games by rules: explores by likelihood, asks where it may, follows advice and plans",
        roles: &["executor"],
        environments: NAMES,
        parameters: roles::PARAMETERS,
        build: roles::build,
    },
    RoleEntry {
        name: "rules",
        summary: "names the next sub-goal of a household game in plain English",
        roles: &["thinker"],
        environments: NAMES,
        parameters: &[],
        build: |_| roles::factory(roles::thinker),
    },
    RoleEntry {
        name: "rules",
        summary: "judges whether asking is worth it, and asks where to look and which object is meant",
        roles: &["clarifier"],
        environments: NAMES,
        parameters: roles::CLARIFIER_PARAMETERS,
        build: roles::build_clarifier,
    },
    RoleEntry {
        name: "rules",
        summary: "lays out the next actions towards the sub-goal",
        roles: &["planner"],
        environments: NAMES,
        parameters: roles::PLANNER_PARAMETERS,
        build: roles::build_planner,
    },
    RoleEntry {
        name: "rules",
        summary: "writes down what a failed trial of a household game has shown",
        roles: &["reflector"],
        environments: NAMES,
        parameters: &[],
        build: |_| roles::factory(roles::reflector),
    },
    RoleEntry {
        name: "eager",
        summary: "asks where to look before every search, whatever was said before",
        roles: &["clarifier"],
        environments: NAMES,
        parameters: &[],
        build: |_| roles::factory(roles::Clarifier::eager),
    },
];

static USERS: &[UserEntry] = &[
    UserEntry {
        name: "helpful",
        summary: "knows a plan and where everything is, and answers exactly what was asked",
        environments: NAMES,
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: user::build_helpful,
    },
    UserEntry {
        name: "perturbed",
        summary: "knows the same as `helpful` but names classes, never numbers",
        environments: NAMES,
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: user::build_perturbed,
    },
    UserEntry {
        name: "unhelpful",
        summary: "knows nothing and guesses among the receptacles it has heard of",
        environments: NAMES,
        tasks: &[],
        sees: UserSees::DialogueAndObservations,
        parameters: &[],
        build: |_| user::factory(user::UnhelpfulUser::default),
    },
    UserEntry {
        name: "owner",
        summary: "knows where everything is and which object is meant, and answers `A is in B` (ABA)",
        environments: NAMES,
        tasks: &[],
        sees: UserSees::Question,
        parameters: user::OWNER_PARAMETERS,
        build: user::build_owner,
    },
];

static METRICS: &[MetricEntry] = &[metric(
    "success where more things fit the task than are meant",
    &super::metrics::SUCCESS_SEVERAL,
)];

/// A line of the table of metrics, of one for these environments.
const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    world::metric(summary, metric).of(NAMES)
}
