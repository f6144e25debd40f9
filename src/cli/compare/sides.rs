//! The sides of each comparison.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{anyhow, bail};
use rustc_hash::FxHashSet;

use crate::runs;
use rolecall_core::domain::{CellName, EpisodeId};
use rolecall_core::evaluation::{self, CorpusDifference, EpisodeResult, Overlap, Pairs, ResponsePairs};
use rolecall_core::log::RunRecord;
use rolecall_core::ports::Response;
use rolecall_core::text::{joined, visible};
use rolecall_run::registry::Registry;

/// A run with its results, by the name that was given first.
pub(super) struct ComparedRun {
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) record: RunRecord,
    pub(super) results: Vec<EpisodeResult>,
}

/// An argument: a run, and the cell of it that is named or all that it played.
pub(super) struct NamedRun {
    name: String,
    pub(super) run: Rc<ComparedRun>,
    cells: Vec<CellName>,
}

/// One cell of a run.
#[derive(Clone)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) run: Rc<ComparedRun>,
    pub(super) cell: CellName,
}

/// A comparison of two cells.
pub(super) struct Pair {
    pub(super) base: Side,
    pub(super) other: Side,
}

impl Side {
    /// Whether it is a cell of the same run.
    pub(super) fn is_of_run(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.run, &other.run)
    }

    /// Whether it is the same cell.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.is_of_run(other) && self.cell == other.cell
    }

    /// Its results.
    pub(super) fn results(&self) -> impl Iterator<Item = &EpisodeResult> {
        self.run.results.iter().filter(|result| result.episode.cell == self.cell)
    }
}

impl NamedRun {
    /// Reads the arguments; a run that several of them name is read once.
    pub(super) fn all(texts: &[String], registry: &Registry) -> anyhow::Result<Vec<Self>> {
        let mut all: Vec<Self> = Vec::new();
        for text in texts {
            all.push(Self::read(text, &all, registry)?);
        }
        Ok(all)
    }

    /// Reads an argument: a run if there is one of that name, else a run and a cell.
    fn read(text: &str, earlier: &[Self], registry: &Registry) -> anyhow::Result<Self> {
        let (folder, wanted) = runs::with_cell(text)?;
        let name = text.trim_end_matches('/').to_owned();
        let run = match earlier.iter().find(|other| other.run.folder == folder) {
            Some(same) => Rc::clone(&same.run),
            None => Rc::new(ComparedRun::read(name.clone(), folder, registry)?),
        };
        let mut cells = run.cells();
        if let Some(wanted) = wanted {
            cells = vec![runs::cell(text, wanted, &cells)?.clone()];
        }
        Ok(Self { name, run, cells })
    }

    fn side(&self, cell: &CellName) -> Side {
        Side {
            name: match self.cells.len() {
                0 | 1 => self.name.clone(),
                _ => format!("{}:{cell}", self.name),
            },
            run: Rc::clone(&self.run),
            cell: cell.clone(),
        }
    }
}

impl ComparedRun {
    /// Reads one.
    pub(super) fn read(name: String, folder: PathBuf, registry: &Registry) -> anyhow::Result<Self> {
        let record = RunRecord::read(&folder)?;
        let results = runs::results_in(&folder, &record, registry)?;
        Ok(Self { name, folder, record, results })
    }

    /// The cells that it has played, in the order of its config.
    fn cells(&self) -> Vec<CellName> {
        let mut cells: Vec<&CellName> = self.results.iter().map(|result| &result.episode.cell).collect();
        cells.dedup();
        cells.into_iter().cloned().collect()
    }
}

/// The comparisons: cells of a single run with the first that played any of their tasks;
/// else each run with the first, cell by cell.
pub(super) fn sides(given: &[NamedRun]) -> anyhow::Result<Vec<Pair>> {
    let [first, others @ ..] = given else {
        bail!("there is nothing to compare");
    };
    let mut sides = Vec::new();
    if others.is_empty() {
        let name = visible(&first.name);
        let (cell, more) = match &first.cells[..] {
            [] => bail!("`{name}` holds no episode"),
            [_] => {
                bail!("`{name}` has one cell only: name another run, or another cell as RUN:CELL")
            }
            [cell, more @ ..] => (cell, more),
        };
        let side = |cell: &CellName| Side { name: cell.to_string(), ..first.side(cell) };
        let pair = |(base, other): (&CellName, &CellName)| Pair { base: side(base), other: side(other) };
        let mut bases = bases(first);
        if bases.is_empty() {
            bases = more.iter().map(|other| (cell, other)).collect();
        }
        return Ok(bases.into_iter().map(pair).collect());
    }
    for other in others {
        let cells: Vec<(&CellName, &CellName)> = match (&first.cells[..], &other.cells[..]) {
            ([one], [two]) => vec![(one, two)],
            (ones, _) => ones.iter().filter(|cell| other.cells.contains(cell)).map(|cell| (cell, cell)).collect(),
        };
        let pairs: Vec<Pair> =
            cells.into_iter().map(|(base, cell)| Pair { base: first.side(base), other: other.side(cell) }).collect();
        if pairs.is_empty() {
            return Err(no_cells(first, other));
        }
        if let Some(pair) = pairs.iter().find(|pair| pair.base.is(&pair.other)) {
            bail!("`{}` would be compared with itself", visible(&pair.base.name));
        }
        sides.extend(pairs);
    }
    Ok(sides)
}

