//! The orders of rows that a paper reports, with our figures and their differences by the tasks of the episodes.

use std::collections::BTreeMap;

use super::figures::{Known, all_in};
use rolecall_core::evaluation::{
    CorpusDifference, EpisodeResult, FigureDifference, Overlap, ResponsePairs, TaskMeasurement, TaskTally,
};
use rolecall_core::ports::{Measurement, Response};
use rolecall_core::reports::{Held, OrderDifference, OurFigure, ReproducedOrder, ReproducedRow};
use rolecall_core::text::counted;
use rolecall_run::config::{Figure, PaperTable, TableColumn, TableOrder, TableRow, Take};

/// Every order of the table. What is said of players by rules is told only of rows whose cells are all
/// played by them.
pub(super) fn orders(known: &Known<'_>, rows: &[ReproducedRow]) -> Vec<ReproducedOrder> {
    let table = known.table;
    table
        .order
        .iter()
        .map(|order| {
            let figure = |row: usize| rows.get(row)?.figures.get(order.column)?.ours.as_ref();
            let label = |row: usize| rows.get(row).map(|row| row.label.clone());
            let column = table.columns.get(order.column);
            let ours = figure(order.better).zip(figure(order.worse));
            let both = [order.better, order.worse].map(|row| table.rows.get(row));
            let between = match (both, column, ours) {
                ([Some(better), Some(worse)], Some(column), Some(_)) => known.between(better, worse, column),
                _ => None,
            };
            let mut reasons: Vec<String> = between.iter().filter_map(|between| between.reason.clone()).collect();
            if both.iter().flatten().all(|row| all_in(row, known.by_rules)) {
                reasons.extend(order.by_rules.clone());
            }
            reasons.extend(order.otherwise.clone());
            if reasons.is_empty() && ours.is_none() {
                reasons.extend(lacking(order, table, rows));
            }
            ReproducedOrder {
                better: label(order.better).unwrap_or_default(),
                worse: label(order.worse).unwrap_or_default(),
                column: column.map_or_else(String::new, |column| column.name.clone()),
                held: held(ours, column.is_some_and(|column| column.lower_is_better)),
                ours: ours.map(|(better, worse)| (better.clone(), worse.clone())),
                difference: between.map(|between| between.difference),
                otherwise: (!reasons.is_empty()).then(|| reasons.join("; ")),
            }
        })
        .collect()
}

/// The reason for which one of the two figures is missing.
fn lacking(order: &TableOrder, table: &PaperTable, rows: &[ReproducedRow]) -> Option<String> {
    let row = [order.better, order.worse].into_iter().find_map(|row| {
        let row = rows.get(row)?;
        row.figures.get(order.column)?.ours.is_none().then_some(row)
    })?;
    let label = &row.label;
    Some(match (&row.source, table.columns.get(order.column)?.figure) {
        (None, _) => format!("{label} is not played"),
        (Some(_), Figure::BertScore) => format!("no model gave vectors for {label} (--embeddings)"),
        (Some(_), Figure::Rating) => format!("nobody has rated the responses of {label}"),
        (Some(_), _) => format!("no episode of {label} says anything"),
    })
}

fn held(ours: Option<(&OurFigure, &OurFigure)>, lower_is_better: bool) -> Held {
    let Some((better, worse)) = ours else {
        return Held::Unknown;
    };
    // What is shown as the same is no difference, whatever stands beside it.
    let shown = |ours: &OurFigure| format!("{:.*}", ours.decimals, ours.value);
    if shown(better) == shown(worse) {
        return Held::Equal;
    }
    if (better.value > worse.value) == lower_is_better { Held::Fails } else { Held::Holds }
}

/// Difference of two rows in a column, in its unit, and how what both played came out in this run.
struct Between {
    difference: OrderDifference,
    reason: Option<String>,
}

impl<'a> Known<'a> {
    /// The better row's figure minus the other's; none where a figure is missing, or is one of which single
    /// tasks say nothing.
    fn between(&self, better: &TableRow, worse: &TableRow, column: &TableColumn) -> Option<Between> {
        if column.figure == Figure::Corpus {
            return self.between_corpora(better, worse, column);
        }
        let (first, second) = (self.measured(worse, column)?, self.measured(better, column)?);
        let found = FigureDifference::of(&first, &second)?;
        Some(Between {
            difference: scaled(found.value, found.interval, self.scale(column, &first, &second)),
            reason: tallied(found.tasks),
        })
    }

