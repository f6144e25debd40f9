//! Executors that know all calls of a turn at once: they lay them out, or make one a step.

use super::request;
use crate::domain::{Brief, Move, MoveKind, PlanStep};
use crate::environments::travel::calls::Call;
use crate::environments::travel::request::Request;
use crate::environments::travel::seen::Seen;
use crate::ports::RoleFactory;
use crate::roles::by_rules;

/// The thought before each step.
const NEXT: &str = "The next call on my list is due.";
/// The lesson after a step that failed.
const LESSON: &str = "What one call does not find, the next one may.";

/// A factory of executors who choose their calls so by what is known of the trip.
pub(super) fn factory(calls: fn(&Request) -> Vec<Call>) -> RoleFactory {
    by_rules::<Seen>(None, move |seen, brief| vec![step(seen, brief, calls)])
}

/// What is open: the whole chain, a thought, the next call (in a relay that of the plan), or a lesson.
pub(super) fn step(seen: &Seen, brief: &Brief, calls: impl Fn(&Request) -> Vec<Call>) -> Move {
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
    let mut next = calls.iter().map(Call::canonical);
    let next = next.find(|call| !seen.chain().contains(call));
    Move::act(next.unwrap_or_else(|| Call::Finish.canonical()))
}
