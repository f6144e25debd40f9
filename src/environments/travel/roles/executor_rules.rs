//! The executor who makes the calls that fit what was said so far, and none that is in vain: those about cities that
//! tools refused in this turn, and those that a lesson of an earlier one names.

use super::execute;
use crate::domain::{Move, MoveKind};
use crate::environments::travel::calls::Call;
use crate::environments::travel::labels;
use crate::environments::travel::request::Request;
use crate::environments::travel::seen::Seen;
use crate::ports::RoleFactory;
use crate::roles::by_rules;

/// How a lesson about a call begins.
const LESSON: &str = "It is of no use to call ";

/// A factory of these executors (registry entry `rules`).
pub(super) fn factory() -> RoleFactory {
    by_rules::<Seen>(None, |seen, brief| {
        let failed = seen.chain().last().filter(|_| brief.open.contains(MoveKind::Learn));
        vec![match failed {
            Some(call) => Move::Learn { lesson: format!("{LESSON}{call}") },
            None => execute::step(seen, brief, |request| calls(seen, request)),
        }]
    })
}

/// The calls of a turn.
pub(super) fn calls(seen: &Seen, request: &Request) -> Vec<Call> {
    let refused = refused(seen);
    let mut calls = labels::truth(request);
    calls.retain(|call| {
        let lesson = format!("{LESSON}{}", call.canonical());
        !cities(call).iter().any(|city| refused.contains(&(*city).to_owned())) && !seen.lessons().contains(&lesson)
    });
    calls
}

/// The cities that calls of this turn failed with and none succeeded.
pub(super) fn refused(seen: &Seen) -> Vec<String> {
    let read = |text: &String| Call::read(text).ok();
    let results: Vec<Call> = seen.results().iter().filter_map(|(call, _)| read(call)).collect();
    let made = seen.chain().iter().filter_map(read);
    let failed: Vec<Call> = made.filter(|call| !results.contains(call)).collect();
    let is_known = |city: &&str| results.iter().any(|call| cities(call).contains(city));
    let unknown = failed.iter().flat_map(cities).filter(|city| !is_known(city));
    unknown.map(str::to_owned).collect()
}

/// The cities that a call names.
fn cities(call: &Call) -> Vec<&str> {
    match call {
        Call::Accommodation { city, .. } | Call::Restaurant { city, .. } | Call::Attraction { city } => vec![city],
        Call::Distance { origin, destination, .. } | Call::Flight { origin, destination, .. } => {
            vec![origin, destination]
        }
        Call::Budget { origin, destinations, .. } => {
            let destinations = destinations.iter().map(String::as_str);
            destinations.chain([origin.as_str()]).collect()
        }
        Call::Finish => Vec::new(),
    }
}
