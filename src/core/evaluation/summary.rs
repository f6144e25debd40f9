//! Many results together: by cell, by user, by task type and by the tasks' other groups.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::bootstrap::{Pool, TaskSum};
use super::interval::{mean_by_task, mean_of_all, pooled, wilson_by_task};
use super::pass::passes;
use super::{EpisodeResult, Estimate, FaultCount, KIND, ModelUse, Pass, SUCCESS, Standing, wilson};
use crate::domain::CellName;
use crate::log::position;
use crate::ports::Measurement;
use crate::text::unique;

/// The only mean that has an interval by task type: there may be as many types as tasks.
const BOUNDED_BY_KIND: &str = "reward";

/// The figures of a run. The same for the same results, whatever the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The metrics' names, in the order of their table.
    pub metrics: Vec<String>,
    /// The task types that occur, in the order of tables.
    pub kinds: Vec<String>,
    /// The metrics that tell how good an episode is, by those task types of which success says little: for
    /// these, tables show them in its place ([`Summary::told_by`]).
    pub measures: BTreeMap<String, Vec<String>>,
    /// Everything together.
    pub total: Group,
    /// The group of tasks by whose values rows are told apart, if that was asked for.
    pub by: Option<String>,
    /// By cell and user, and by the value of that group.
    pub rows: Vec<Group>,
    /// By row and task type.
    pub groups: Vec<Group>,
    /// By row and each of the tasks' other groups, in the order of their names.
    pub breakdowns: Vec<Breakdown>,
    /// The calls of models.
    pub models: ModelUse,
}

/// Rows broken down by a group of tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// The group's name.
    pub name: String,
    /// Its values that occur, by name.
    pub values: Vec<String>,
    /// By row and value, which is their [`Group::kind`].
    pub groups: Vec<Group>,
}

/// Episodes that are looked at together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Their cell, if they have one in common.
    pub cell: Option<CellName>,
    /// Their kind of user, if they have one in common.
    pub user: Option<String>,
    /// Their value of the group of [`Summary::by`], if they have one in common.
    pub value: Option<String>,
    /// Their task type, or their value of the group that a breakdown is by.
    pub kind: Option<String>,
    /// Number of episodes, of whatever standing.
    pub episodes: usize,
    /// Episodes that count: all figures are over them.
    pub counted: usize,
    /// Episodes that something other than the agent broke.
    pub broken: usize,
    /// Episodes that were stopped.
    pub cancelled: usize,
    /// Episodes that the log does not end.
    pub unfinished: usize,
    /// The group without the episodes that ended at the window of a model or a filter; none if there are none.
    pub answered: Option<Box<Group>>,
    /// The metrics' estimates, in the order of [`Summary::metrics`].
    pub estimates: Vec<Estimate>,
    /// Tasks that count at all.
    pub tasks: usize,
    /// Chances of several tries at a task; empty unless a cell and user has played some of them
    /// several times.
    pub passes: Vec<Pass>,
    /// How many episodes ended how, by the ending's label.
    pub endings: BTreeMap<String, usize>,
    /// Who failed how often.
    pub faults: Vec<FaultCount>,
}

impl Summary {
    /// Sums up results. Cells come in the given order, others after them by name; sums run in the
    /// order cell, task, repeat.
    pub fn of(results: &[EpisodeResult], cells: &[CellName]) -> Self {
        Self::by(results, cells, None)
    }

    /// Sums up results, with a row for each value of a group of tasks as well.
    pub fn by(results: &[EpisodeResult], cells: &[CellName], by: Option<&str>) -> Self {
        let ordered = in_order(results, cells);
        let metrics = metric_names(ordered.iter().copied());
        let metrics: Vec<String> = metrics.into_iter().map(str::to_owned).collect();
        let kinds = kinds(&ordered);
        let mut rows: BTreeMap<_, Vec<&EpisodeResult>> = BTreeMap::new();
        for result in &ordered {
            let cell = &result.episode.cell;
            let value = by.and_then(|by| result.group(by));
            let row = (position(cells, cell), cell, &result.user, value);
            rows.entry(row).or_default().push(result);
        }
        let rows = rows.into_iter().map(|((_, cell, user, value), members)| {
            let group = Group {
                cell: Some(cell.clone()),
                user: user.clone(),
                value: value.map(str::to_owned),
                passes: passes(&Counted::of(&members).solved()),
                ..Group::of(&members, &metrics, &|_| true)
            };
            (group, members)
        });
        let rows: Vec<Row<'_>> = rows.collect();
        Self {
            by: by.map(str::to_owned),
            breakdowns: Breakdown::all(&rows, &metrics),
            groups: Breakdown::of(KIND, kinds.clone(), &rows, &metrics).groups,
            rows: rows.into_iter().map(|(row, _)| row).collect(),
            total: Group::of(&ordered, &metrics, &|_| true),
            models: ModelUse::of(&ordered, cells),
            measures: BTreeMap::new(),
            metrics,
            kinds,
        }
    }

