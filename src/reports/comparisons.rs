//! Cells compared over the same tasks, as tables.

use super::figures::NONE;
use super::{Align, Report, Table};
use crate::evaluation::Comparison;

/// What is compared with what.
pub(super) fn name(comparison: &Comparison) -> String {
    format!("{} − {}", comparison.second, comparison.first)
}

/// A p value.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.0001 {
        return "< 0.0001".to_owned();
    }
    format!("{p:.4}")
}

/// A number with its sign.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    // A difference that is rounded away has no sign.
    if text.trim_start_matches(['+', '-']).parse() == Ok(0.0) {
        return text[1..].to_owned();
    }
    text
}

/// The differences of success, in percentage points.
pub(super) fn success(report: &Report<'_>) -> Table {
    let mut table = Table::new("Difference of success (percentage points)").key("cells");
    for head in ["pairs", "both", "only first", "only second", "neither"] {
        table = table.column(head, Align::Right);
    }
    for head in ["difference", "95 % interval", "McNemar p"] {
        table = table.column(head, Align::Right);
    }
    for comparison in &report.comparisons {
        let solved = &comparison.solved;
        // The name has the second cell first, as the difference does.
        let mut texts = vec![name(comparison), solved.pairs().to_string()];
        let counts = [solved.both, solved.second, solved.first, solved.neither];
        texts.extend(counts.map(|count| count.to_string()));
        let points = |share: f64| signed(share * 100.0, 1);
        texts.extend(match comparison.success {
            Some(found) => [
                points(found.value),
                format!("{} to {}", points(found.low), points(found.high)),
            ],
            None => [NONE.to_owned(), NONE.to_owned()],
        });
        texts.push(p_value(comparison.p));
        table.row(texts);
    }
    table
}

/// The differences of steps.
pub(super) fn steps(report: &Report<'_>) -> Table {
    let mut table = Table::new("Difference of steps").key("cells");
    for head in ["pairs", "first", "second", "difference", "95 % interval"] {
        table = table.column(head, Align::Right);
    }
    for comparison in &report.comparisons {
        let difference = &comparison.steps_difference;
        let (first, second) = comparison.steps;
        let value = difference.value().map(|value| signed(value, 2));
        let ends = difference.interval();
        let ends = ends.map(|(low, high)| format!("{} to {}", signed(low, 2), signed(high, 2)));
        table.row(vec![
            name(comparison),
            comparison.solved.pairs().to_string(),
            format!("{second:.2}"),
            format!("{first:.2}"),
            value.unwrap_or_else(|| NONE.to_owned()),
            ends.unwrap_or_else(|| NONE.to_owned()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_shown_unless_there_is_nothing() {
        assert_eq!(signed(12.34, 1), "+12.3");
        assert_eq!(signed(-0.5, 2), "-0.50");
        assert_eq!(signed(-0.001, 2), "0.00");
        assert_eq!(p_value(0.000_099), "< 0.0001");
        assert_eq!(p_value(0.031_25), "0.0312");
    }
}