/// The cells of a run, each with the first one before it that played any of its tasks. Cells of which
/// there is none are left out.
fn bases(given: &NamedRun) -> Vec<(&CellName, &CellName)> {
    let mut earlier: Vec<(&CellName, FxHashSet<&str>)> = Vec::new();
    let mut pairs = Vec::new();
    for cell in &given.cells {
        let results = given.run.results.iter().filter(|result| result.episode.cell == *cell);
        let tasks: FxHashSet<&str> = results.map(|result| result.task.as_str()).collect();
        match earlier.iter().find(|(_, base)| !base.is_disjoint(&tasks)) {
            Some((base, _)) => pairs.push((*base, cell)),
            None => earlier.push((cell, tasks)),
        }
    }
    pairs
}

fn no_cells(first: &NamedRun, other: &NamedRun) -> anyhow::Error {
    let named = |given: &NamedRun| {
        let name = visible(&given.name);
        match &given.cells[..] {
            [] => format!("`{name}` holds no episode"),
            cells => format!("`{name}` has {}", joined(cells)),
        }
    };
    anyhow!("no cell is in both runs: {}; {} (write RUN:CELL)", named(first), named(other))
}

/// Episodes of different seeds are no pairs.
pub(super) fn check_seeds(sides: &[Pair]) -> anyhow::Result<()> {
    for Pair { base, other } in sides {
        let seed = base.run.record.seed;
        if base.is_of_run(other) || (seed == other.run.record.seed && seed.is_some()) {
            continue;
        }
        let seed = |side: &Side| match side.run.record.seed {
            Some(seed) => format!("`{}` has seed {}", visible(&side.run.name), seed.0),
            None => format!("`{}` does not say its seed", visible(&side.run.name)),
        };
        bail!(
            "the runs were not played with the same seed: {}, {}; play one again with the seed of \
             the other (run --seed), or compare them task by task with --by-task",
            seed(base),
            seed(other)
        );
    }
    Ok(())
}

/// The responses of runs, each read once.
#[derive(Default)]
pub(super) struct Responses(BTreeMap<PathBuf, BTreeMap<EpisodeId, Response>>);

impl Responses {
    /// The differences of all responses of the pairs together; and whether there are none because the
    /// responses are of several languages. Only logs of tasks that ask for responses are read.
    pub(super) fn compared(
        &mut self,
        sides: &Pair,
        pairs: &Pairs<'_>,
        registry: &Registry,
    ) -> anyhow::Result<(Vec<CorpusDifference>, bool)> {
        let has_figures = |result: &EpisodeResult| result.measures.names().any(|name| Overlap::named(name).is_some());
        if !pairs.pairs.iter().any(|pair| has_figures(pair.first) && has_figures(pair.second)) {
            return Ok((Vec::new(), false));
        }
        for side in [&sides.base, &sides.other] {
            self.read(&side.run, registry)?;
        }
        let of = |run: &ComparedRun, result: &EpisodeResult| self.0.get(&run.folder)?.get(&result.episode);
        let responses =
            |pair: &evaluation::Pair<'_>| Some([of(&sides.base.run, pair.first)?, of(&sides.other.run, pair.second)?]);
        let mut tasks: Vec<ResponsePairs<'_>> =
            pairs.tasks().map(|task| task.iter().filter_map(responses).collect()).collect();
        tasks.retain(|task| !task.is_empty());
        let found = CorpusDifference::all(&tasks);
        let several = found.is_empty() && !tasks.is_empty();
        Ok((found, several))
    }

    fn read(&mut self, run: &ComparedRun, registry: &Registry) -> anyhow::Result<()> {
        if self.0.contains_key(&run.folder) {
            return Ok(());
        }
        let mut responses = BTreeMap::new();
        for episode in runs::open(&run.folder)?.episodes()? {
            let episode = episode?;
            if let Some(response) = registry.response(&episode.log()) {
                responses.insert(episode.id, response);
            }
        }
        self.0.insert(run.folder.clone(), responses);
        Ok(())
    }
}
