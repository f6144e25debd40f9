//! The executors by rules, who know all calls of a turn at once: they lay them out, or make one a step. One makes the
//! calls that fit what was said so far, and none that is in vain: those about cities that tools refused in this turn,
//! and those that a lesson of an earlier one names.

use super::request;
use crate::calls::Call;
use crate::labels;
use crate::request::Request;
use crate::seen::Seen;
use rolecall_core::domain::{Brief, Move, MoveKind, PlanStep};
use rolecall_core::ports::RoleFactory;
use rolecall_core::roles::by_rules;

/// The thought before each step.
const NEXT: &str = "The next call on my list is due.";
/// The lesson after a step that failed.
const LESSON: &str = "What one call does not find, the next one may.";

/// A factory of executors who choose their calls so by what is known of the trip.
pub(super) fn listed(calls: fn(&Request) -> Vec<Call>) -> RoleFactory {
    by_rules::<Seen>(None, move |seen, brief| vec![step(seen, brief, calls)])
}

/// The move that is open: the whole chain, a thought, the next call (in a relay that of the plan), or a lesson.
fn step(seen: &Seen, brief: &Brief, calls: impl Fn(&Request) -> Vec<Call>) -> Move {
    let open = |kind: MoveKind| brief.open.contains(kind);
    if open(MoveKind::Learn) {
        return Move::Learn { lesson: LESSON.to_owned() };
    }
    if open(MoveKind::Think) && !open(MoveKind::Act) {
        return Move::think(NEXT);
    }
    let calls = calls(&request(seen));
    if open(MoveKind::Plan) {
        let steps = calls.iter().map(|call| PlanStep::of(call.canonical()));
        return Move::Plan { steps: steps.collect() };
    }
    if let Some(step) = seen.planned().first() {
        let action = step.clone();
        return Move::Act { action };
    }
    let next = calls.iter().map(Call::canonical).find(|call| !seen.chain().contains(call));
    Move::act(next.unwrap_or_else(|| Call::Finish.canonical()))
}

/// How a lesson about a call begins.
const IN_VAIN: &str = "It is of no use to call ";

/// A factory of these executors (registry entry `rules`).
pub(super) fn rules() -> RoleFactory {
    by_rules::<Seen>(None, |seen, brief| {
        let failed = seen.chain().last().filter(|_| brief.open.contains(MoveKind::Learn));
        vec![match failed {
            Some(call) => Move::Learn { lesson: format!("{IN_VAIN}{call}") },
            None => step(seen, brief, |request| calls(seen, request)),
        }]
    })
}

/// The calls of a turn.
pub(super) fn calls(seen: &Seen, request: &Request) -> Vec<Call> {
    let refused = refused(seen);
    let mut calls = labels::truth(request);
    calls.retain(|call| {
        let lesson = format!("{IN_VAIN}{}", call.canonical());
        !call.cities().into_iter().any(|city| refused.contains(city)) && !seen.lessons().contains(&lesson)
    });
    calls
}

/// The cities that calls of this turn failed with and none succeeded.
pub(super) fn refused(seen: &Seen) -> Vec<String> {
    let read = |text: &String| Call::read(text).ok();
    let results: Vec<Call> = seen.results().iter().filter_map(|(call, _)| read(call)).collect();
    let failed: Vec<Call> = seen.chain().iter().filter_map(read).filter(|call| !results.contains(call)).collect();
    let is_known = |city: &&String| results.iter().any(|call| call.cities().contains(city));
    failed.iter().flat_map(Call::cities).filter(|city| !is_known(city)).cloned().collect()
}
