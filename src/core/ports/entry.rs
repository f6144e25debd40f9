//! Lines of the registry: what a config can name, what it is, what it takes and how it is built.
//! Worlds list their own, and the registry lists the worlds. The setups are what builders get.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::model::{ModelClient, ModelSettings, Models, Sampling, ToolSpec};
use super::{
    Metric, Parameter, Parameters, RoleFactory, SetupError, StrategyFactory, TaskSource, UserFactory, Words, World,
};
use crate::domain::{RoleName, UserSees};

/// The parts that every line with parameters has in common.
pub trait Entry {
    /// The name that a config writes.
    fn name(&self) -> &'static str;
    /// Its summary, in one line.
    fn summary(&self) -> &'static str;
    /// Its parameters in the config.
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
    /// Roles that this parameter lists, which is of the kind [`ParameterKind::Roles`](super::ParameterKind::Roles).
    Listed(&'static str),
    /// Roles of the strategy that it is played around, and then these.
    Around(&'static [&'static str]),
}

/// How a strategy is built for its roles.
#[derive(Clone, Copy)]
pub enum StrategyBuild {
    /// By itself.
    Alone(fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>),
    /// Around another one, which it may play from the beginning any number of times; the roles of
    /// that one come first.
    Around(fn(&[RoleName], &Parameters, StrategyFactory) -> Result<StrategyFactory, SetupError>),
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
    /// Whether it works with a user; `inner` is the strategy that it is played around, if it is one
    /// around another.
    pub fn user_need(&self, inner: Option<&Self>) -> UserNeed {
        match self.user {
            UserNeed::As(_) => inner.map_or(UserNeed::Optional, |inner| inner.user),
            need => need,
        }
    }

    /// The parameter that names the strategy which it is played around, if it is one around another.
    pub fn around(&self) -> Option<&'static str> {
        match self.user {
            UserNeed::As(parameter) => Some(parameter),
            UserNeed::None | UserNeed::Optional | UserNeed::Required => None,
        }
    }

    /// The strategy that it is played around with these parameters, of those that there are.
    pub fn inner(&self, parameters: &Parameters, all: &[&'static Self]) -> Option<&'static Self> {
        let name = parameters.text(self.around()?)?;
        all.iter().copied().find(|entry| entry.name == name)
    }

    /// The parameter that lists its roles or those of the strategy that it is played around, if one does.
    pub fn listing(&self, inner: Option<&Self>) -> Option<&'static str> {
        match self.roles {
            Cast::Fixed(_) => None,
            Cast::Listed(parameter) => Some(parameter),
            Cast::Around(_) => inner.and_then(|inner| inner.listing(None)),
        }
    }

    /// The roles that take part with these parameters, each once, in the order of their first turn.
    pub fn cast(&self, parameters: &Parameters, inner: Option<&Self>) -> Vec<RoleName> {
        // A test holds that every name in the table is valid.
        let named = |names: &[&str]| names.iter().flat_map(|name| RoleName::new(name)).collect();
        let all: Vec<RoleName> = match self.roles {
            Cast::Fixed(names) => named(names),
            Cast::Listed(parameter) => parameters.roles(parameter).to_vec(),
            Cast::Around(names) => {
                let mut cast = inner.map_or_else(Vec::new, |inner| inner.cast(parameters, None));
                cast.extend::<Vec<RoleName>>(named(names));
                cast
            }
        };
        let mut cast: Vec<RoleName> = Vec::new();
        for role in all {
            if !cast.contains(&role) {
                cast.push(role);
            }
        }
        cast
    }

    /// Builds it for the roles that take part; the parameters hold those of `inner` as well.
    pub fn factory(
        &self,
        roles: &[RoleName],
        parameters: &Parameters,
        inner: Option<&Self>,
    ) -> Result<StrategyFactory, SetupError> {
        match (self.build, inner) {
            (StrategyBuild::Alone(build), _) => build(roles, parameters),
            (StrategyBuild::Around(build), Some(inner)) => {
                let cast = inner.cast(parameters, None);
                let adds =
                    |role: &&RoleName| matches!(self.roles, Cast::Around(names) if names.contains(&role.as_str()));
                if let Some(role) = cast.iter().find(adds) {
                    let problem = format!("is `{}`, which has a `{role}` of its own", inner.name);
                    return Err(SetupError::at(self.around().unwrap_or("name"), problem));
                }
                build(roles, parameters, inner.factory(&cast, parameters, None)?)
            }
            (StrategyBuild::Around(_), None) => {
                let key = self.around().unwrap_or("name");
                Err(SetupError::at(key, "write the name of a strategy"))
            }
        }
    }
}

/// An implementation of a role. Several may share a name if no seat in any environment could mean
/// two of them: `rules` is an executor in one environment and a planner in another.
pub struct RoleEntry {
    /// The name in `roles.<role>.implementation`.
    pub name: &'static str,
    /// Its summary, in one line.
    pub summary: &'static str,
    /// The roles that it can take; empty for any.
    pub roles: &'static [&'static str],
    /// The environments that it understands; empty for any.
    pub environments: &'static [&'static str],
    /// Its parameters in the config.
    pub parameters: &'static [Parameter],
    /// Builds it, once per run.
    pub build: fn(&RoleSetup) -> Result<RoleFactory, SetupError>,
}

