//! Many results together: by cell, by user and by task type.

use std::collections::{BTreeMap, BTreeSet};

use super::{EpisodeResult, Estimate, FaultCount, ModelUse, Standing, mean, wilson};
use crate::domain::CellName;
use crate::ports::Measurement;

/// The order of ReSpAct Table 1; other task types follow by name.
const KNOWN_KINDS: [&str; 6] = ["put", "clean", "heat", "cool", "examine", "puttwo"];

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
        let rows = rows.into_iter().map(|((_, cell, user), members)| Group {
            cell: Some(cell.clone()),
            user: user.clone(),
            ..Group::of(&members, &metrics)
        });
        let groups = groups
            .into_iter()
            .map(|(((_, cell, user), kind), members)| Group {
                cell: Some(cell.clone()),
                user: user.clone(),
                kind: kind.and_then(|kind| kinds.get(kind).cloned()),
                ..Group::of(&members, &metrics)
            });
        Self {
            rows: rows.collect(),
            groups: groups.collect(),
            total: Group::of(&ordered, &metrics),
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
    fn of(members: &[&EpisodeResult], metrics: &[String]) -> Self {
        let mut group = Self::default();
        let mut counted = Vec::new();
        for result in members {
            group.episodes += 1;
            match result.standing() {
                Standing::Counted => counted.push(*result),
                Standing::Broken => group.broken += 1,
                Standing::Cancelled => group.cancelled += 1,
                Standing::Unfinished => group.unfinished += 1,
            }
            *group.endings.entry(result.ending_label()).or_default() += 1;
            for fault in &result.faults {
                FaultCount::add(&mut group.faults, &fault.seat, fault.kind, fault.count);
            }
        }
        group.counted = counted.len();
        group.estimates = metrics
            .iter()
            .map(|name| estimate(&counted, name))
            .collect();
        group
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

/// A rate if every measurement is one, else a mean in which a yes is 1.
fn estimate(results: &[&EpisodeResult], metric: &str) -> Estimate {
    let mut values = Vec::new();
    let mut rates_only = true;
    for result in results {
        match result.measures.get(metric) {
            Measurement::Rate(yes) => values.push(f64::from(u8::from(yes))),
            Measurement::Value(value) => {
                rates_only = false;
                values.push(value);
            }
            Measurement::Absent => {}
        }
    }
    if rates_only {
        let successes = values.iter().filter(|value| **value > 0.5).count();
        return wilson(successes, values.len());
    }
    mean(&values)
}
