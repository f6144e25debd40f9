//! The table of everything that a config can name: one line per implementation.

use std::sync::Arc;

use crate::domain::{RoleName, UserSees};
use crate::evaluation::metrics;
use crate::ports::{
    Metric, Parameter, Parameters, RoleFactory, RoleSetup, SetupError, StrategyFactory, TaskSource,
    UserFactory,
};

/// The tables together. A run is resolved against one registry, and tests bring their own.
#[derive(Clone, Copy)]
pub struct Registry {
    /// Implementations of roles.
    pub roles: &'static [RoleEntry],
    /// Kinds of users.
    pub users: &'static [UserEntry],
    /// Strategies.
    pub strategies: &'static [StrategyEntry],
    /// Environments.
    pub environments: &'static [EnvironmentEntry],
    /// Metrics.
    pub metrics: &'static [MetricEntry],
}

impl Registry {
    /// The tables of this file.
    pub fn standard() -> Self {
        Self {
            roles: ROLES,
            users: USERS,
            strategies: STRATEGIES,
            environments: ENVIRONMENTS,
            metrics: METRICS,
        }
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

/// An implementation of a role.
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
    /// What it sees unless the config says otherwise.
    pub sees: UserSees,
    /// What it can be told in the config.
    pub parameters: &'static [Parameter],
    /// Builds it, once per run.
    pub build: fn(&Parameters) -> Result<UserFactory, SetupError>,
}

/// A strategy.
pub struct StrategyEntry {
    /// The name in `strategy.name`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The roles that it needs, in the order of their first turn.
    pub roles: &'static [&'static str],
    /// Whether it needs a user.
    pub user: bool,
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
    pub build: fn(&Parameters) -> Result<Arc<dyn TaskSource>, SetupError>,
}

/// A metric.
pub struct MetricEntry {
    /// What it measures, in one line.
    pub summary: &'static str,
    /// The metric.
    pub metric: &'static dyn Metric,
}

/// Implementations of roles.
pub static ROLES: &[RoleEntry] = &[];

/// Kinds of users.
pub static USERS: &[UserEntry] = &[];

/// Strategies.
pub static STRATEGIES: &[StrategyEntry] = &[];

/// Environments.
pub static ENVIRONMENTS: &[EnvironmentEntry] = &[];

/// Metrics, in the order in which tables show them.
pub static METRICS: &[MetricEntry] = &[
    metric("whether the task was solved", &metrics::Success),
    metric("the environment's reward", &metrics::Reward),
    metric("moves of roles, of every kind", &metrics::Steps),
    metric("utterances to the user", &metrics::Questions),
    metric("actions that the environment refused", &metrics::Invalid),
    metric("actions on the environment", &metrics::Actions),
    metric("moves that are thoughts", &metrics::Thoughts),
    metric("faults of any seat", &metrics::Faults),
    metric("step of the first question", &metrics::FirstQuestion),
];

const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    MetricEntry { summary, metric }
}
