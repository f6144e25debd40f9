//! Analyses of booking: AutoTOD's verdicts by a judge model beside the log judge's, what users did of their part, and
//! what agents speak for (ReSpAct Table 9). The categories of its Table 5 and Figure 7 are those of any world.

mod autotod;
mod behaviours;
pub(super) mod judged;
#[cfg(test)]
pub(super) mod made_up;
mod users;

use serde_json::{Value, json};

use super::score::{Part, Scope, Totals};
use crate::evaluation::Estimate;
use crate::evaluation::analyses::{OwnPart, Row, Tally};
use crate::reports::analyses::{Analyses, AnalysisEntry};
use crate::reports::{NONE, percent};

/// The parts, in the order in which they are shown.
pub(super) static ANALYSES: &[AnalysisEntry] = &[
    AnalysisEntry {
        part: OwnPart {
            name: "autotod",
            tally: || Box::<autotod::Autotod>::default(),
        },
        heading: "Inform, success and bookings",
        tables: autotod::tables,
        object: autotod::object,
        shares: None,
    },
    AnalysisEntry {
        part: OwnPart {
            name: "fidelity",
            tally: || Box::<users::Users>::default(),
        },
        heading: "What users did of their part",
        tables: users::tables,
        object: users::object,
        shares: None,
    },
    AnalysisEntry {
        part: OwnPart {
            name: "booking-behaviours",
            tally: || Box::<behaviours::Behaviours>::default(),
        },
        heading: "What travellers are spoken to for",
        tables: behaviours::tables,
        object: behaviours::object,
        shares: Some(behaviours::shares),
    },
];

/// Each row with its collection, in the order of rows.
fn played<T: Tally>(analyses: &Analyses) -> impl Iterator<Item = (&Row, &T)> {
    let rows = analyses.rows.iter();
    rows.filter_map(|row| Some((row, row.tally::<T>()?)))
}

/// Every figure that verdicts are summed up to.
fn figures() -> impl Iterator<Item = (Scope, Part)> {
    let scopes = Scope::ALL.into_iter();
    scopes.flat_map(|scope| Part::ALL.map(|part| (scope, part)))
}

/// A figure in percent, its interval, and over how many dialogues or domains it is.
fn texts(totals: &Totals, scope: Scope, part: Part) -> [String; 3] {
    let estimate = totals.estimate(scope, part);
    let (_, n) = totals.sum(scope, part);
    let ends = estimate.interval();
    let ends = ends.map(|(low, high)| format!("{}-{}", percent(low), percent(high)));
    let none = || NONE.to_owned();
    [
        estimate.value().map_or_else(none, percent),
        ends.unwrap_or_else(none),
        n.to_string(),
    ]
}

/// The figures of verdicts by what they are over and by part: `value`, `low`, `high` and `n`, or null.
fn summed(totals: &Totals) -> Value {
    let of = |scope: Scope, part: Part| match totals.estimate(scope, part) {
        Estimate::Empty => Value::Null,
        estimate => {
            let (low, high) = estimate.interval().unzip();
            json!({ "value": estimate.value(), "low": low, "high": high, "n": totals.sum(scope, part).1 })
        }
    };
    let scopes = Scope::ALL.into_iter().map(|scope| {
        let parts = Part::ALL
            .into_iter()
            .map(|part| (part.as_str(), of(scope, part)));
        (scope.as_str(), parts.collect::<Value>())
    });
    scopes.collect()
}
