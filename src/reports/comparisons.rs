//! Cells compared over the same tasks, as tables.

use super::Table;
use super::figures::{money, or_none, percent, range};
use crate::evaluation::{Comparison, MeanDifference};

/// The names of both sides, as a difference.
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
pub(super) fn success(comparisons: &[Comparison]) -> Table {
    let names: Vec<String> = comparisons.iter().map(name).collect();
    let table = Table::new("Difference of success (percentage points)").key("cells");
    let rows = names.iter().zip(comparisons);
    let rows: Vec<_> = rows.map(|(name, one)| (name.as_str(), one)).collect();
    success_of(table, ["only first", "only second"], &rows, &[])
}

/// Fills a table with the differences of success; `only` heads the tasks that only one side solved,
/// the second side first, as in a difference. There is a further column if there are several
/// adjusted p values.
pub(super) fn success_of(
    mut table: Table,
    only: [&str; 2],
    rows: &[(&str, &Comparison)],
    adjusted: &[f64],
) -> Table {
    let repeated = rows.iter().any(|(_, one)| one.is_repeated());
    let several = adjusted.len() > 1;
    let test = if repeated { "p by task" } else { "McNemar p" };
    table = table
        .numbers(["pairs"])
        .numbers(repeated.then_some("tasks"))
        .numbers(["both", only[0], only[1], "neither"])
        .numbers(["difference", "95 % interval", test])
        .numbers(several.then_some("adjusted p"));
    for (place, (name, comparison)) in rows.iter().enumerate() {
        let solved = &comparison.solved;
        let mut texts = vec![(*name).to_owned(), solved.pairs().to_string()];
        texts.extend(repeated.then(|| comparison.tasks.to_string()));
        let counts = [solved.both, solved.second, solved.first, solved.neither];
        texts.extend(counts.map(|count| count.to_string()));
        let points = |share: f64| signed(share * 100.0, 1);
        let found = comparison.success;
        texts.push(or_none(found.map(|found| points(found.value))));
        let ends = found.map(|found| (found.low, found.high));
        texts.push(or_none(ends.map(|ends| range(ends, points))));
        texts.push(p_value(comparison.p));
        texts.extend(adjusted.get(place).filter(|_| several).map(|p| p_value(*p)));
        table.row(texts);
    }
    table
}

/// The differences of steps.
pub(super) fn steps(comparisons: &[Comparison]) -> Table {
    let table = Table::new("Difference of steps").key("cells");
    let mut table = table.numbers(["pairs", "first", "second", "difference", "95 % interval"]);
    for comparison in comparisons {
        let mut found = comparison.means.iter();
        if let Some(found) = found.find(|found| found.metric == "steps") {
            let mut texts = vec![name(comparison)];
            texts.extend(means(found));
            table.row(texts);
        }
    }
    table
}

/// Number of pairs, the means of the first named and of the other, their difference and its interval.
pub(super) fn means(found: &MeanDifference) -> [String; 5] {
    let plain = |value: f64| match found.metric.as_str() {
        "cost" => money(value),
        _ if found.is_rate => percent(value),
        _ => format!("{value:.2}"),
    };
    let with_sign = |value: f64| match found.metric.as_str() {
        "cost" if value > 0.0 => format!("+{}", money(value)),
        "cost" => money(value),
        _ if found.is_rate => signed(value * 100.0, 1),
        _ => signed(value, 2),
    };
    let difference = &found.difference;
    let ends = difference.interval().map(|ends| range(ends, with_sign));
    [
        difference.n().to_string(),
        plain(found.second),
        plain(found.first),
        or_none(difference.value().map(with_sign)),
        or_none(ends),
    ]
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
