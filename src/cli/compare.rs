//! `rolecall compare`: runs, or cells of runs, over the tasks that both played.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use rustc_hash::FxHashSet;

use super::output::instead;
use super::{output, runs};
use crate::domain::CellName;
use crate::evaluation::{Comparison, EpisodeResult, Pairs, Played, flips, holm};
use crate::log::RunRecord;
use crate::reports::{Versus, VersusRow, versus};
use crate::text::visible;

/// The metric that has a test of its own.
const SUCCESS: &str = "success";
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
    /// Name all tasks that only one side solved, however many
    #[arg(long)]
    all: bool,
    /// Print the comparisons as one JSON object
    #[arg(long)]
    json: bool,
}

fn points(text: &str) -> Result<f64, String> {
    let wrong = || "write a number of percentage points, above 0 and up to 100".to_owned();
    let points: f64 = text.parse().map_err(|_| wrong())?;
    if points > 0.0 && points <= 100.0 {
        Ok(points)
    } else {
        Err(wrong())
    }
}

/// A run with its results.
struct Run {
    folder: PathBuf,
    record: RunRecord,
    results: Vec<EpisodeResult>,
}

/// An argument: a run, and the cell of it that is named or all that it played.
struct Given {
    name: String,
    run: usize,
    cells: Vec<CellName>,
}

/// One cell of a run.
#[derive(Clone, PartialEq)]
struct Side {
    name: String,
    run: usize,
    cell: CellName,
}

/// Compares, and prints what was found.
pub(crate) fn execute(arguments: &CompareArguments) -> anyhow::Result<ExitCode> {
    let mut runs = Vec::new();
    let given = arguments.runs.iter().map(|text| given(text, &mut runs));
    let given = given.collect::<anyhow::Result<Vec<Given>>>()?;
    let sides = sides(&given, &runs)?;
    if !arguments.by_task {
        check_seeds(&sides, &given, &runs)?;
    }
    let by = arguments.by.as_deref();
    if let Some(by) = by {
        runs::check_group(by, runs.iter().flat_map(|run| &run.results))?;
    }
    let mut rows = Vec::new();
    for sides_of in &sides {
        let before = rows.len();
        for only in values(by, sides_of, &runs) {
            rows.extend(row(sides_of, only, &runs, arguments).map(|row| VersusRow {
                name: short(&sides_of.1, &sides) + &row.name,
                ..row
            }));
        }
        if rows.len() == before {
            let [one, other] = [&sides_of.0, &sides_of.1].map(|side| played(side, None, &runs));
            return Err(no_pairs(&sides_of.0, &sides_of.1, &one, &other));
        }
    }
    let p: Vec<f64> = rows.iter().map(|row| row.comparison.p).collect();
    for (row, adjusted) in rows.iter_mut().zip(holm(&p)) {
        row.adjusted = adjusted;
    }
    let base = base(&sides, &given);
    let by = arguments.by.clone();
    let compared = Versus { base, by, rows };
    let text = if arguments.json {
        format!("{}\n", versus::json(&compared))
    } else {
        versus::text(&compared, arguments.all, &output::layout())
    };
    output::emit(&text)?;
    let apart = compared.rows.iter().any(|row| row.apart != (0, 0));
    Ok(ExitCode::from(u8::from(apart)))
}

/// A group of tasks and a value of it: only its tasks are compared.
type Only<'a> = Option<(&'a str, &'a str)>;

/// The values of the group that either side has played; all tasks together without a group.
fn values<'a>(by: Option<&'a str>, sides: &(Side, Side), runs: &'a [Run]) -> Vec<Only<'a>> {
    let Some(by) = by else {
        return vec![None];
    };
    let own = [&sides.0, &sides.1].map(|side| results(side, runs));
    let values = own.into_iter().flatten().filter_map(|own| own.group(by));
    let values: BTreeSet<&str> = values.collect();
    values.into_iter().map(|value| Some((by, value))).collect()
}

fn results<'a>(side: &Side, runs: &'a [Run]) -> impl Iterator<Item = &'a EpisodeResult> {
    let all = runs.get(side.run).map_or(&[][..], |run| &run.results);
    all.iter().filter(|result| result.episode.cell == side.cell)
}

fn played<'a>(side: &Side, only: Only<'_>, runs: &'a [Run]) -> Played<'a> {
    Played::new(
        results(side, runs)
            .filter(|result| only.is_none_or(|(by, value)| result.group(by) == Some(value))),
    )
}

