//! The differences between the methods, and the briefs of their roles.

use super::mind::Mind;
use super::plan;
use super::task::Given;
use crate::domain::{Brief, DialogueAct, InvalidName, MoveKind, MoveKinds, RoleName, Section};
use crate::environments::dialogue::formats::DialogueFormat;
use crate::environments::dialogue::language::Variable;
use crate::ports::{Parameters, SetupError};

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
        match self.plans_evidence() {
            true => Variable::E,
            false => Variable::So,
        }
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
    let found = roles.iter().find(|role| role.as_str() == name);
    found.ok_or_else(|| SetupError::at("roles", format!("there must be one named `{name}`")))
}

/// The notice for ReAct's executor when its steps are used up.
const LAST: &str = "No further step is open: end now with the response.";

/// The brief for an answer in the notation.
pub(super) fn brief(
    notation: DialogueFormat,
    method: &Method,
    given: &Given,
    mind: &Mind,
) -> Result<Brief, InvalidName> {
    use DialogueFormat::{ReactSource, ReactStrategy};
    let react = matches!(notation, ReactSource | ReactStrategy);
    let used_up = react && mind.steps >= method.most_steps;
    Ok(Brief {
        open: open(notation),
        several: react || notation == DialogueFormat::PlanDo,
        acts: acts(notation, given, mind).into(),
        notation: Some(notation.notation()?),
        notice: used_up.then(|| LAST.into()),
        sections: sections(notation, method, mind).into(),
        ..Brief::default()
    })
}

/// The open moves; strategies may be planned before they speak, and whoever cannot answer may always finish
/// without an answer.
fn open(notation: DialogueFormat) -> MoveKinds {
    let mut open: Vec<MoveKind> = notation.answers().into();
    open.push(MoveKind::Finish);
    if notation.speaks_by_many() {
        open.push(MoveKind::Plan);
    }
    open.into()
}

/// The strategies that may speak.
fn acts(notation: DialogueFormat, given: &Given, mind: &Mind) -> Vec<DialogueAct> {
    match notation {
        DialogueFormat::SubResponse => mind.to_speak.front().cloned().into_iter().collect(),
        notation if notation.speaks_by_many() => given.strategies.clone(),
        _ => Vec::new(),
    }
}

fn sections(notation: DialogueFormat, method: &Method, mind: &Mind) -> Vec<Section> {
    let one_by_one = notation == DialogueFormat::SubResponse;
    let follows_plan = one_by_one && !method.independent;
    let solves = notation == DialogueFormat::Response && method.plans_evidence();
    let strategy = mind.to_speak.front().filter(|_| one_by_one);
    let strategy = strategy.map_or_else(String::new, ToString::to_string);
    let plan = (follows_plan || solves).then(|| plan::lines(&mind.plan));
    let sections = [
        ("thought", mind.thought.trim().to_owned()),
        ("plan", plan.unwrap_or_default()),
        ("knowledge", mind.knowledge.join("\n")),
        ("strategy", strategy),
        ("scratchpad", mind.scratchpad.join("\n")),
    ];
    let sections = sections.into_iter().filter(|(_, text)| !text.is_empty());
    let sections = sections.map(|(name, text)| Section {
        name: name.to_owned(),
        text,
    });
    sections.collect()
}
