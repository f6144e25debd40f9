//! Conclusions from a difference of success: whether a comparison may stop, and whether both sides are equivalent.

use super::Table;
use super::comparisons::{p_value, signed};
use super::figures::{or_none, range};
use super::spreads::short;
use crate::evaluation::{Bounded, Comparison, Equivalence, Sequential, Verdict};
use crate::text::counted;

/// The comparisons after every task; the last column says what to do. With a margin, a comparison may stop as well
/// because both sides are within it.
pub(super) fn sequential(rows: &[(&str, &Comparison)], margin: Option<f64>) -> Table {
    let mut table = Table::new("Looked at after every task (95 % confidence sequence, percentage points)")
        .key("")
        .numbers(["tasks", "pairs", "difference", "interval", "p at any time"])
        .numbers(["first without 0"])
        .texts(["verdict"]);
    for (name, comparison) in rows {
        let found = &comparison.sequential;
        let decided = found.decided;
        let after = decided.map(|taken| format!("after {}", counted(taken.pairs as u64, "pair", "pairs")));
        let stops = found.verdict(margin) != Verdict::Undecided;
        table.row(vec![
            (*name).to_owned(),
            found.taken.tasks.to_string(),
            found.taken.pairs.to_string(),
            or_none(found.interval.map(|interval| points(interval.value))),
            or_none(found.interval.map(|interval| ends(&interval))),
            p_value(found.p),
            or_none(after),
            if stops { "stop" } else { "go on" }.to_owned(),
        ]);
    }
    table
}

/// A sentence about each comparison after every task, and the assumptions.
pub(super) fn about_sequential(rows: &[(&str, &Comparison)], margin: Option<f64>) -> Vec<String> {
    let mut remarks: Vec<String> =
        rows.iter().map(|(name, comparison)| format!("{name}: {}", sentence(&comparison.sequential, margin))).collect();
    remarks.push(
        "looked at after every task: a task is one sample, in the order of the data set; interval and p hold \
         whenever one stops, if that order does not depend on how tasks come out (Waudby-Smith and Ramdas 2024)"
            .to_owned(),
    );
    remarks
}

fn sentence(found: &Sequential, margin: Option<f64>) -> String {
    let pairs = counted(found.taken.pairs as u64, "pair", "pairs");
    let waiting = match found.waiting {
        0 => String::new(),
        count => format!(
            "; {} for an episode before them that is not over",
            counted(count as u64, "pair waits", "pairs wait")
        ),
    };
    let says = match (found.verdict(margin), found.decided, margin) {
        (Verdict::Different, Some(taken), _) => {
            format!("stop: the interval left 0 out after {} of {pairs}", taken.pairs)
        }
        (Verdict::Equivalent, _, Some(margin)) => {
            format!("stop: the interval lies within {} points after {pairs}", short(margin * 100.0))
        }
        _ => format!("go on: nothing is decided after {pairs}"),
    };
    format!("{says}{waiting}")
}

/// Whether the sides are within the margin.
pub(super) fn equivalence(rows: &[(&str, Equivalence)]) -> Table {
    let margin = rows.first().map_or(0.0, |(_, found)| found.margin);
    let title = format!("Equivalent within {} points? (two one-sided tests)", short(margin * 100.0));
    let mut table = Table::new(&title).key("").numbers(["90 % interval", "p"]).texts(["verdict"]);
    for (name, found) in rows {
        table.row(vec![
            (*name).to_owned(),
            range(found.interval, points),
            p_value(found.p),
            found.verdict.word().to_owned(),
        ]);
    }
    table
}

/// The explanation of that table.
pub(super) const ABOUT_EQUIVALENCE: &str = "equivalent: the 90 % interval lies within the margin (Schuirmann 1987), \
     whether the difference is 0 or not; different: it is not 0 (p below 0.05) and may be beyond the margin; \
     undecided: neither is known";

/// The table of a page on stopping and equivalence. A margin that nobody chose is the least one that would do.
pub(super) fn both(rows: &[(String, &Comparison)]) -> Table {
    let mut table = Table::new("Stopping early, and equivalence (percentage points)")
        .key("cells")
        .numbers(["tasks", "interval at any time", "p at any time", "0 left out after"])
        .numbers(["90 % interval", "equivalent within"]);
    for (name, comparison) in rows {
        let found = &comparison.sequential;
        let alike = comparison.equivalence(0.0).map(|found| found.interval);
        let decided = found.decided.map(|taken| counted(taken.pairs as u64, "pair", "pairs"));
        table.row(vec![
            name.clone(),
            found.taken.tasks.to_string(),
            or_none(found.interval.map(|interval| ends(&interval))),
            p_value(found.p),
            or_none(decided),
            or_none(alike.map(|ends| range(ends, points))),
            or_none(alike.map(|(low, high)| format!("{:.1}", low.abs().max(high.abs()) * 100.0))),
        ]);
    }
    table
}

fn ends(found: &Bounded) -> String {
    range((found.low, found.high), points)
}

fn points(share: f64) -> String {
    signed(share * 100.0, 1)
}
