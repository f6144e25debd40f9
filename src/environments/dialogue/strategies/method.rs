//! What one method does that others do not.

use crate::domain::RoleName;
use crate::environments::dialogue::formats::DialogueFormat;
use crate::environments::dialogue::language::Variable;
use crate::ports::{Parameters, SetupError};

/// A method with its settings.
#[derive(Clone, Debug)]
pub(super) struct Method {
    /// Who takes part.
    pub(super) roles: Vec<RoleName>,
    /// Who gives the response.
    pub(super) executor: RoleName,
    /// What the thinker writes before anything else, if it has a part.
    pub(super) opening: Option<DialogueFormat>,
    /// What comes then if the task has sources.
    pub(super) sources: Way,
    /// What comes then if it has none.
    pub(super) strategies: Way,
    /// The thought is part of every query.
    pub(super) thought_in_queries: bool,
    /// What one strategy says is made without the plan and without what others said.
    pub(super) independent: bool,
    /// Responses until a conversation with a user ends.
    pub(super) turns: u32,
    /// ReAct's steps until the response is asked for.
    pub(super) most_steps: u32,
}

/// How a method goes about the response.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Every source is asked with the context, and then the executor for the response.
    EverySource,
    /// A role answers in this notation.
    Ask(DialogueFormat),
}

impl Method {
    /// The method that asks the executor for the response and does nothing else.
    pub(super) fn new(roles: &[RoleName], parameters: &Parameters) -> Result<Self, SetupError> {
        Ok(Self {
            executor: seat(roles, "executor")?,
            roles: roles.to_vec(),
            opening: None,
            sources: Way::Ask(DialogueFormat::Response),
            strategies: Way::Ask(DialogueFormat::Response),
            thought_in_queries: false,
            independent: false,
            turns: parameters.whole("turns").unwrap_or(10),
            most_steps: parameters.whole("most_steps").unwrap_or(8),
        })
    }

    /// Plans name what they find, and the response is made from plan and evidence (ReWOO).
    pub(super) fn plans_evidence(&self) -> bool {
        matches!(self.sources, Way::Ask(DialogueFormat::RewooPlan))
    }

    /// The letters of the variables in plans.
    pub(super) fn letters(&self) -> Variable {
        if self.plans_evidence() {
            Variable::E
        } else {
            Variable::So
        }
    }

    /// Fails unless the role is in the cast.
    pub(super) fn seated(&self, name: &str) -> Result<(), SetupError> {
        seat(&self.roles, name).map(drop)
    }

    /// Who writes in the notation.
    pub(super) fn writer(&self, notation: DialogueFormat) -> &RoleName {
        let name = match notation {
            DialogueFormat::Thought | DialogueFormat::Status => "thinker",
            DialogueFormat::SourcePlan
            | DialogueFormat::RewooPlan
            | DialogueFormat::Modules
            | DialogueFormat::Strategies => "planner",
            _ => return &self.executor,
        };
        let mut roles = self.roles.iter();
        roles
            .find(|role| role.as_str() == name)
            .unwrap_or(&self.executor)
    }
}

fn seat(roles: &[RoleName], name: &str) -> Result<RoleName, SetupError> {
    let found = roles.iter().find(|role| role.as_str() == name);
    found
        .cloned()
        .ok_or_else(|| SetupError::at("roles", format!("there must be one named `{name}`")))
}