/// A kind of user.
pub struct UserEntry {
    /// The name in `user.kind`.
    pub name: &'static str,
    /// Its summary, in one line.
    pub summary: &'static str,
    /// The environments that it understands; empty for any.
    pub environments: &'static [&'static str],
    /// The kinds of tasks that it understands, by the words of [`TaskSource::kinds`]; empty for any.
    pub tasks: &'static [&'static str],
    /// The part of the episode that it sees unless the config says otherwise.
    pub sees: UserSees,
    /// Its parameters in the config.
    pub parameters: &'static [Parameter],
    /// Builds it, once per run.
    pub build: fn(&UserSetup) -> Result<UserFactory, SetupError>,
}

/// A strategy. Several may share a name if each environment can mean only one of them; one that is made
/// for the environment is meant before one that is for any.
pub struct StrategyEntry {
    /// The name in `strategy.name`.
    pub name: &'static str,
    /// Its summary, in one line.
    pub summary: &'static str,
    /// The environments that it understands; empty for any.
    pub environments: &'static [&'static str],
    /// The roles that it works with.
    pub roles: Cast,
    /// Whether it works with a user.
    pub user: UserNeed,
    /// Its parameters in the config.
    pub parameters: &'static [Parameter],
    /// Builds it, once per run; [`factory`](Self::factory) calls it.
    pub build: StrategyBuild,
}

/// An environment.
pub struct EnvironmentEntry {
    /// The name in `environment.name`.
    pub name: &'static str,
    /// Its summary, in one line.
    pub summary: &'static str,
    /// Its parameters in the config.
    pub parameters: &'static [Parameter],
    /// Its words for prompts, metrics and reports.
    pub words: &'static dyn Words,
    /// Finds its tasks, once per run.
    pub build: fn(&EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError>,
}

/// A provider of models.
pub struct ModelEntry {
    /// The name in `models.<name>.provider`.
    pub name: &'static str,
    /// Its summary, in one line.
    pub summary: &'static str,
    /// It is a server, which needs an address and knows its models by names.
    pub server: bool,
    /// Builds the client of a model, once per run.
    pub build: fn(&ModelSettings) -> Result<Arc<dyn ModelClient>, SetupError>,
}

/// A metric.
pub struct MetricEntry {
    /// Its summary, in one line.
    pub summary: &'static str,
    /// The metric.
    pub metric: &'static dyn Metric,
    /// The environments that it is for; empty for any. In others it is absent and left out.
    pub environments: &'static [&'static str],
}

impl MetricEntry {
    /// Limits the line to some environments.
    #[must_use]
    pub const fn of(self, environments: &'static [&'static str]) -> Self {
        Self { environments, ..self }
    }
}

/// A persona card with its texts: who a role is, apart from how it is implemented.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Persona {
    /// Where it was read, for messages; empty if there is none.
    pub name: String,
    /// The prompt template.
    pub prompt: String,
    /// The file that the prompt stands in, for messages; empty if there is none.
    pub prompt_file: String,
    /// The exemplars, by file name.
    pub exemplars: BTreeMap<String, String>,
    /// How its model draws answers, where it has one; stronger than the model's own settings.
    pub sampling: Sampling,
    /// How a user that a model plays ends a conversation.
    pub leaving: LeavingMarks,
}

/// Marks at the end of what a user says with which it ends the conversation; an empty one is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeavingMarks {
    /// It leaves without what it came for.
    pub leaving: String,
    /// It leaves with it.
    pub satisfied: String,
}

/// The setup of a role.
#[derive(Clone, Debug)]
pub struct RoleSetup {
    /// The seat that it takes.
    pub role: RoleName,
    /// The parameters of its implementation.
    pub parameters: Parameters,
    /// Its persona.
    pub persona: Persona,
    /// The models of the run.
    pub models: Models,
    /// The world that it plays in.
    pub world: World,
}

/// The setup of an environment.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentSetup {
    /// Its parameters.
    pub parameters: Parameters,
    /// The models of the run.
    pub models: Models,
    /// The tools that it had when the run began that is taken up; none if none is, or if nobody else is asked for
    /// them ([`TaskSource::asks_for_tools`](super::TaskSource::asks_for_tools)).
    pub recorded_tools: Vec<ToolSpec>,
}

/// The setup of a user.
#[derive(Clone, Debug, Default)]
pub struct UserSetup {
    /// The parameters of its kind.
    pub parameters: Parameters,
    /// The part of the episode that it will see.
    pub sees: UserSees,
    /// Its persona; an empty one if the config names none.
    pub persona: Persona,
    /// The models of the run.
    pub models: Models,
    /// The world that it plays in.
    pub world: World,
}

impl Parameters {
    /// The model that a parameter names, or nothing if it is absent.
    ///
    /// # Errors
    /// When the config has no model of that name.
    pub fn model(&self, name: &str, models: &Models) -> Result<Option<Arc<dyn ModelClient>>, SetupError> {
        let Some(named) = self.text(name) else {
            return Ok(None);
        };
        let model = models.get(named).ok_or_else(|| {
            let problem = format!("is `{named}`, which is no model of this config");
            SetupError::at(name, problem)
        })?;
        Ok(Some(model))
    }
}
