//! Our figures for a table of a paper.

use std::collections::{BTreeMap, BTreeSet};

use super::samples::{Samples, without_interval};
use rolecall_core::domain::CellName;
use rolecall_core::evaluation::{EpisodeResult, Estimate, Standing, estimate, estimate_by_task};
use rolecall_core::reports::{OurFigure, ReproducedFigure, ReproducedRow};
use rolecall_core::text::{counted, joined};
use rolecall_run::config::{Figure, PaperTable, Published, TableColumn, TableRow, Take};

/// The metric by which the best of several cells is chosen.
const SUCCESS: &str = "success";

/// Columns in which no row that was played has a figure: a type of tasks that was not played or is not
/// known, or a metric that nothing has in this form.
fn empty_columns(table: &PaperTable, rows: &[ReproducedRow]) -> Option<String> {
    let played = || rows.iter().filter(|row| row.source.is_some());
    played().next()?;
    let figure = |row: &ReproducedRow, place: usize| row.figures.get(place)?.ours.clone();
    let is_empty = |place: usize| played().all(|row| figure(row, place).is_none());
    let empty = table
        .columns
        .iter()
        .enumerate()
        .filter(|(place, column)| column.figure != Figure::Published && is_empty(*place))
        .map(|(_, column)| &column.name);
    let names = joined(empty);
    (!names.is_empty()).then(|| format!("no episode that was played says anything for: {names}"))
}

/// Whether a row has cells, and all of them are among these.
pub(super) fn all_in(row: &TableRow, cells: &BTreeSet<&str>) -> bool {
    !row.cells.is_empty() && row.cells.iter().all(|cell| cells.contains(cell.as_str()))
}

/// The reason for which the config has no cells for a row.
fn missing(row: &TableRow) -> Option<String> {
    let why = row.missing.as_ref().filter(|_| row.cells.is_empty())?;
    Some(format!("{}: {why}", row.label))
}

