//! The strategy `cep`: execute, judge, ask or plan (Ask-before-Plan section 4).
//!
//! In each turn the executor calls tools, all at once or one a step; the clarifier judges whether something is missing
//! or cannot be met, and asks; the user's answer opens the next turn. When nothing is asked, the planner plans with
//! all that the last turn's calls found, and the world judges the plan.
//!
//! | `mode` | when the next turn comes |
//! |---|---|
//! | `all` | after a question that was answered |
//! | `clarify` | after the next question of the data set, whatever the clarifier says: each turn is as the data set has it |
//! | `base` | never |

mod brief;
mod play;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::Deserialize;

use super::steps::Limits;
use play::Play;
use rolecall_core::domain::RoleName;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, Parameters, SetupError, StrategyFactory};

/// The roles, in the order of their turns.
pub const ROLES: &[&str] = &["executor", "clarifier", "planner"];

/// The parameters of the strategy.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("mode", &["all", "clarify", "base"]),
        "when the user is asked: as the clarifier says, in each turn what the data set asks, or never (the paper's \
            integral framework)";
    integer("turns", Some(10), 1..=100), "the most turns of executor and clarifier; after the last one nobody asks";
    choice("execution", &["static", "dynamic"]), "the executor lays out all calls at once, or makes one a step";
    flag("reflection", false), "after a call that failed, the executor writes down a lesson (Reflexion)";
    choice("memory", &["cleared", "carried"]),
        "what becomes of lessons in the next turn: carried is the paper's memory recollection";
    choice("actions", &["text", "tools"]), "how the executor calls: in words, or by calls of tools";
    choice("clarification", &["judge", "once"]),
        "the clarifier judges first and is then asked for its question (Direct, CEP), or says both at once (Proactive, \
            ProCoT)";
    choice("planning", &["direct", "react", "reflexion"]),
        "the planner writes the plan at once, or calculates costs step by step, with lessons after three failures in \
            a row";
    flag("plans", true), "there is a plan in the end; without, the episode is about the turns before it";
    integer("steps", Some(30), 1..=1_000), "the most steps of a turn's executor, and of a planner who goes step by step";
    integer("repeats", Some(3), 1..=1_000), "how often the same call may be made in these steps";
    integer("retries", Some(3), 1..=1_000),
        "how often in a row a tool may fail in an executor's steps before a further call of it ends them";
    integer("planner_steps", Some(60), 0..=10_000), "the most searches and enquiries of a planner who plans at once";
];

/// Builds `cep`.
pub fn build(roles: &[RoleName], parameters: &Parameters) -> Result<StrategyFactory, SetupError> {
    let [executor, clarifier, planner] = roles else {
        let problem = "this strategy takes an executor, a clarifier and a planner";
        return Err(SetupError::at("roles", problem));
    };
    let limits = Limits {
        steps: parameters.whole("steps").unwrap_or(30),
        repeats: parameters.whole("repeats").unwrap_or(3),
        failures: Some(parameters.whole("retries").unwrap_or(3)),
    };
    let rules = Arc::new(Rules {
        executor: executor.clone(),
        clarifier: clarifier.clone(),
        planner: planner.clone(),
        mode: parameters.choice("mode"),
        turns: parameters.whole("turns").unwrap_or(10),
        dynamic: parameters.text("execution") == Some("dynamic"),
        reflects: parameters.flag("reflection"),
        carries: parameters.text("memory") == Some("carried"),
        tools: parameters.text("actions") == Some("tools"),
        once: parameters.text("clarification") == Some("once"),
        planning: parameters.choice("planning"),
        plans: parameters.flag("plans"),
        limits,
        planner_steps: parameters.whole("planner_steps").unwrap_or(60),
    });
    Ok(Arc::new(move || Box::new(Play::new(Arc::clone(&rules)))))
}

/// When the user is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    All,
    Clarify,
    Base,
}

/// How the planner works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Planning {
    #[default]
    Direct,
    React,
    Reflexion,
}

/// The rules that all episodes share.
struct Rules {
    executor: RoleName,
    clarifier: RoleName,
    planner: RoleName,
    mode: Mode,
    turns: u32,
    dynamic: bool,
    reflects: bool,
    carries: bool,
    tools: bool,
    once: bool,
    planning: Planning,
    plans: bool,
    limits: Limits,
    planner_steps: u32,
}