    /// Measurements of a column in each counted episode of a row; none for figures that are not the mean of
    /// something.
    pub(super) fn measured(&self, row: &TableRow, column: &TableColumn) -> Option<Vec<TaskMeasurement<'a>>> {
        if row.take == Take::Annotated {
            return None;
        }
        let episodes = self.counted(row, column);
        let of = |figure: &dyn Fn(&EpisodeResult) -> Vec<Measurement>| {
            let all = episodes.iter().copied().flat_map(|result: &'a EpisodeResult| {
                figure(result).into_iter().map(move |found| (result.task.as_str(), found))
            });
            Some(all.collect())
        };
        let samples = self.samples;
        match column.figure {
            Figure::Mean | Figure::Count => of(&|result| vec![result.measures.get(&column.metric)]),
            Figure::Combination => {
                let named = self.combinations();
                of(&|result| samples.planned(result, column, &named).map(Measurement::Rate).into_iter().collect())
            }
            Figure::Rating => of(&|result| samples.points(result, column).map(Measurement::Value).collect()),
            Figure::BertScore => of(&|result| samples.bert_score(result).map(Measurement::Value).into_iter().collect()),
            Figure::Deviation | Figure::Largest | Figure::Corpus | Figure::Published => None,
        }
    }

    /// The factor by which a difference is shown as its column is.
    fn scale(&self, column: &TableColumn, first: &[TaskMeasurement<'_>], second: &[TaskMeasurement<'_>]) -> f64 {
        let is_share = |(_, measurement): &TaskMeasurement<'_>| {
            use Measurement::{Absent, Rate, Share};
            matches!(measurement, Rate(_) | Share { .. } | Absent)
        };
        let shares = first.iter().chain(second).all(is_share);
        match column.figure {
            Figure::Count | Figure::Combination => 100.0,
            Figure::BertScore => column.scale.unwrap_or(100.0),
            _ => column.scale.unwrap_or(if shares { 100.0 } else { 1.0 }),
        }
    }

    fn between_corpora(&self, better: &TableRow, worse: &TableRow, column: &TableColumn) -> Option<Between> {
        let overlap = Overlap::named(&column.metric)?;
        let (first, second) = (self.responses(worse, column), self.responses(better, column));
        let mut tasks: BTreeMap<&str, ResponsePairs<'_>> = BTreeMap::new();
        for (key, one) in &first {
            if let Some(other) = second.get(key) {
                tasks.entry(key.0).or_default().push([one, other]);
            }
        }
        // Of other tasks, the difference of the pairs is not that of the rows.
        let pairs: usize = tasks.values().map(Vec::len).sum();
        if pairs != first.len() || pairs != second.len() {
            return None;
        }
        let tasks: Vec<ResponsePairs<'_>> = tasks.into_values().collect();
        let same = tasks.iter().flatten().filter(|[one, other]| one.text == other.text).count();
        let found = CorpusDifference::all(&tasks).into_iter().find(|found| found.overlap == overlap)?;
        Some(Between {
            difference: scaled(found.difference(), found.interval, column.scale.unwrap_or(1.0)),
            reason: Some(format!(
                "of {}, {same} are the same in both rows",
                counted(pairs as u64, "response", "responses")
            )),
        })
    }

    /// The responses of a row by task, cell's place among those of the row, and repeat.
    fn responses(&self, row: &TableRow, column: &TableColumn) -> BTreeMap<(&'a str, usize, u32), &'a Response> {
        let cells = self.cells(row, column);
        let response = |result: &'a EpisodeResult| {
            let id = &result.episode;
            let place = cells.iter().position(|cell| *cell == id.cell)?;
            Some(((result.task.as_str(), place, id.repeat), self.samples.response(result)?))
        };
        self.counted(row, column).into_iter().filter_map(response).collect()
    }
}

/// A difference in the unit of its column.
fn scaled(value: f64, interval: Option<(f64, f64)>, scale: f64) -> OrderDifference {
    OrderDifference { value: value * scale, interval: interval.map(|(low, high)| (low * scale, high * scale)) }
}

/// How the tasks of both rows came out; nothing if they played other ones.
fn tallied(tasks: TaskTally) -> Option<String> {
    (tasks.all() > 0).then(|| {
        format!(
            "of {}, {} alike, the first above in {}, below in {}",
            counted(tasks.all() as u64, "task", "tasks"),
            counted(tasks.alike as u64, "is", "are"),
            tasks.above,
            tasks.below
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(text: &str, value: f64) -> OurFigure {
        OurFigure { text: text.to_owned(), value, ..OurFigure::default() }
    }

    #[test]
    fn an_order_holds_if_the_better_one_is_better_in_what_is_shown() {
        let (high, low) = (figure("2", 2.0), figure("1", 1.0));
        assert_eq!(held(Some((&high, &low)), false), Held::Holds);
        assert_eq!(held(Some((&high, &low)), true), Held::Fails);
        assert_eq!(held(Some((&low, &high)), true), Held::Holds);
        let same = figure("2 ± 1", 1.999);
        assert_eq!(held(Some((&high, &same)), false), Held::Equal);
        assert_eq!(held(Some((&same, &high)), true), Held::Equal);
        assert_eq!(held(None, false), Held::Unknown);
    }
}
