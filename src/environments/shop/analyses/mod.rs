//! Analyses of shops: why ChatShop sessions fail (its Figure 2, appendix C.1), and what agents talk to shoppers for
//! (ReSpAct Table 10).

mod behaviours;
mod errors;
pub(super) mod judged;
#[cfg(test)]
pub(super) mod made_up;

use serde_json::Value;

use crate::evaluation::analyses::{OwnPart, Row, Tally};
use crate::reports::analyses::{Analyses, AnalysisEntry};

/// The parts, in the order in which they are shown.
pub(super) static ANALYSES: &[AnalysisEntry] = &[
    AnalysisEntry {
        part: OwnPart {
            name: "errors",
            tally: || Box::<errors::Errors>::default(),
        },
        heading: "Why sessions fail",
        tables: errors::tables,
        object: errors::object,
        shares: Some(errors::shares),
    },
    AnalysisEntry {
        part: OwnPart {
            name: "behaviours",
            tally: || Box::<behaviours::Behaviours>::default(),
        },
        heading: "What shoppers are spoken to for",
        tables: behaviours::tables,
        object: behaviours::object,
        shares: Some(behaviours::shares),
    },
];

/// Each row with its collection, in the order of rows.
fn played<T: Tally>(analyses: &Analyses) -> impl Iterator<Item = (&Row, &T)> {
    analyses
        .rows
        .iter()
        .filter_map(|row| Some((row, row.tally::<T>()?)))
}

/// An object with what there is of each kind.
fn by_name<T: Into<Value>>(names: &[&str], values: impl IntoIterator<Item = T>) -> Value {
    let pairs = names.iter().zip(values);
    pairs.map(|(name, value)| (*name, value.into())).collect()
}
