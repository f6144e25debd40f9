//! Analyses of shops: why ChatShop sessions fail (its Figure 2, appendix C.1), and what agents talk to shoppers for
//! (ReSpAct Table 10).

mod behaviours;
mod errors;
pub(super) mod judged;
#[cfg(test)]
pub(super) mod made_up;

use rolecall_core::evaluation::analyses::OwnPart;
use rolecall_core::reports::analyses::AnalysisEntry;

/// The parts, in the order in which they are shown.
pub(super) static ANALYSES: &[AnalysisEntry] = &[
    AnalysisEntry {
        part: OwnPart::of::<errors::Errors>("errors"),
        heading: "Why sessions fail",
        tables: errors::tables,
        object: errors::object,
        shares: Some(errors::shares),
    },
    AnalysisEntry {
        part: OwnPart::of::<behaviours::Behaviours>("behaviours"),
        heading: behaviours::PART.title,
        tables: |analyses| behaviours::PART.tables(analyses),
        object: |row| behaviours::PART.object(row),
        shares: Some(|analyses| behaviours::PART.shares(analyses)),
    },
];
