//! The composition of a set of trajectories.

use std::collections::BTreeMap;

use super::expert::ExpertEpisode;
use super::writer::{Origin, OutputKind};
use rolecall_core::reports::{Align, Table};

/// Counts over trajectories.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    trajectories: usize,
    /// Trajectories in which a task was solved.
    solving: usize,
    /// Tasks solved.
    solved: usize,
    moves: usize,
    /// Rows by kind and origin.
    rows: BTreeMap<(OutputKind, Origin), usize>,
}

impl Shares {
    /// The counts of one trajectory.
    pub(super) fn of(played: &ExpertEpisode<'_>) -> Self {
        let mut rows = BTreeMap::new();
        for row in &played.records {
            *rows.entry((row.kind, row.source)).or_default() += 1;
        }
        Self {
            trajectories: 1,
            solving: usize::from(played.solved > 0),
            solved: played.solved,
            moves: played.moves,
            rows,
        }
    }

    /// Adds another trajectory.
    pub(super) fn add(&mut self, other: &Self) {
        self.trajectories += other.trajectories;
        self.solving += other.solving;
        self.solved += other.solved;
        self.moves += other.moves;
        for (key, count) in &other.rows {
            *self.rows.entry(*key).or_default() += count;
        }
    }

    fn count(&self, counts: impl Fn(OutputKind, Origin) -> bool) -> usize {
        self.rows.iter().filter(|((kind, origin), _)| counts(*kind, *origin)).map(|(_, count)| count).sum()
    }

    /// A table of all counts and shares.
    pub(super) fn table(&self, title: &str, several_rounds: bool) -> Table {
        let mut table = Table::new(title).key("").column("", Align::Right);
        let mut row = |name: &str, figure: String| table.row(vec![name.to_owned(), figure]);
        row("trajectories", self.trajectories.to_string());
        row("solved", percent(self.solving, self.trajectories));
        if several_rounds {
            row("tasks solved, mean", mean(self.solved, self.trajectories));
        }
        row("moves", self.moves.to_string());
        row("moves, mean", mean(self.moves, self.trajectories));
        let rows = self.count(|_, _| true);
        row("records", rows.to_string());
        for (kind, word) in OutputKind::ALL {
            let count = self.count(|of, _| of == kind);
            if count > 0 {
                row(&format!("of these {word}"), percent(count, rows));
            }
        }
        if several_rounds {
            let queries = self.count(|_, origin| origin == Origin::Query);
            row("of these inserted queries", percent(queries, rows));
        }
        let masked = self.count(|_, origin| origin == Origin::Noise);
        row("of these masked (train 0)", percent(masked, rows));
        let acts = self.count(|kind, _| kind == OutputKind::Act);
        row("noise among commands", percent(masked, acts));
        table
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn mean(sum: usize, count: usize) -> String {
    format!("{:.2}", sum as f64 / count.max(1) as f64)
}