/// The sources from which a table is filled in.
pub(super) struct Known<'a> {
    pub(super) table: &'a PaperTable,
    pub(super) results: &'a [&'a EpisodeResult],
    pub(super) samples: &'a Samples,
    /// The cells that are played by rules alone.
    pub(super) by_rules: &'a BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    /// The cells that stand for a row in a column.
    pub(super) fn cells(&self, row: &TableRow, column: &TableColumn) -> Vec<CellName> {
        let both = |cell: &&CellName| column.cells.is_empty() || column.cells.contains(cell);
        let cells: Vec<CellName> = row.cells.iter().filter(both).cloned().collect();
        match row.take {
            Take::Best => best(&cells, self.results).cloned().into_iter().collect(),
            _ => cells,
        }
    }

    /// Their episodes of the column's tasks that count: what broke says nothing about the agent.
    pub(super) fn counted(&self, row: &TableRow, column: &TableColumn) -> Vec<&'a EpisodeResult> {
        let cells = self.cells(row, column);
        let mut episodes = of_cells(&cells, column.kind.as_deref(), self.results);
        episodes.retain(|result| result.standing() == Standing::Counted);
        episodes
    }

    /// The combinations of strategies that columns name.
    pub(super) fn combinations(&self) -> Vec<&'a str> {
        self.table.columns.iter().filter_map(|column| column.combination.as_deref()).collect()
    }

    /// Notes below the table.
    pub(super) fn notes(&self, rows: &[ReproducedRow]) -> Vec<String> {
        let (table, results) = (self.table, self.results);
        let count = |standing| results.iter().filter(|result| result.standing() == standing).count();
        let apart = results.len() - count(Standing::Counted);
        let mut played = table.rows.iter().filter(|row| !row.cells.is_empty());
        // Some notes hold only where nobody but players by rules played.
        let by_rules = played.all(|row| all_in(row, self.by_rules));
        let apart = (apart > 0).then(|| {
            let episodes = counted(results.len() as u64, "episode", "episodes");
            format!("{apart} of {episodes} broke or did not end and count in no figure")
        });
        apart
            .into_iter()
            .chain(empty_columns(table, rows))
            .chain(self.samples.notes(table, results))
            .chain(table.notes.iter().cloned())
            .chain(table.by_rules.iter().filter(|_| by_rules).cloned())
            .chain(table.rows.iter().filter_map(missing))
            .collect()
    }

    /// A row with our figures.
    pub(super) fn filled(&self, row: &TableRow) -> ReproducedRow {
        let figures = self.table.columns.iter().enumerate().map(|(place, column)| {
            let published = row.published.get(place).copied().unwrap_or(Published::Nothing);
            let written = match row.deviation.get(place) {
                Some(deviation) => format!("{published} ± {deviation}"),
                None => published.to_string(),
            };
            ReproducedFigure {
                published: (published != Published::Nothing).then_some(written),
                ours: self.ours(row, column).map(|ours| beside(ours, published)),
            }
        });
        ReproducedRow {
            label: row.label.clone(),
            model: row.model.clone(),
            source: source(row, self.results),
            figures: figures.collect(),
        }
    }

    /// Our figure of a row and a column; none if no episode says anything.
    fn ours(&self, row: &TableRow, column: &TableColumn) -> Option<OurFigure> {
        let annotated = row.take == Take::Annotated;
        if annotated && column.figure != Figure::Combination {
            return None;
        }
        let counted = self.counted(row, column);
        let value = |result: &&EpisodeResult| result.measures.get(&column.metric).number();
        let values: Vec<f64> = counted.iter().filter_map(value).collect();
        let scale = column.scale.unwrap_or(1.0);
        match column.figure {
            Figure::Mean => mean(&counted, column, row.take == Take::Repeats),
            Figure::Count => count(&counted, &column.metric),
            Figure::Deviation => without_interval(deviation(&values)? * scale, values.len(), 2),
            Figure::Largest => {
                let largest = values.iter().copied().reduce(f64::max)?;
                without_interval(largest * scale, values.len(), 0)
            }
            Figure::Published => None,
            Figure::Corpus => self.samples.corpus(&counted, column),
            Figure::Rating => self.samples.rating(&counted, column),
            Figure::Combination => {
                let named = self.combinations();
                self.samples.combination(&counted, column, &named, annotated)
            }
            Figure::BertScore => {
                let estimate = estimate_by_task(&self.measured(row, column)?);
                let scale = column.scale.unwrap_or(100.0);
                let figure = without_interval(estimate.value()? * scale, estimate.n(), 2)?;
                Some(OurFigure { interval: scaled(estimate.interval(), scale), ..figure })
            }
        }
    }
}

/// Our figure, compared with the published one.
fn beside(ours: OurFigure, published: Published) -> OurFigure {
    let outside = ours.interval.is_some_and(|interval| published.is_outside(interval));
    OurFigure { difference: published.value().map(|published| ours.value - published), outside, ..ours }
}

/// In words where the figures of a row come from.
fn source(row: &TableRow, results: &[&EpisodeResult]) -> Option<String> {
    let listed = joined(&row.cells);
    match (&row.cells[..], row.take) {
        ([], _) => None,
        (_, Take::Repeats) => Some(format!("mean and standard deviation over the repeats of {listed}")),
        (_, Take::Annotated) => Some(format!("annotations of the samples of {listed}")),
        ([_], _) => Some(listed),
        (cells, Take::Mean) => Some(format!("mean over {} cells: {listed}", cells.len())),
        (cells, Take::Best) => {
            let best = best(cells, results).map_or("none", CellName::as_str);
            Some(format!("the best of {listed} on all tasks, which is {best}"))
        }
    }
}

/// The cell with the largest share of solved tasks of every type; the first of several.
fn best<'a>(cells: &'a [CellName], results: &[&EpisodeResult]) -> Option<&'a CellName> {
    let mut best: Option<(&CellName, f64)> = None;
    for cell in cells {
        let played = of_cells(std::slice::from_ref(cell), None, results);
        let Some(rate) = estimate(&played, SUCCESS).value() else {
            continue;
        };
        if best.is_none_or(|(_, highest)| rate > highest) {
            best = Some((cell, rate));
        }
    }
    best.map(|(cell, _)| cell)
}

