//! `rolecall compare`: runs, or cells of runs, over the tasks that both played.

mod chosen;
mod sides;

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use crate::compare::sides::{NamedRun, Pair, Responses, Side, check_seeds};
use crate::{output, runs};
use rolecall_core::evaluation::{
    CellEpisodes, Comparison, EpisodeResult, Pairs, SUCCESS, estimate, flips, holm, metric_names,
};
use rolecall_core::reports::{ComparisonReport, ComparisonRow, comparison_json, comparison_report};
use rolecall_core::text::{unique, visible};
use rolecall_run::registry::Registry;

/// The metric whose unit is that of the prices.
const COST: &str = "cost";

/// The arguments of `compare`.
#[derive(Args, Debug)]
pub(crate) struct CompareArguments {
    /// The runs, each a folder or a name below `logs`, or RUN:CELL; all are compared with the first
    #[arg(value_name = "RUN[:CELL]", required = true)]
    runs: Vec<String>,
    /// Compare runs of different seeds: their tasks are the same, the rest is not
    #[arg(long)]
    by_task: bool,
    /// Compare the tasks of each value of a group of the tasks for themselves, or of each `kind`
    #[arg(long, value_name = "GROUP")]
    by: Option<String>,
    /// Say how many pairs it takes to find a difference of so many percentage points
    #[arg(long, value_name = "POINTS", default_value = "5", value_parser = points)]
    difference: f64,
    /// Say whether both sides solve about as much: whether they differ by less than so many percentage points
    #[arg(long, value_name = "POINTS", value_parser = points)]
    equivalent: Option<f64>,
    /// Say whether the runs may stop: the difference as it was known after every task, however often one looks
    #[arg(long)]
    sequential: bool,
    /// The tests that adjusted p values are for: those of success of all comparisons, or all that are shown
    #[arg(long, value_name = "WHICH", value_enum, default_value = "rows")]
    family: Family,
    /// Name all tasks that only one side solved, however many
    #[arg(long)]
    all: bool,
    /// Print the comparisons as one JSON object
    #[arg(long)]
    json: bool,
}

/// The tests whose p values are adjusted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Family {
    /// Tests of success, one of each comparison
    Rows,
    /// Tests of all figures of all comparisons
    All,
}

fn points(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|points| *points > 0.0 && *points <= 100.0)
        .ok_or_else(|| "write a number of percentage points, above 0 and up to 100".to_owned())
}

/// Compares each pair of sides and prints the comparisons; the exit code is 1 if an episode of any does
/// not count.
pub(crate) fn execute(arguments: &CompareArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let given = NamedRun::all(&arguments.runs, registry)?;
    let sides = sides::sides(&given)?;
    if !arguments.by_task {
        check_seeds(&sides)?;
    }
    if let Some(by) = &arguments.by {
        runs::check_group(by, given.iter().flat_map(|named| &named.run.results))?;
    }
    let mut rows = Vec::new();
    let mut responses = Responses::default();
    for pair in &sides {
        let name = short(&pair.other, &sides);
        let found = rows_of(pair, &name, &mut responses, arguments, registry)?;
        if found.is_empty() {
            return Err(no_pairs(pair));
        }
        rows.extend(found);
    }
    let controls = chosen::controls(&sides, registry);
    for pair in &controls {
        let name = format!("{} against {}", short(&pair.other, &sides), pair.base.name);
        rows.extend(rows_of(pair, &name, &mut responses, arguments, registry)?);
    }
    adjust(&mut rows, arguments.family);
    let compared = ComparisonReport {
        base: base(&sides),
        by: arguments.by.clone(),
        sequential: arguments.sequential,
        margin: arguments.equivalent.map(|points| points / 100.0),
        rows,
    };
    let text = match arguments.json {
        true => output::json_line(comparison_json::json(&compared)),
        false => comparison_report::text(&compared, arguments.all, &output::layout()),
    };
    output::emit(&text)?;
    output::exit_code(compared.rows.iter().any(|row| row.apart != (0, 0)))
}

/// The comparisons of two sides, by that name.
fn rows_of<'a>(
    pair: &'a Pair,
    name: &str,
    responses: &mut Responses,
    arguments: &CompareArguments,
    registry: &Registry,
) -> anyhow::Result<Vec<ComparisonRow<'a>>> {
    let chosen = chosen::by_outcome(pair, registry);
    let mut rows = Vec::new();
    for only in parts(arguments.by.as_deref(), pair) {
        let found = row(pair, only, name, responses, arguments, registry)?;
        rows.extend(found.map(|found| ComparisonRow { chosen: chosen.clone(), ..found }));
    }
    Ok(rows)
}

/// A group of tasks and a value of it, whose tasks alone are compared; all tasks without one.
type Only<'a> = Option<(&'a str, &'a str)>;

/// The parts to compare by themselves: a value of the group each, as far as either side has played it;
/// all tasks together without a group.
fn parts<'a>(by: Option<&'a str>, pair: &'a Pair) -> Vec<Only<'a>> {
    let Some(by) = by else {
        return vec![None];
    };
    let results = pair.base.results().chain(pair.other.results());
    let values: BTreeSet<&str> = results.filter_map(|result| result.group(by)).collect();
    values.into_iter().map(|value| Some((by, value))).collect()
}