/// The comparison of two sides, named by the value alone; none without pairs.
fn row<'a>(
    (first, second): &(Side, Side),
    only: Only<'_>,
    runs: &'a [Run],
    arguments: &CompareArguments,
) -> Option<VersusRow<'a>> {
    let (one, other) = (played(first, only, runs), played(second, only, runs));
    let pairs = Pairs::of(&one, &other);
    let names = (first.name.clone(), second.name.clone());
    let comparison = Comparison::of(names, &pairs, &metrics(first, second, runs))?;
    let (lost, gained) = flips(&pairs);
    let apart = |played: &Played<'_>| played.episodes().len() - played.counted();
    Some(VersusRow {
        name: only.map_or_else(String::new, |(_, value)| format!(", {value}")),
        value: only.map(|(_, value)| value.to_owned()),
        adjusted: comparison.p,
        power: comparison.power(arguments.difference / 100.0),
        apart: (apart(&one), apart(&other)),
        comparison,
        lost,
        gained,
    })
}

/// What all are compared with.
fn base(sides: &[(Side, Side)], given: &[Given]) -> String {
    let mut bases = sides.iter().map(|(first, _)| first);
    let first = bases.next();
    match first {
        Some(first) if bases.all(|other| other == first) => first.name.clone(),
        _ => {
            let name = given.first().map_or("", |given| &given.name);
            format!("{name}, cell by cell")
        }
    }
}

/// The name of what is compared: the cell's where that is enough.
fn short(side: &Side, sides: &[(Side, Side)]) -> String {
    let run = |other: &Side| other.run == side.run;
    let others = sides.iter().all(|(_, other)| run(other));
    let bases = sides.iter().all(|(base, _)| run(base));
    let cells = sides.iter().any(|(_, other)| other.cell != side.cell);
    if others && (bases || cells) {
        side.cell.to_string()
    } else {
        side.name.clone()
    }
}

/// Reads an argument: a run if there is one of that name, else a run and a cell.
fn given(text: &str, runs: &mut Vec<Run>) -> anyhow::Result<Given> {
    let (folder, wanted) = runs::with_cell(text)?;
    let same = runs.iter().position(|run| run.folder == folder);
    let place = match same {
        Some(place) => place,
        None => {
            runs.push(read(folder)?);
            runs.len() - 1
        }
    };
    let cells = cells(&runs[place]);
    let name = text.trim_end_matches('/').to_owned();
    let Some(wanted) = wanted else {
        return Ok(Given {
            name,
            run: place,
            cells,
        });
    };
    let found = cells.iter().find(|cell| cell.as_str() == wanted);
    let Some(found) = found else {
        let known: Vec<&str> = cells.iter().map(CellName::as_str).collect();
        let (shown, instead) = (visible(wanted), instead(wanted, &known));
        bail!("`{}` has no cell `{shown}`{instead}", visible(text));
    };
    Ok(Given {
        name,
        run: place,
        cells: vec![found.clone()],
    })
}

/// What the run wrote down is enough, if it is whole.
fn read(folder: PathBuf) -> anyhow::Result<Run> {
    let record = RunRecord::read(&folder)?;
    let results = match runs::whole_results(&folder, &record) {
        Some(results) => results,
        None => runs::results(&runs::open(&folder)?)?,
    };
    Ok(Run {
        folder,
        record,
        results,
    })
}

/// The cells that a run has played, in the order of its config.
fn cells(run: &Run) -> Vec<CellName> {
    let mut cells: Vec<CellName> = Vec::new();
    for result in &run.results {
        if cells.last() != Some(&result.episode.cell) {
            cells.push(result.episode.cell.clone());
        }
    }
    cells
}

/// What is compared with what: cells of a single run with the first that played any of their tasks;
/// else each run with the first, cell by cell.
fn sides(given: &[Given], runs: &[Run]) -> anyhow::Result<Vec<(Side, Side)>> {
    let side = |given: &Given, cell: &CellName| Side {
        name: if given.cells.len() > 1 {
            format!("{}:{cell}", given.name)
        } else {
            given.name.clone()
        },
        run: given.run,
        cell: cell.clone(),
    };
    let [first, others @ ..] = given else {
        bail!("there is nothing to compare");
    };
    let mut sides = Vec::new();
    if others.is_empty() {
        let [cell, more @ ..] = &first.cells[..] else {
            bail!("`{}` holds no episode", visible(&first.name));
        };
        if more.is_empty() {
            bail!(
                "`{}` has one cell only: name another run, or another cell as RUN:CELL",
                visible(&first.name)
            );
        }
        let own = |cell: &CellName| Side {
            name: cell.to_string(),
            ..side(first, cell)
        };
        let bases = bases(first, runs);
        let pairs = bases.iter().map(|(base, other)| (own(base), own(other)));
        let pairs: Vec<(Side, Side)> = pairs.collect();
        if pairs.is_empty() {
            return Ok(more.iter().map(|other| (own(cell), own(other))).collect());
        }
        return Ok(pairs);
    }
    for other in others {
        let pairs: Vec<(Side, Side)> = match (&first.cells[..], &other.cells[..]) {
            ([one], [two]) => vec![(side(first, one), side(other, two))],
            (ones, _) => {
                let both = ones.iter().filter(|cell| other.cells.contains(cell));
                both.map(|cell| (side(first, cell), side(other, cell)))
                    .collect()
            }
        };
        if pairs.is_empty() {
            return Err(no_cells(first, other));
        }
        if let Some((one, _)) = pairs
            .iter()
            .find(|(one, two)| (one.run, &one.cell) == (two.run, &two.cell))
        {
            bail!("`{}` would be compared with itself", visible(&one.name));
        }
        sides.extend(pairs);
    }
    Ok(sides)
}

