//! P values that are adjusted for how many tests there are.

use super::Family;
use rolecall_core::evaluation::holm;
use rolecall_core::reports::ComparisonRow;

/// Adjusts the p values of a family of tests (Holm's way).
pub(super) fn adjust(rows: &mut [ComparisonRow<'_>], family: Family) {
    if family == Family::Rows {
        let p: Vec<f64> = rows.iter().map(|row| row.comparison.p).collect();
        for (row, adjusted) in rows.iter_mut().zip(holm(&p)) {
            row.adjusted = adjusted;
        }
        return;
    }
    // Of success where it says enough, and of figures that differ at all.
    let tests = |row: &ComparisonRow<'_>| -> Vec<f64> {
        let success = row.measures.is_empty().then_some(row.comparison.p);
        let means = row.shown_means().into_iter().map(|found| found.p);
        let corpus = row.corpus.iter().filter_map(|found| found.p);
        success.into_iter().chain(means).chain(corpus).collect()
    };
    let all: Vec<f64> = rows.iter().flat_map(tests).collect();
    let mut adjusted = holm(&all).into_iter();
    for row in rows {
        if row.measures.is_empty() {
            row.adjusted = adjusted.next().unwrap_or(1.0);
        }
        let means = row.shown_means().len();
        let corpus = row.corpus.iter().filter(|found| found.p.is_some()).count();
        row.adjusted_means = adjusted.by_ref().take(means).collect();
        row.adjusted_corpus = adjusted.by_ref().take(corpus).collect();
    }
}