/// The episodes of a side on the tasks of a part.
fn played<'a>(side: &'a Side, only: Only<'_>) -> CellEpisodes<'a> {
    let wanted = |result: &&EpisodeResult| only.is_none_or(|(by, value)| result.group(by) == Some(value));
    CellEpisodes::new(side.results().filter(wanted))
}

/// The comparison of two sides on a part of their tasks, by that name and the value; none without pairs.
fn row<'a>(
    pair: &'a Pair,
    only: Only<'_>,
    name: &str,
    responses: &mut Responses,
    arguments: &CompareArguments,
    registry: &Registry,
) -> anyhow::Result<Option<ComparisonRow<'a>>> {
    let Pair { base, other } = pair;
    let (base_played, other_played) = (played(base, only), played(other, only));
    let pairs = Pairs::of(&base_played, &other_played);
    let metrics = metrics(base, other);
    let Some(comparison) = Comparison::of(base.name.clone(), other.name.clone(), &pairs, &metrics) else {
        return Ok(None);
    };
    let (corpus, several_languages) = responses.compared(pair, &pairs, registry)?;
    let (lost, gained) = flips(&pairs);
    let apart = |played: &CellEpisodes<'_>| played.episodes().len() - played.counted();
    let measures = measures_of(&pairs, registry);
    let headline = measures.first().map_or(SUCCESS, String::as_str);
    let withheld = |played: &CellEpisodes<'_>| {
        let mut answered = played.episodes().to_vec();
        answered.retain(|result| !result.is_withheld());
        (played.episodes().len() - answered.len(), estimate(&answered, headline))
    };
    Ok(Some(ComparisonRow {
        withheld: [withheld(&base_played), withheld(&other_played)],
        name: only.map_or_else(|| name.to_owned(), |(_, value)| format!("{name}, {value}")),
        value: only.map(|(_, value)| value.to_owned()),
        adjusted: comparison.p,
        adjusted_means: Vec::new(),
        adjusted_corpus: Vec::new(),
        power: comparison.power(arguments.difference / 100.0),
        apart: (apart(&base_played), apart(&other_played)),
        comparison,
        lost,
        gained,
        corpus,
        several_languages,
        measures,
        chosen: Vec::new(),
    }))
}

/// The metrics by which the tasks of the pairs are judged, if success says little of every one of them.
fn measures_of(pairs: &Pairs<'_>, registry: &Registry) -> Vec<String> {
    let kinds: BTreeSet<&str> = pairs.pairs.iter().map(|pair| &*pair.first.kind).collect();
    let measured = metric_names(pairs.pairs.iter().flat_map(|pair| [pair.first, pair.second]));
    let of_kind = |kind| -> Vec<&str> {
        registry.measures(kind).iter().copied().filter(|name| measured.contains(name)).collect()
    };
    let of_kinds: Vec<_> = kinds.into_iter().map(of_kind).collect();
    if of_kinds.iter().any(|names| names.is_empty()) {
        return Vec::new();
    }
    unique(of_kinds.into_iter().flatten().map(str::to_owned))
}

/// The name of what all are compared with.
fn base(sides: &[Pair]) -> String {
    match sides.first() {
        None => String::new(),
        Some(Pair { base, .. }) if sides.iter().all(|pair| pair.base.is(base)) => base.name.clone(),
        Some(Pair { base, .. }) => format!("{}, cell by cell", base.run.name),
    }
}

/// The name of a side that is compared: its cell's alone where that tells all sides apart.
fn short(side: &Side, sides: &[Pair]) -> String {
    let others = sides.iter().all(|pair| pair.other.is_of_run(side));
    let bases = sides.iter().all(|pair| pair.base.is_of_run(side));
    let cells = sides.iter().any(|pair| pair.other.cell != side.cell);
    match others && (bases || cells) {
        true => side.cell.to_string(),
        false => side.name.clone(),
    }
}

/// The metrics of the episodes of both, apart from success. Amounts in different currencies are not
/// compared.
fn metrics<'a>(base: &'a Side, other: &'a Side) -> Vec<&'a str> {
    let mut names = metric_names(base.run.results.iter().chain(&other.run.results));
    let one_currency = base.run.record.currency == other.run.record.currency;
    names.retain(|name| *name != SUCCESS && (*name != COST || one_currency));
    names
}

/// The error when the sides have no task in common, with an example of each side's tasks.
fn no_pairs(Pair { base, other }: &Pair) -> anyhow::Error {
    let example = |side: &Side| {
        let name = visible(&side.name).into_owned();
        match played(side, None).episodes().first() {
            Some(result) => format!("`{name}` has `{}`", visible(&result.task)),
            None => format!("`{name}` has none"),
        }
    };
    anyhow!(
        "no task was played by both with episodes that count: of tasks {}, {} (compare runs of the \
         same data)",
        example(base),
        example(other)
    )
}

/// Adjusts the p values of a family of tests (Holm's way).
fn adjust(rows: &mut [ComparisonRow<'_>], family: Family) {
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