fn of_cells<'a>(cells: &[CellName], kind: Option<&str>, results: &[&'a EpisodeResult]) -> Vec<&'a EpisodeResult> {
    let wanted =
        |result: &&&EpisodeResult| cells.contains(&result.episode.cell) && kind.is_none_or(|kind| result.kind == kind);
    results.iter().filter(wanted).copied().collect()
}

/// The rate in percent, or the mean; with the deviation between repeats if that is wanted.
fn mean(episodes: &[&EpisodeResult], column: &TableColumn, by_repeat: bool) -> Option<OurFigure> {
    let metric = &column.metric;
    let all = estimate(episodes, metric);
    // Shares are shown in percent.
    let (usual, decimals) = if all.is_share() { (100.0, 1) } else { (1.0, 2) };
    let scale = column.scale.unwrap_or(usual);
    let mut figure = OurFigure {
        value: all.value()? * scale,
        n: all.n(),
        interval: scaled(all.interval(), scale),
        decimals,
        ..OurFigure::default()
    };
    let mut between = String::new();
    if by_repeat {
        let repeats = repeats(episodes, metric);
        figure.value = scale * repeats.iter().sum::<f64>() / repeats.len().max(1) as f64;
        figure.deviation = deviation(&repeats).map(|deviation| scale * deviation);
        between = figure.deviation.map_or(String::new(), |one| format!(" ± {one:.decimals$}"));
    }
    figure.text = format!("{:.decimals$}{between}", figure.value);
    Some(figure)
}

/// An interval in the unit of a column; none without any width: a few values that are all the same say little
/// of others.
fn scaled(interval: Option<(f64, f64)>, scale: f64) -> Option<(f64, f64)> {
    let ends = interval.filter(|(low, high)| low < high)?;
    Some((ends.0 * scale, ends.1 * scale))
}

/// The rate or mean of each repeat.
fn repeats(episodes: &[&EpisodeResult], metric: &str) -> Vec<f64> {
    let mut repeats: BTreeMap<u32, Vec<&EpisodeResult>> = BTreeMap::new();
    for result in episodes {
        repeats.entry(result.episode.repeat).or_default().push(result);
    }
    repeats.values().filter_map(|results| estimate(results, metric).value()).collect()
}

/// In how many tasks it was so. Beside the published figure it stands as a share in percent.
fn count(episodes: &[&EpisodeResult], metric: &str) -> Option<OurFigure> {
    let Estimate::Rate { n, successes, rate, low, high } = estimate(episodes, metric) else {
        return None;
    };
    Some(OurFigure {
        text: format!("{successes}/{n}"),
        value: 100.0 * rate,
        n,
        interval: Some((100.0 * low, 100.0 * high)),
        decimals: 1,
        ..OurFigure::default()
    })
}

/// The standard deviation of a sample; none of fewer than two values.
fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_that_of_a_sample() {
        assert_eq!(deviation(&[1.0, 3.0]), Some(2.0_f64.sqrt()));
        assert_eq!(deviation(&[5.0]), None);
    }

    #[test]
    fn a_published_figure_outside_the_interval_is_marked() {
        let ours = || OurFigure { value: 50.0, interval: Some((40.0, 60.0)), ..OurFigure::default() };
        let marked = |published| {
            let figure = beside(ours(), published);
            (figure.outside, figure.difference)
        };
        assert_eq!(marked(Published::Value(61.0)), (true, Some(-11.0)));
        assert_eq!(marked(Published::Value(60.0)), (false, Some(-10.0)));
        assert_eq!(marked(Published::Count(1, 2)), (false, Some(0.0)));
        assert_eq!(marked(Published::Below(40.0)), (true, None));
        assert_eq!(marked(Published::Below(41.0)), (false, None));
        assert_eq!(marked(Published::Nothing), (false, None));
    }
}