/// The cells of a run, each with the first one before it that played any of its tasks. Cells of which
/// there is none are left out.
fn bases<'a>(given: &'a Given, runs: &[Run]) -> Vec<(&'a CellName, &'a CellName)> {
    let results = runs.get(given.run).map_or(&[][..], |run| &run.results);
    let tasks = |cell: &CellName| -> FxHashSet<&str> {
        let own = results.iter();
        let own = own.filter(|result| result.episode.cell == *cell);
        own.map(|result| result.task.as_str()).collect()
    };
    let mut earlier: Vec<(&CellName, FxHashSet<&str>)> = Vec::new();
    let mut pairs = Vec::new();
    for cell in &given.cells {
        let own = tasks(cell);
        match earlier.iter().find(|(_, base)| !base.is_disjoint(&own)) {
            Some((base, _)) => pairs.push((*base, cell)),
            None => earlier.push((cell, own)),
        }
    }
    pairs
}

fn no_cells(first: &Given, other: &Given) -> anyhow::Error {
    let named = |given: &Given| {
        let cells: Vec<&str> = given.cells.iter().map(CellName::as_str).collect();
        if cells.is_empty() {
            format!("`{}` holds no episode", visible(&given.name))
        } else {
            format!("`{}` has {}", visible(&given.name), cells.join(", "))
        }
    };
    anyhow!(
        "no cell is in both runs: {}; {} (write RUN:CELL)",
        named(first),
        named(other)
    )
}

/// Episodes of different seeds are no pairs.
fn check_seeds(sides: &[(Side, Side)], given: &[Given], runs: &[Run]) -> anyhow::Result<()> {
    let seed = |side: &Side| runs.get(side.run).and_then(|run| run.record.seed);
    let name = |side: &Side| {
        let found = given.iter().find(|given| given.run == side.run);
        visible(found.map_or("", |given| &given.name)).into_owned()
    };
    for (first, second) in sides {
        let (one, other) = (seed(first), seed(second));
        if first.run == second.run || (one == other && one.is_some()) {
            continue;
        }
        let said = |side: &Side| match seed(side) {
            Some(seed) => format!("`{}` has seed {}", name(side), seed.0),
            None => format!("`{}` does not say its seed", name(side)),
        };
        bail!(
            "the runs were not played with the same seed: {}, {}; play one again with the seed of \
             the other (run --seed), or compare them task by task with --by-task",
            said(first),
            said(second)
        );
    }
    Ok(())
}

/// The metrics of the episodes of both, apart from success. Amounts in different currencies are not
/// compared.
fn metrics<'a>(first: &Side, second: &Side, runs: &'a [Run]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for side in [first, second] {
        let results = runs.get(side.run).map_or(&[][..], |run| &run.results);
        for result in results {
            // Nearly always the same names in the same order.
            if result.measures.names().eq(names.iter().copied()) {
                continue;
            }
            for name in result.measures.names() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    let currency = |side: &Side| runs.get(side.run).map(|run| &run.record.currency);
    let same = currency(first) == currency(second);
    names.retain(|name| *name != SUCCESS && (*name != COST || same));
    names
}

fn no_pairs(first: &Side, second: &Side, one: &Played<'_>, other: &Played<'_>) -> anyhow::Error {
    let example = |side: &Side, played: &Played<'_>| {
        let name = visible(&side.name).into_owned();
        match played.episodes().first() {
            Some(result) => format!("`{name}` has `{}`", visible(&result.task)),
            None => format!("`{name}` has none"),
        }
    };
    anyhow!(
        "no task was played by both with episodes that count: of tasks {}, {} (compare runs of the \
         same data)",
        example(first, one),
        example(second, other)
    )
}
