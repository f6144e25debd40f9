//! Setups that implementations are built from: their parameters, personas, models and the world.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::model::{ModelClient, Models, Sampling, ToolSpec};
use super::{Parameters, SetupError, World};
use crate::domain::{RoleName, UserSees};

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
