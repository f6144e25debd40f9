//! Analyses of booking: AutoTOD's verdicts by a judge model beside the log judge's, the conduct of users, and the
//! agents' reasons to speak (ReSpAct Table 9). The categories of its Table 5 and Figure 7 are general ones.

mod autotod;
mod behaviours;
pub(super) mod judged;
#[cfg(test)]
pub(super) mod made_up;
mod users;

use serde_json::{Value, json};

use super::score::{Part, Scope, Totals};
use rolecall_core::evaluation::analyses::OwnPart;
use rolecall_core::reports::analyses::AnalysisEntry;
use rolecall_core::reports::{NONE, percent};

/// The parts, in the order in which they are shown.
pub(super) static ANALYSES: &[AnalysisEntry] = &[
    AnalysisEntry {
        part: OwnPart::of::<autotod::Autotod>("autotod"),
        heading: "Inform, success and bookings",
        tables: autotod::tables,
        object: autotod::object,
        shares: None,
    },
    AnalysisEntry {
        part: OwnPart::of::<users::Users>("fidelity"),
        heading: "What users did of their part",
        tables: users::tables,
        object: users::object,
        shares: None,
    },
    AnalysisEntry {
        part: OwnPart::of::<behaviours::Behaviours>("booking-behaviours"),
        heading: behaviours::PART.title,
        tables: |analyses| behaviours::PART.tables(analyses),
        object: |row| behaviours::PART.object(row),
        shares: Some(|analyses| behaviours::PART.shares(analyses)),
    },
];

/// Every score of the verdicts.
fn figures() -> impl Iterator<Item = (Scope, Part)> {
    Scope::all().flat_map(|scope| Part::ALL.map(|part| (scope, part)))
}

/// A score in a table: its scope, its part, and for each of two totals the percent, the interval, and the number of
/// dialogues or domains.
fn texts(scope: Scope, part: Part, sums: [&Totals; 2]) -> impl Iterator<Item = String> {
    let names = [scope.as_str(), part.as_str()].map(str::to_owned);
    let sums = sums.map(|totals| {
        let estimate = totals.estimate(scope, part);
        let ends = estimate.interval().map(|(low, high)| format!("{}-{}", percent(low), percent(high)));
        let (_, n) = totals.sum(scope, part);
        let texts = [estimate.value().map(percent), ends, Some(n.to_string())];
        texts.map(|text| text.unwrap_or_else(|| NONE.to_owned()))
    });
    names.into_iter().chain(sums.into_iter().flatten())
}

/// The scores of verdicts by scope and part: `value`, `low`, `high` and `n`, or null.
fn summed(totals: &Totals) -> Value {
    let of = |scope: Scope, part: Part| {
        let estimate = totals.estimate(scope, part);
        let (low, high) = estimate.interval().unzip();
        let n = totals.sum(scope, part).1;
        let value = estimate.value();
        value.map(|value| json!({ "value": value, "low": low, "high": high, "n": n }))
    };
    Scope::all()
        .map(|scope| {
            let parts = Part::ALL.map(|part| (part.as_str(), of(scope, part)));
            (scope.as_str(), Value::from_iter(parts))
        })
        .collect()
}
