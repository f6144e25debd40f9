//! Dialogue with conceptual tools: TPE and the methods that it is compared with (TPE sections 3 and 4.2;
//! `docs/dialogue.md`). A task gives either knowledge sources, which are asked before the response is
//! made, or strategies, which the response is made of. One fold plays all; a method is a line of
//! this table:
//!
//! | strategy | before | with sources | with strategies |
//! |---|---|---|---|
//! | `cot` | | every source with the context, then reasoning and the response | reasoning and the response |
//! | `few-shot` | | the same without reasoning | the response |
//! | `react` | | one source or the response at a time | one strategy at a time |
//! | `cue-cot` | the user's status | the response | the response |
//! | `chameleon` | | a list of sources, each asked with the context, then the response | a list of strategies, then what each says |
//! | `rewoo` | | a plan with variables, what it finds, then the response | the response |
//! | `tpe` | a thought | as `rewoo`, with the thought in each query | plan and words in one answer, or a plan and then what each strategy says |
//!
//! The paper does not run `cue-cot` with sources nor `rewoo` with strategies; here the first leaves the
//! sources alone and the second has nothing to plan. A task that gives neither sources nor strategies
//! is played as one whose strategies are free.
//!
//! No answer is an error. A step that asks a source which the task does not have is left out (ReAct's is
//! performed, so that the world says so), a reference to what is not bound stands for nothing, a plan
//! of which nothing is left leads to the response, and a role that answers without a response where
//! only one is open ends the trial with none, which is still scored.

mod brief;
mod method;
mod mind;
mod plan;
mod play;

#[cfg(test)]
mod methods_tests;
#[cfg(test)]
mod played_tests;
#[cfg(test)]
mod talks_tests;

use std::sync::Arc;

use crate::formats::DialogueFormat;
use rolecall_core::domain::RoleName;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Earlier, Parameter, Parameters, SetupError, StrategyFactory};

use method::{Method, Way};
use play::Play;

/// Responses until a conversation ends.
const TURNS: Parameter =
    Parameter::integer("turns", Some(10), 1..=10_000, "with a user: responses until the conversation ends");

/// The parameters of most strategies of dialogue.
pub const PARAMETERS: &[Parameter] = &[TURNS];

/// The parameters of `cot`.
pub const COT_PARAMETERS: &[Parameter] = &[
    Parameter::flag(REASONS, true, "the executor reasons in writing before it responds; false: as `few-shot`")
        .before(Earlier::Flag(false)),
    TURNS,
];

/// Setting for recorded runs from before `cot` reasoned.
const REASONS: &str = "reasons";

/// The parameters of `react`.
pub const REACT_PARAMETERS: &[Parameter] = parameters![
    integer("most_steps", Some(8), 1..=10_000),
        "steps before the executor is asked, once, for the response";
    => TURNS
];

/// The parameters of `tpe`.
pub const TPE_PARAMETERS: &[Parameter] = parameters![
    roles("cast", &["thinker", "planner", "executor"]),
        "who takes part: the executor, and the thinker and planner or not";
    flag("status", true), "the thinker's thought is part of every query";
    => TURNS
];

/// The roles of TPE.
const TPE_ROLES: [&str; 3] = ["thinker", "planner", "executor"];

/// Builds `cot`: one call for reasoning and response, after every source was asked with the context (section
/// 4.2).
pub fn cot(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    if !parameters.flag(REASONS) {
        return few_shot(roles, parameters);
    }
    with(&[], roles, parameters, |method| {
        method.response = DialogueFormat::ReasonedResponse;
        method.sources = Way::EverySource;
        method.strategies = Way::Ask(method.response);
    })
}

/// Builds `few-shot`: as `cot`, but for the response at once.
pub fn few_shot(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    with(&[], roles, parameters, |method| method.sources = Way::EverySource)
}

/// Builds `react`: thought, action and observation in turn (Tables 16 and 17).
pub fn react(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    with(&[], roles, parameters, |method| {
        method.sources = Way::Ask(DialogueFormat::ReactSource);
        method.strategies = Way::Ask(DialogueFormat::ReactStrategy);
    })
}

/// Builds `cue-cot`: the user's status first, then the response.
pub fn cue_cot(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    with(&["thinker"], roles, parameters, |method| {
        method.opening = Some(DialogueFormat::Status);
    })
}

/// Builds `chameleon`: a list of modules, then each of them (Tables 13 to 15).
pub fn chameleon(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    with(&["planner"], roles, parameters, |method| {
        method.sources = Way::Ask(DialogueFormat::Modules);
        method.strategies = Way::Ask(DialogueFormat::Strategies);
        method.independent = true;
    })
}

/// Builds `rewoo`: a plan with variables, then its solver with all the evidence (Table 18).
pub fn rewoo(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    with(&["planner"], roles, parameters, |method| {
        method.sources = Way::Ask(DialogueFormat::RewooPlan);
    })
}

/// A method that needs these roles besides the executor, changed from the one that only asks for the response.
fn with(
    needed: &[&str],
    roles: &[RoleName],
    parameters: &Parameters,
    change: impl FnOnce(&mut Method),
) -> Result<StrategyFactory, SetupError> {
    let mut method = Method::new(roles, parameters)?;
    for name in needed {
        method.role(name)?;
    }
    change(&mut method);
    Ok(built(method))
}

/// Builds `tpe`: Thinker, Planner and Executor (section 3; Tables 20 and 21). Without a planner in the
/// cast every source is asked with the context, and plan and words for strategies are one answer.
pub fn tpe(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    let cast = parameters.roles("cast");
    if let Some(other) = cast.iter().find(|role| !TPE_ROLES.contains(&role.as_str())) {
        let problem = format!("`{other}` has no part in it; allowed are {}", TPE_ROLES.join(", "));
        return Err(SetupError::at("cast", problem));
    }
    for (place, role) in cast.iter().enumerate() {
        if cast.iter().take(place).any(|other| other == role) {
            let problem =
                format!("`{role}` is named twice; name each role once, since it has its turn where the method has it");
            return Err(SetupError::at("cast", problem));
        }
    }
    let mut method = Method::new(roles, parameters).map_err(|error| SetupError::at("cast", error.problem))?;
    method.opening = method.role("thinker").ok().map(|_| DialogueFormat::Thought);
    if method.role("planner").is_ok() {
        method.sources = Way::Ask(DialogueFormat::SourcePlan);
        method.strategies = Way::Ask(DialogueFormat::Strategies);
    } else {
        method.sources = Way::EverySource;
        method.strategies = Way::Ask(DialogueFormat::PlanDo);
    }
    method.thought_in_queries = parameters.flag("status");
    Ok(built(method))
}

fn built(method: Method) -> StrategyFactory {
    let method = Arc::new(method);
    Arc::new(move || Box::new(Play::new(Arc::clone(&method))))
}
