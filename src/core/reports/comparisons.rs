//! Cells compared over the same tasks, as tables.

use super::figures::{money, or_none, range, scale};
use super::report::STEPS;
use super::{Report, Table};
use crate::evaluation::{Comparison, MeanDifference, Summary};
use crate::text::joined;

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

/// The differences of success, where there are tasks of which it says enough; else a table without rows.
pub(super) fn success_if(summary: &Summary, comparisons: &[Comparison]) -> Table {
    let shown = if summary.success_counts() { comparisons } else { &[] };
    success(shown)
}

/// The differences of the measures of task types. Without such measures the table has no rows.
pub(super) fn measures(comparisons: &[Comparison]) -> Table {
    let mut table =
        Table::new("Differences of measures").keys_of(["cells", "measure"]).numbers(means_heads("first", "second"));
    for comparison in comparisons {
        for found in comparison.means.iter().filter(|found| found.metric != STEPS) {
            let mut texts = vec![name(comparison), metric_name(found)];
            texts.extend(means(found));
            table.row(texts);
        }
    }
    table
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
pub(super) fn success_of(mut table: Table, only: [&str; 2], rows: &[(&str, &Comparison)], adjusted: &[f64]) -> Table {
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
    let mut table = Table::new("Difference of steps").key("cells").numbers(means_heads("first", "second"));
    for comparison in comparisons {
        let mut found = comparison.means.iter();
        if let Some(found) = found.find(|found| found.metric == STEPS) {
            let mut texts = vec![name(comparison)];
            texts.extend(means(found));
            table.row(texts);
        }
    }
    table
}

/// The heads of [`means`].
pub(super) fn means_heads<'a>(other: &'a str, base: &'a str) -> [&'a str; 6] {
    ["pairs", other, base, "difference", "95 % interval", "p"]
}

/// Number of pairs, the means of the first named and of the other, their difference, its interval and p
/// value.
pub(super) fn means(found: &MeanDifference) -> [String; 6] {
    let form = Form::of(found);
    let ends = found.interval().map(|ends| range(ends, |end| form.signed(end)));
    let difference = &found.difference;
    [
        difference.n().to_string(),
        form.unsigned(found.second),
        form.unsigned(found.first),
        or_none(difference.value().map(|value| form.signed(value))),
        or_none(ends),
        p_value(found.p),
    ]
}

/// The form in which the figures of a difference are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    Money,
    /// A factor and a number of decimals.
    Number(f64, usize),
}

/// The decimals with which two digits of a number are seen, at most six.
pub(super) fn places(number: f64) -> usize {
    (1.0 - number.log10().floor()).clamp(0.0, 6.0) as usize
}

impl Form {
    fn of(found: &MeanDifference) -> Self {
        let ends = found.interval();
        let scale = scale(&found.metric);
        match found.metric.as_str() {
            "cost" => Self::Money,
            _ if found.is_rate => Self::Number(100.0, 1),
            _ => Self::scaled(scale, ends.map(|(low, high)| high - low)),
        }
    }

    /// With as many decimals as it takes to see two digits of the interval's half width: at least two.
    pub(super) fn scaled(scale: f64, width: Option<f64>) -> Self {
        let half = width.map_or(1.0, |width| scale * width / 2.0);
        Self::Number(scale, places(half).max(2))
    }

    pub(super) fn unsigned(self, value: f64) -> String {
        match self {
            Self::Money => money(value),
            Self::Number(scale, places) => format!("{:.places$}", value * scale),
        }
    }

    /// With its sign.
    pub(super) fn signed(self, value: f64) -> String {
        match self {
            Self::Money if value > 0.0 => format!("+{}", money(value)),
            Self::Money => money(value),
            Self::Number(scale, places) => signed(value * scale, places),
        }
    }
}

/// A metric's name with its unit, where it has one.
pub(super) fn metric_name(found: &MeanDifference) -> String {
    let unit = match found.is_rate {
        true => " (%)",
        false if scale(&found.metric) > 1.0 => " (x 100)",
        false => "",
    };
    format!("{}{unit}", found.metric)
}

/// A p value below this is called clear.
const LEVEL: f64 = 0.05;

/// Whether an interval and a p value disagree about a difference.
pub(super) fn disagree(interval: Option<(f64, f64)>, p: f64) -> bool {
    interval.is_some_and(|(low, high)| (low > 0.0 || high < 0.0) != (p < LEVEL))
}

/// Disagreements in a report; of success only where it counts.
pub(super) fn disagreements_of(report: &Report<'_>) -> Vec<String> {
    let names: Vec<String> = report.comparisons.iter().map(name).collect();
    let rows = names.iter().map(String::as_str).zip(&report.comparisons);
    disagreements(&rows.collect::<Vec<_>>(), report.summary.success_counts())
}

/// A sentence for each comparison of success whose interval and p value disagree, and one for its means that
/// do.
pub(super) fn disagreements(rows: &[(&str, &Comparison)], of_success: bool) -> Vec<String> {
    let mut found = Vec::new();
    for (name, one) in rows.iter().filter(|_| of_success) {
        let ends = one.success.map(|success| (success.low, success.high));
        if disagree(ends, one.p) {
            let (says, but) = match one.p < LEVEL {
                true => ("has 0 in it", "is below 0.05"),
                false => ("leaves 0 out", "is not below 0.05"),
            };
            let test = match one.is_repeated() {
                true => "p is exact, over the signs of whole tasks",
                false => "McNemar's p is exact",
            };
            found.push(format!(
                "{name}: the interval of success {says}, and p ({}) {but}: the interval is Newcombe's \
                 approximation, {test}; go by p",
                p_value(one.p)
            ));
        }
    }
    for (name, one) in rows {
        let apart = one.means.iter().filter(|difference| disagree(difference.interval(), difference.p));
        let apart = joined(apart.map(|difference| difference.metric.as_str()));
        if !apart.is_empty() {
            found.push(format!(
                "{name}, {apart}: interval and p disagree about 0, as they may near 5 %: the interval is the \
                 bootstrap's, p swaps the sides of tasks; take it for no clear difference"
            ));
        }
    }
    found
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
