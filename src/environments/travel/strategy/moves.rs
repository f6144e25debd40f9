//! What moves of the roles say, and the calls that become of them.

use serde_json::{Value, json};

use crate::domain::{Action, Call, Move};
use crate::environments::travel::seen::{COLLECT, COST, PLAN};
use crate::text::python::literal;

/// A call of a tool, written so.
pub(super) fn called(text: String, tool: &str, arguments: Value) -> Action {
    let tool = tool.to_owned();
    Action { text, call: Some(Box::new(Call { tool, arguments })) }
}

/// An enquiry of costs in Reflexion's way, which is told less of what is wrong.
pub(super) fn strict(mut action: Action) -> Action {
    let inside = || action.text.strip_prefix(COST)?.strip_prefix('(')?.strip_suffix(')');
    if let Some(subplan) = inside().and_then(literal) {
        let arguments = json!({ "subplan": subplan, "variant": "reflexion" });
        action = called(action.text, COST, arguments);
    }
    action
}

/// An action of an executor, who can neither deliver a plan nor open the planning: what looks so is no tool.
pub(super) fn of_executor(action: Action) -> Action {
    let tool = action.call.as_deref().map(|call| call.tool.as_str());
    match tool {
        Some(COLLECT | PLAN) => called(action.text, "", Value::Null),
        None if action.text.trim_start().starts_with("Plan(") => called(action.text, "", Value::Null),
        _ => action,
    }
}

/// The calls of a move in a chain.
pub(super) fn calls(made: Move) -> Vec<Action> {
    match made {
        Move::Plan { steps } => steps.into_iter().map(|step| step.action).collect(),
        Move::Act { action } => vec![action],
        _ => Vec::new(),
    }
}

/// The words of a thought.
pub(super) fn thought(made: &Move) -> Option<&str> {
    match made {
        Move::Think { text } => Some(text),
        _ => None,
    }
}

/// The words of a lesson.
pub(super) fn lesson(made: &Move) -> Option<&str> {
    match made {
        Move::Learn { lesson } => Some(lesson),
        _ => None,
    }
}

/// What is said to the user.
pub(super) fn spoken(made: &Move) -> Option<&str> {
    match made {
        Move::Speak { text, .. } => Some(text),
        _ => None,
    }
}
