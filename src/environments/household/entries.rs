//! The registry's entries of household games.

use super::words::HouseholdWords;
use super::{data, roles, tasks, user};
use rolecall_core::domain::UserSees;
use rolecall_core::ports::{EnvironmentEntry, Metric, MetricEntry, RoleEntry, UserEntry};
use rolecall_core::world::{self, Starter, WorldEntry};

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
    data: data::TOOLS,
    starters: STARTERS,
    ..WorldEntry::EMPTY
};

static ENVIRONMENTS: &[EnvironmentEntry] = &[EnvironmentEntry {
    name: NAME,
    summary: "ALFWorld's text games: find things in a house, treat them, put them in place",
    parameters: tasks::PARAMETERS,
    words: &HouseholdWords,
    build: |setup| tasks::build(&setup.parameters),
}];

/// The thinker, with what the other roles have in common with it.
const THINKER: RoleEntry = RoleEntry {
    name: "rules",
    summary: "names the next sub-goal of a household game in plain English",
    roles: &["thinker"],
    environments: NAMES,
    parameters: &[],
    build: |_| roles::factory(roles::thinker),
};

/// The helpful user, with what the other users have in common with it.
const HELPFUL: UserEntry = UserEntry {
    name: "helpful",
    summary: "knows a plan and where everything is, and answers exactly what was asked",
    environments: NAMES,
    tasks: &[],
    sees: UserSees::DialogueAndObservations,
    parameters: &[],
    build: |_| user::factory(user::HelpfulUser::default),
};

static ROLES: &[RoleEntry] = &[
    RoleEntry {
        summary: "plays household games by rules: explores by likelihood, asks where it may, follows advice and plans",
        roles: &["executor"],
        parameters: roles::PARAMETERS,
        build: roles::build,
        ..THINKER
    },
    THINKER,
    RoleEntry {
        summary: "judges whether asking is worth it, and asks where to look and which object is meant",
        roles: &["clarifier"],
        parameters: roles::CLARIFIER_PARAMETERS,
        build: roles::build_clarifier,
        ..THINKER
    },
    RoleEntry {
        summary: "lays out the next actions towards the sub-goal",
        roles: &["planner"],
        parameters: roles::PLANNER_PARAMETERS,
        build: roles::build_planner,
        ..THINKER
    },
    RoleEntry {
        summary: "writes down what a failed trial of a household game has shown",
        roles: &["reflector"],
        build: |_| roles::factory(roles::reflector),
        ..THINKER
    },
    RoleEntry {
        name: "eager",
        summary: "asks where to look before every search, whatever was said before",
        roles: &["clarifier"],
        build: |_| roles::factory(roles::Clarifier::eager),
        ..THINKER
    },
];

static USERS: &[UserEntry] = &[
    HELPFUL,
    UserEntry {
        name: "perturbed",
        summary: "knows the same as `helpful` but names classes, never numbers",
        build: user::build_perturbed,
        ..HELPFUL
    },
    UserEntry {
        name: "unhelpful",
        summary: "knows nothing and guesses among the receptacles it has heard of",
        build: |_| user::factory(user::UnhelpfulUser::default),
        ..HELPFUL
    },
    UserEntry {
        name: "owner",
        summary: "knows where everything is and which object is meant, and answers `A is in B` (ABA)",
        sees: UserSees::Question,
        parameters: user::OWNER_PARAMETERS,
        build: user::build_owner,
        ..HELPFUL
    },
];

static METRICS: &[MetricEntry] =
    &[metric("success where more things fit the task than are meant", &super::held::SUCCESS_SEVERAL)];

/// A line of the table of metrics, of one for these environments.
const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    world::metric(summary, metric).of(NAMES)
}

/// The files that `rolecall new KIND NAME --environment household` writes: a role that looks everywhere once, and a
/// user who forgets.
static STARTERS: &[Starter] = &[
    Starter {
        kind: "role",
        summary: "looks everywhere once, and puts away what the task names",
        code: include_str!("new/role.rs.txt"),
        config: include_str!("new/role.toml.txt"),
        script: None,
    },
    Starter {
        kind: "user",
        summary: "knows the same as `helpful`, and sometimes cannot remember it",
        code: include_str!("new/user.rs.txt"),
        config: include_str!("new/user.toml.txt"),
        script: None,
    },
];
