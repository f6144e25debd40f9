//! What lies between the figures of two rows, told by the tasks of their episodes.

use std::collections::BTreeMap;

use super::figures::Known;
use rolecall_core::evaluation::{
    CorpusDifference, EpisodeResult, FigureDifference, Overlap, ResponsePairs, TaskMeasurement, TaskTally,
};
use rolecall_core::ports::{Measurement, Response};
use rolecall_core::reports::OrderDifference;
use rolecall_core::text::counted;
use rolecall_run::config::{Figure, TableColumn, TableRow, Take};

/// What lies between two rows in a column, in its unit, and how what both played came out in this run.
pub(super) struct Between {
    pub(super) difference: OrderDifference,
    pub(super) reason: Option<String>,
}

impl<'a> Known<'a> {
    /// The better row's figure minus the other's; none where a figure is missing, or is one of which single
    /// tasks say nothing.
    pub(super) fn between(&self, better: &TableRow, worse: &TableRow, column: &TableColumn) -> Option<Between> {
        if column.figure == Figure::Corpus {
            return self.between_corpora(better, worse, column);
        }
        let second = self.measured(better, column)?;
        let first = self.measured(worse, column)?;
        let found = FigureDifference::of(&first, &second)?;
        let scale = self.scale(column, &first, &second);
        Some(Between {
            difference: OrderDifference {
                value: found.value * scale,
                interval: found.interval.map(|(low, high)| (low * scale, high * scale)),
            },
            reason: tallied(found.tasks),
        })
    }

    /// What was measured of a column in each counted episode of a row; none for figures that are not the mean
    /// of something.
    pub(super) fn measured(&self, row: &TableRow, column: &TableColumn) -> Option<Vec<TaskMeasurement<'a>>> {
        if row.take == Take::Annotated {
            return None;
        }
        let episodes = self.counted(row, column);
        let of = |figure: &dyn Fn(&EpisodeResult) -> Vec<Measurement>| {
            let all = episodes.iter().copied().flat_map(|result: &'a EpisodeResult| {
                let found = figure(result).into_iter();
                found.map(move |found| (result.task.as_str(), found))
            });
            Some(all.collect())
        };
        let samples = self.samples;
        match column.figure {
            Figure::Mean | Figure::Count => of(&|result| vec![result.measures.get(&column.metric)]),
            Figure::Combination => {
                let named = self.combinations();
                of(&|result| {
                    let fits = samples.planned(result, column, &named);
                    fits.map(Measurement::Rate).into_iter().collect()
                })
            }
            Figure::Rating => of(&|result| {
                let points = samples.points(result, column);
                points.map(Measurement::Value).collect()
            }),
            Figure::BertScore => of(&|result| {
                let score = samples.bert_score(result);
                score.map(Measurement::Value).into_iter().collect()
            }),
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
        let second = self.responses(better, column);
        let first = self.responses(worse, column);
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
        let mut found = CorpusDifference::all(&tasks).into_iter();
        let found = found.find(|found| found.overlap == overlap)?;
        let scale = column.scale.unwrap_or(1.0);
        Some(Between {
            difference: OrderDifference {
                value: found.difference() * scale,
                interval: found.interval.map(|(low, high)| (low * scale, high * scale)),
            },
            reason: Some(format!(
                "of {}, {same} are the same in both rows",
                counted(pairs as u64, "response", "responses")
            )),
        })
    }

    /// The responses of a row by task, cell's place among those of the row, and repeat.
    fn responses(&self, row: &TableRow, column: &TableColumn) -> BTreeMap<(&'a str, usize, u32), &'a Response> {
        let cells = self.cells(row, column);
        let responses = self.counted(row, column).into_iter().filter_map(|result| {
            let id = &result.episode;
            let place = cells.iter().position(|cell| *cell == id.cell)?;
            Some(((result.task.as_str(), place, id.repeat), self.samples.response(result)?))
        });
        responses.collect()
    }
}

/// How the tasks of both rows came out; nothing if they played other ones.
fn tallied(tasks: TaskTally) -> Option<String> {
    let all = tasks.all();
    let text = format!(
        "of {}, {} alike, the first above in {}, below in {}",
        counted(all as u64, "task", "tasks"),
        counted(tasks.alike as u64, "is", "are"),
        tasks.above,
        tasks.below
    );
    (all > 0).then_some(text)
}