    /// Adds the measures of each task type that has any, and their intervals by task type, from the results and cells
    /// of the summary.
    #[must_use]
    pub fn told_by(
        mut self,
        results: &[EpisodeResult],
        cells: &[CellName],
        measures: &dyn Fn(&str) -> &'static [&'static str],
    ) -> Self {
        for kind in &self.kinds {
            let known = measures(kind).iter().map(|name| (*name).to_owned());
            let known: Vec<String> = known.filter(|name| self.metrics.contains(name)).collect();
            if !known.is_empty() {
                self.measures.insert(kind.clone(), known);
            }
        }
        if self.measures.is_empty() {
            return self;
        }
        let by = self.by.as_deref();
        let mut members: FxHashMap<_, Vec<&EpisodeResult>> = FxHashMap::default();
        for result in in_order(results, cells) {
            let value = by.and_then(|by| result.group(by));
            let row = (Some(&result.episode.cell), result.user.as_deref(), value);
            members.entry((row, result.kind.as_str())).or_default().push(result);
        }
        for group in &mut self.groups {
            let kind = group.kind.clone().unwrap_or_default();
            let found = members.get(&(group.row(), kind.as_str())).map(|members| Counted::of(members));
            for name in self.measures.get(&kind).into_iter().flatten() {
                let place = self.metrics.iter().position(|metric| metric == name);
                let bounded = found.as_ref().map(|counted| counted.estimate(name, true));
                if let (Some(place), Some(bounded)) = (place, bounded) {
                    group.estimates[place] = bounded;
                }
            }
        }
        self
    }

    /// Whether there is any task type of which success says enough.
    pub fn success_counts(&self) -> bool {
        self.kinds.iter().any(|kind| !self.measures.contains_key(kind))
    }

    /// Whether success is shown of any task type.
    pub fn shows_success(&self) -> bool {
        self.success_counts() || self.measures.values().flatten().any(|name| name == SUCCESS)
    }

    /// The metrics that are named first: success where it says enough, and the first measure of each other type.
    pub fn headlines(&self) -> Vec<&str> {
        let success = self.success_counts().then_some(SUCCESS);
        let measures = self.measures.values().filter_map(|names| Some(names.first()?.as_str()));
        unique(success.into_iter().chain(measures))
    }

    /// Puts task types in this order; others come after them by name.
    #[must_use]
    pub fn in_order(mut self, kinds: &[&str]) -> Self {
        let place = |kind: &String| {
            let known = kinds.iter().position(|known| known == kind);
            known.unwrap_or(kinds.len())
        };
        self.kinds.sort_by_key(place);
        let same = |one: &Group, other: &Group| one.cell == other.cell && one.user == other.user;
        for row in self.groups.chunk_by_mut(same) {
            row.sort_by_key(|group| group.kind.as_ref().map(place));
        }
        self
    }

    /// The estimate of a metric in a group; empty if there is no such metric.
    pub fn estimate(&self, group: &Group, metric: &str) -> Estimate {
        let place = self.metrics.iter().position(|name| name == metric);
        place.and_then(|place| group.estimates.get(place)).copied().unwrap_or_default()
    }
}

/// A row, and the episodes in it.
type Row<'a> = (Group, Vec<&'a EpisodeResult>);

impl Breakdown {
    /// By each group that occurs.
    fn all(rows: &[Row<'_>], metrics: &[String]) -> Vec<Self> {
        let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let results = rows.iter().flat_map(|(_, members)| members);
        for (name, value) in results.flat_map(|result| &result.groups) {
            values.entry(name).or_default().insert(value);
        }
        values.remove(KIND);
        values
            .into_iter()
            .map(|(name, values)| {
                let values = values.into_iter().map(str::to_owned).collect();
                Self::of(name, values, rows, metrics)
            })
            .collect()
    }

    fn of(name: &str, values: Vec<String>, rows: &[Row<'_>], metrics: &[String]) -> Self {
        let mut groups = Vec::new();
        let places: FxHashMap<&str, usize> = values.iter().map(String::as_str).zip(0..).collect();
        for (row, members) in rows {
            let mut parts = vec![Vec::new(); values.len()];
            for result in members {
                let place = result.group(name).and_then(|value| places.get(value));
                if let Some(place) = place {
                    parts[*place].push(*result);
                }
            }
            let parts = values.iter().zip(parts).filter(|(_, members)| !members.is_empty());
            groups.extend(parts.map(|(value, members)| Group {
                cell: row.cell.clone(),
                user: row.user.clone(),
                value: row.value.clone(),
                kind: Some(value.clone()),
                ..Group::of(&members, metrics, &|name| name == BOUNDED_BY_KIND)
            }));
        }
        Self { name: name.to_owned(), groups, values }
    }
}

impl Group {
    /// The cell, user and value that the row, or the row that it is part of, has in common.
    pub fn row(&self) -> (Option<&CellName>, Option<&str>, Option<&str>) {
        let (user, value) = (self.user.as_deref(), self.value.as_deref());
        (self.cell.as_ref(), user, value)
    }

    /// The part of this row that has the task type or value.
    pub fn among<'a>(&self, groups: &'a [Self], kind: &str) -> Option<&'a Self> {
        groups.iter().filter(|group| group.row() == self.row()).find(|group| group.kind.as_deref() == Some(kind))
    }

