//! What roles by rules do in a relay: the thinker says what is known, the planner lays out calls, has their results
//! collected when nothing is unclear any more, and then lays out the plan, each for the executor to perform.

use serde_json::{Value, json};

use super::executor_rules;
use crate::domain::{Action, Call as ToolCall, Move, MoveKind, PlanStep};
use crate::environments::travel::calls::Call;
use crate::environments::travel::request::{Attribute, Request};
use crate::environments::travel::seen::{COLLECT, PLAN, Seen};
use crate::ports::RoleFactory;
use crate::roles::by_rules;
use crate::text::joined;

/// A factory of thinkers.
pub(super) fn thinker() -> RoleFactory {
    by_rules::<Seen>(Some(MoveKind::Think), |seen, _| {
        let (request, nothing) = (super::request(seen), Request::default());
        let all = Attribute::ALL.into_iter();
        let known = all.filter(|own| request.get(*own) != nothing.get(*own));
        let known = joined(known.map(|own| own.key().replace('_', " ")));
        vec![Move::think(format!("What is known of the trip: {known}."))]
    })
}

/// The next steps: calls as long as there are some that nobody has made, but no further ones when all is clear; the
/// collection of their results; calls whose results are missing then; the plan.
pub(super) fn steps(seen: &Seen, request: &Request, missing: &[Call], plan: impl FnOnce() -> Value) -> Vec<PlanStep> {
    let is_clear = seen.unclear() == Some(false) && !seen.results().is_empty();
    let mut calls = executor_rules::calls(seen, request);
    calls.retain(|call| !seen.chain().contains(&call.canonical()));
    match seen.collected() {
        None if !is_clear && !calls.is_empty() => listed(&calls),
        None => {
            let results = seen.results().iter();
            let calls: Vec<&str> = results.map(|(call, _)| call.as_str()).collect();
            vec![own("Collect()".to_owned(), COLLECT, json!({ "calls": calls }))]
        }
        Some(_) if !missing.is_empty() => listed(missing),
        Some(_) => {
            let days = plan();
            vec![own(format!("Plan({days})"), PLAN, json!({ "plan": days }))]
        }
    }
}

fn listed(calls: &[Call]) -> Vec<PlanStep> {
    let steps = calls.iter().map(|call| PlanStep::of(call.canonical()));
    steps.collect()
}

/// A step that no call of the country's tools is.
fn own(text: String, tool: &str, arguments: Value) -> PlanStep {
    let tool = tool.to_owned();
    let call = Some(Box::new(ToolCall { tool, arguments }));
    PlanStep { action: Action { text, call }, ..PlanStep::of("") }
}
