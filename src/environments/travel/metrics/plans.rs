//! What a plan came to, as its score tells of it.

use serde_json::Value;

use crate::environments::travel::request::Request;
use crate::environments::travel::score::{Commonsense, Hard};

/// A plan that was to be delivered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Planned {
    /// Whether one was.
    pub(super) delivered: bool,
    /// As the original program judges it.
    pub(super) reference: Judged,
    /// As the constraints are worded.
    pub(super) worded: Judged,
}

/// A judged plan. One that was not delivered meets nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    /// Which constraints of common sense are met.
    pub(super) commonsense: [bool; 8],
    /// Which constraints of the request are met; none of those that it does not have.
    pub(super) hard: [Option<bool>; 4],
    /// How many of the request are met, of how many that count.
    pub(super) hard_of: (u64, u64),
    /// Whether all of the request are.
    pub(super) fits: bool,
    /// Whether the plan passes.
    pub(super) passes: bool,
}

impl Planned {
    /// What a score tells of the plan for a request of this level.
    pub(super) fn of(level: &str, request: &Request, detail: &Value) -> Self {
        Self {
            delivered: detail["delivered"] == true,
            reference: Judged::of(request, &detail["reference"], |own| own.is_expected(level)),
            worded: Judged::of(request, &detail["worded"], |_| true),
        }
    }
}

impl Judged {
    fn of(request: &Request, verdict: &Value, counts: impl Fn(Hard) -> bool) -> Self {
        let is_met = |part: &str, key: &str| verdict[part][key][0] == true;
        let hard = Hard::ALL.map(|constraint| {
            let is_met = || is_met("hard", constraint.key());
            constraint.is_of(request).then(is_met)
        });
        let of_request = Hard::ALL.into_iter().filter(|own| own.is_of(request));
        let counted = of_request.filter(|own| counts(*own)).count();
        let met = hard.iter().filter(|met| **met == Some(true)).count();
        Self {
            commonsense: Commonsense::ALL.map(|constraint| is_met("commonsense", constraint.key())),
            fits: met == hard.iter().flatten().count(),
            hard,
            hard_of: (met as u64, counted as u64),
            passes: verdict["final"] == true,
        }
    }
}
