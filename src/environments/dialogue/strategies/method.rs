//! The differences between the methods.

use crate::formats::DialogueFormat;
use crate::language::Variable;
use rolecall_core::domain::RoleName;
use rolecall_core::ports::{Parameters, SetupError};

/// A method with its settings.
#[derive(Clone, Debug)]
pub(super) struct Method {
    /// The cast.
    pub(super) roles: Vec<RoleName>,
    /// The role that gives the response.
    pub(super) executor: RoleName,
    /// The thinker's notation before anything else, if it has a part.
    pub(super) opening: Option<DialogueFormat>,
    /// The next step if the task has sources.
    pub(super) sources: Way,
    /// The next step if it has none.
    pub(super) strategies: Way,
    /// The notation of the response: with the reasoning before it, or without.
    pub(super) response: DialogueFormat,
    /// The thought is part of every query.
    pub(super) thought_in_queries: bool,
    /// Each strategy speaks without the plan and without the words of others.
    pub(super) independent: bool,
    /// Responses until a conversation with a user ends.
    pub(super) turns: u32,
    /// ReAct's steps until the response is asked for.
    pub(super) most_steps: u32,
}

/// A way to the response.
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
            executor: seat(roles, "executor")?.clone(),
            roles: roles.to_vec(),
            opening: None,
            sources: Way::Ask(DialogueFormat::Response),
            strategies: Way::Ask(DialogueFormat::Response),
            response: DialogueFormat::Response,
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
        if self.plans_evidence() { Variable::E } else { Variable::So }
    }

    /// The role of that name; fails unless it is in the cast.
    pub(super) fn role(&self, name: &str) -> Result<&RoleName, SetupError> {
        seat(&self.roles, name)
    }

    /// The role that writes in the notation.
    pub(super) fn writer(&self, notation: DialogueFormat) -> &RoleName {
        use DialogueFormat::{Modules, RewooPlan, SourcePlan, Status, Strategies, Thought};
        let name = match notation {
            Thought | Status => "thinker",
            SourcePlan | RewooPlan | Modules | Strategies => "planner",
            _ => return &self.executor,
        };
        self.role(name).unwrap_or(&self.executor)
    }
}

fn seat<'a>(roles: &'a [RoleName], name: &str) -> Result<&'a RoleName, SetupError> {
    roles
        .iter()
        .find(|role| role.as_str() == name)
        .ok_or_else(|| SetupError::at("roles", format!("there must be one named `{name}`")))
}
