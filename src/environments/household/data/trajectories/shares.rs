//! What a set of trajectories is made of.

use std::collections::BTreeMap;

use super::expert::ExpertEpisode;
use super::writer::{Kind, Origin};
use crate::reports::{Align, Table};

/// Counts over trajectories.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    trajectories: usize,
    /// Trajectories in which a task was solved.
    solving: usize,
    /// Tasks solved.
    solved: usize,
    moves: usize,
    rows: usize,
    masked: usize,
    queries: usize,
    kinds: BTreeMap<Kind, usize>,
}

impl Shares {
    /// The counts of one trajectory.
    pub(super) fn of(played: &ExpertEpisode<'_>) -> Self {
        let rows = &played.records;
        let count = |source| rows.iter().filter(|row| row.source == source).count();
        let mut kinds = BTreeMap::new();
        for row in rows {
            *kinds.entry(row.kind).or_default() += 1;
        }
        Self {
            trajectories: 1,
            solving: usize::from(played.solved > 0),
            solved: played.solved,
            moves: played.moves,
            rows: rows.len(),
            masked: count(Origin::Noise),
            queries: count(Origin::Query),
            kinds,
        }
    }

    /// Adds another trajectory.
    pub(super) fn add(&mut self, other: &Self) {
        self.trajectories += other.trajectories;
        self.solving += other.solving;
        self.solved += other.solved;
        self.moves += other.moves;
        self.rows += other.rows;
        self.masked += other.masked;
        self.queries += other.queries;
        for (kind, count) in &other.kinds {
            *self.kinds.entry(*kind).or_default() += count;
        }
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
        row("records", self.rows.to_string());
        for kind in Kind::ALL {
            let count = self.kinds.get(&kind).copied().unwrap_or(0);
            if count > 0 {
                row(
                    &format!("of these {}", kind.as_str()),
                    percent(count, self.rows),
                );
            }
        }
        if several_rounds {
            row(
                "of these inserted queries",
                percent(self.queries, self.rows),
            );
        }
        row("of these masked (train 0)", percent(self.masked, self.rows));
        let acts = self.kinds.get(&Kind::Act).copied().unwrap_or(0);
        row("noise among commands", percent(self.masked, acts));
        table
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn mean(sum: usize, count: usize) -> String {
    format!("{:.2}", sum as f64 / count.max(1) as f64)
}
