//! Many results together: by cell, by user and by task type.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::bootstrap::Part;
use super::interval::{mean_by_task, wilson_by_task};
use super::measures::number;
use super::pass::passes;
use super::{EpisodeResult, Estimate, FaultCount, ModelUse, Pass, Standing, wilson};
use crate::domain::CellName;
use crate::ports::Measurement;

/// The order of ReSpAct Table 1; other task types follow by name.
const KNOWN_KINDS: [&str; 6] = ["put", "clean", "heat", "cool", "examine", "puttwo"];

/// The only mean that has an interval by task type: there may be as many types as tasks.
const BOUNDED_BY_KIND: &str = "reward";

/// What a run came to. The same for the same results, whatever the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The metrics' names, in the order of their table.
    pub metrics: Vec<String>,
    /// The task types that occur, in the order of tables.
    pub kinds: Vec<String>,
    /// Everything together.
    pub total: Group,
    /// By cell and user.
    pub rows: Vec<Group>,
    /// By cell, user and task type.
    pub groups: Vec<Group>,
    /// What models did.
    pub models: ModelUse,
}

/// Episodes that are looked at together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Their cell, if they have one in common.
    pub cell: Option<CellName>,
    /// Their kind of user, if they have one in common.
    pub user: Option<String>,
    /// Their task type, if they have one in common.
    pub kind: Option<String>,
    /// Number of episodes, of whatever standing.
    pub episodes: usize,
    /// Those that count: all figures are over them.
    pub counted: usize,
    /// Those that something other than the agent broke.
    pub broken: usize,
    /// Those that were stopped.
    pub cancelled: usize,
    /// Those that the log does not end.
    pub unfinished: usize,
    /// The metrics' estimates, in the order of [`Summary::metrics`].
    pub estimates: Vec<Estimate>,
    /// Tasks that count at all.
    pub tasks: usize,
    /// What tasks come to in several tries; empty unless a cell and user has played some of them
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
        let position = |cell: &CellName| {
            let place = cells.iter().position(|listed| listed == cell);
            place.unwrap_or(cells.len())
        };
        let mut ordered: Vec<&EpisodeResult> = results.iter().collect();
        ordered.sort_by_cached_key(|result| (position(&result.episode.cell), &result.episode));
        let metrics = metric_names(&ordered);
        let kinds = kinds(&ordered);
        let mut rows: BTreeMap<_, Vec<&EpisodeResult>> = BTreeMap::new();
        let mut groups: BTreeMap<_, Vec<&EpisodeResult>> = BTreeMap::new();
        for result in &ordered {
            let cell = &result.episode.cell;
            let row = (position(cell), cell, &result.user);
            let kind = kinds.iter().position(|kind| *kind == result.kind);
            rows.entry(row).or_default().push(result);
            groups.entry((row, kind)).or_default().push(result);
        }
        let rows = rows.into_iter().map(|((_, cell, user), members)| {
            let group = Group::of(&members, &metrics, &|_| true);
            Group {
                cell: Some(cell.clone()),
                user: user.clone(),
                passes: passes(&Counted::of(&members).solved()),
                ..group
            }
        });
        let groups = groups
            .into_iter()
            .map(|(((_, cell, user), kind), members)| Group {
                cell: Some(cell.clone()),
                user: user.clone(),
                kind: kind.and_then(|kind| kinds.get(kind).cloned()),
                ..Group::of(&members, &metrics, &|name| name == BOUNDED_BY_KIND)
            });
        Self {
            rows: rows.collect(),
            groups: groups.collect(),
            total: Group::of(&ordered, &metrics, &|_| true),
            models: ModelUse::of(&ordered, &position),
            metrics,
            kinds,
        }
    }

    /// The estimate of a metric in a group; empty if there is no such metric.
    pub fn estimate(&self, group: &Group, metric: &str) -> Estimate {
        let place = self.metrics.iter().position(|name| name == metric);
        let found = place.and_then(|place| group.estimates.get(place));
        found.copied().unwrap_or_default()
    }

    /// The group of a row that has the task type.
    pub fn group(&self, row: &Group, kind: &str) -> Option<&Group> {
        self.groups.iter().find(|group| {
            group.cell == row.cell && group.user == row.user && group.kind.as_deref() == Some(kind)
        })
    }
}

impl Group {
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
        let counted = Counted::of(members);
        group.counted = counted.episodes.len();
        group.tasks = counted.tasks;
        let estimate = |name: &String| counted.estimate(name, bounded(name));
        group.estimates = metrics.iter().map(estimate).collect();
        group
    }
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
        let counted = members.iter().copied();
        let counted = counted.filter(|result| result.standing() == Standing::Counted);
        let numbered = counted.map(|result| {
            let next = numbers.len();
            (*numbers.entry(&result.task).or_insert(next), result)
        });
        Self {
            episodes: numbered.collect(),
            tasks: numbers.len(),
        }
    }

    /// Episodes and solved ones by task.
    fn solved(&self) -> Vec<Part> {
        let mut parts = vec![Part::default(); self.tasks];
        for (task, result) in &self.episodes {
            parts[*task].add(f64::from(u8::from(result.success)));
        }
        parts
    }

    fn estimate(&self, metric: &str, bounded: bool) -> Estimate {
        let figure =
            |(task, result): &(usize, &EpisodeResult)| (*task, result.measures.get(metric));
        estimate_of(self.tasks, self.episodes.iter().map(figure), bounded)
    }
}

/// A rate if every measurement is one, else a mean in which a yes is 1. Each measurement comes with the
/// number of its task; sums run in their order.
pub(super) fn estimate_of(
    tasks: usize,
    measured: impl ExactSizeIterator<Item = (usize, Measurement)>,
    bounded: bool,
) -> Estimate {
    let mut parts = vec![Part::default(); tasks];
    let mut values = Vec::with_capacity(measured.len());
    let mut rates_only = true;
    for (task, measurement) in measured {
        rates_only &= !matches!(measurement, Measurement::Value(_));
        if let Some(value) = number(measurement) {
            parts[task].add(value);
            values.push(value);
        }
    }
    let once = parts.iter().all(|part| part.n < 2.0);
    match (rates_only, once) {
        (true, true) => {
            let successes = values.iter().filter(|value| **value > 0.5).count();
            wilson(successes, values.len())
        }
        (true, false) => wilson_by_task(&parts),
        (false, _) if bounded => mean_by_task(&values, &parts),
        (false, _) => mean_by_task(&values, &[]),
    }
}

fn metric_names(results: &[&EpisodeResult]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for result in results {
        // Nearly always the same names in the same order.
        if result.measures.names().eq(names.iter().map(String::as_str)) {
            continue;
        }
        for name in result.measures.names() {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn kinds(results: &[&EpisodeResult]) -> Vec<String> {
    let kinds: BTreeSet<&str> = results.iter().map(|result| result.kind.as_str()).collect();
    let place = |kind: &str| {
        let known = KNOWN_KINDS.iter().position(|known| *known == kind);
        known.unwrap_or(KNOWN_KINDS.len())
    };
    let mut kinds: Vec<String> = kinds.into_iter().map(str::to_owned).collect();
    kinds.sort_by_key(|kind| place(kind));
    kinds
}