    /// Number of episodes that ended at the window of a model or a filter.
    pub fn withheld(&self) -> usize {
        self.answered.as_ref().map_or(0, |answered| self.counted - answered.counted)
    }

    /// Means have intervals if that is wanted of their metric.
    fn of(members: &[&EpisodeResult], metrics: &[String], bounded: &dyn Fn(&str) -> bool) -> Self {
        let mut group = Self::default();
        for result in members {
            group.episodes += 1;
            match result.standing() {
                Standing::Counted => {}
                Standing::Broken => group.broken += 1,
                Standing::Cancelled => group.cancelled += 1,
                Standing::Unfinished => group.unfinished += 1,
            }
            *group.endings.entry(result.ending_label()).or_default() += 1;
            for fault in &result.faults {
                FaultCount::add(&mut group.faults, &fault.seat, fault.kind, fault.count);
            }
        }
        let answered: Vec<_> = members.iter().copied().filter(|result| !result.is_withheld()).collect();
        if answered.len() < members.len() {
            group.answered = Some(Box::new(Self::of(&answered, metrics, bounded)));
        }
        let counted = Counted::of(members);
        group.counted = counted.episodes.len();
        group.tasks = counted.tasks;
        let estimate = |name: &String| counted.estimate(name, bounded(name));
        group.estimates = metrics.iter().map(estimate).collect();
        group
    }
}

/// Results in canonical order, given the cells of the run.
pub fn in_order<'a>(results: &'a [EpisodeResult], cells: &[CellName]) -> Vec<&'a EpisodeResult> {
    let mut ordered: Vec<&EpisodeResult> = results.iter().collect();
    ordered.sort_by_cached_key(|result| {
        let id = &result.episode;
        (position(cells, &id.cell) as u32, id.clone())
    });
    ordered
}

/// The estimate of one metric over those of the results that count. A task that several of them
/// played is one sample.
pub fn estimate(results: &[&EpisodeResult], metric: &str) -> Estimate {
    Counted::of(results).estimate(metric, true)
}

/// The episodes of a group that count, each with the number of its task within the group.
struct Counted<'a> {
    episodes: Vec<(usize, &'a EpisodeResult)>,
    tasks: usize,
}

impl<'a> Counted<'a> {
    /// Cells play the same tasks: those of one name are one task.
    fn of(members: &[&'a EpisodeResult]) -> Self {
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        let counted = members.iter().copied().filter(|result| result.standing() == Standing::Counted);
        let numbered = counted.map(|result| {
            let next = numbers.len();
            (*numbers.entry(&result.task).or_insert(next), result)
        });
        Self { episodes: numbered.collect(), tasks: numbers.len() }
    }

    /// Episodes and solved ones by task.
    fn solved(&self) -> Vec<TaskSum> {
        let mut parts = vec![TaskSum::default(); self.tasks];
        for (task, result) in &self.episodes {
            parts[*task].add(f64::from(u8::from(result.success)));
        }
        parts
    }

    fn estimate(&self, metric: &str, bounded: bool) -> Estimate {
        let of = |(task, result): &(usize, &EpisodeResult)| (*task, result.measures.get(metric));
        estimate_of(self.tasks, self.episodes.iter().map(of), bounded)
    }
}

/// A rate, a share or a mean of all values where every measurement is a rate, a share or a sum, else a mean in which a
/// yes is 1. Each measurement comes with the number of its task; sums run in their order.
pub fn estimate_of(
    tasks: usize,
    measured: impl ExactSizeIterator<Item = (usize, Measurement)>,
    bounded: bool,
) -> Estimate {
    let mut parts = vec![TaskSum::default(); tasks];
    let mut shares = parts.clone();
    let mut values = Vec::with_capacity(measured.len());
    let (mut rates_only, mut pool) = (true, None);
    for (task, measurement) in measured {
        let Some(value) = measurement.number() else {
            continue;
        };
        parts[task].add(value);
        values.push(value);
        rates_only &= matches!(measurement, Measurement::Rate(_));
        pool = Pool::and(pool, shares[task].pool(measurement));
    }
    let once = parts.iter().all(|part| part.n < 2.0);
    match (rates_only, once) {
        (true, true) => {
            let successes = values.iter().filter(|value| **value > 0.5).count();
            wilson(successes, values.len())
        }
        (true, false) => wilson_by_task(&parts),
        (false, _) if pool == Some(Pool::Share) => pooled(&values, &shares),
        (false, _) if pool == Some(Pool::Sum) => mean_of_all(values.len(), &shares, bounded),
        (false, _) if bounded => mean_by_task(&values, &parts),
        (false, _) => mean_by_task(&values, &[]),
    }
}

/// The names of the metrics of all results, in the order in which they come.
pub fn metric_names<'a>(results: impl IntoIterator<Item = &'a EpisodeResult>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
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
    names
}

fn kinds(results: &[&EpisodeResult]) -> Vec<String> {
    let kinds: BTreeSet<&str> = results.iter().map(|result| result.kind.as_str()).collect();
    kinds.into_iter().map(str::to_owned).collect()
}
