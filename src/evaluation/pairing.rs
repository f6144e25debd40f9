//! Which episodes of two cells are compared with each other.

use super::{EpisodeResult, Standing};

/// The episodes of one cell, in the order of task, repeat and number.
#[derive(Clone, Debug, Default)]
pub struct Played<'a>(Vec<&'a EpisodeResult>);

/// One task, played for the same time by two cells.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The episode of the first cell.
    pub first: &'a EpisodeResult,
    /// The episode of the second cell.
    pub second: &'a EpisodeResult,
}

/// The pairs of two cells, those of a task side by side.
#[derive(Clone, Debug, Default)]
pub struct Pairs<'a> {
    /// Those of which both episodes count, in the order of task and repeat.
    pub pairs: Vec<Pair<'a>>,
    /// Episodes of the first and of the second cell that count and have no partner that counts.
    pub alone: (usize, usize),
}

impl<'a> Played<'a> {
    /// Takes the episodes of a cell, in whatever order.
    pub fn new(results: impl IntoIterator<Item = &'a EpisodeResult>) -> Self {
        let mut results: Vec<&'a EpisodeResult> = results.into_iter().collect();
        results.sort_unstable_by(|one, other| {
            let order = key(one).cmp(&key(other));
            order.then(one.episode.task.cmp(&other.episode.task))
        });
        Self(results)
    }

    /// The episodes.
    pub fn episodes(&self) -> &[&'a EpisodeResult] {
        &self.0
    }

    /// How many of them count.
    pub fn counted(&self) -> usize {
        self.0.iter().filter(|result| counts(result)).count()
    }
}

impl<'a> Pairs<'a> {
    /// Pairs the episodes by the task's name and the repeat. If a data set holds a name several
    /// times, its tasks are paired in their order.
    pub fn of(first: &Played<'a>, second: &Played<'a>) -> Self {
        let mut pairs = Vec::new();
        let (mut ones, mut others) = (first.0.iter().peekable(), second.0.iter().peekable());
        while let (Some(one), Some(other)) = (ones.peek(), others.peek()) {
            let order = key(one).cmp(&key(other));
            if order.is_eq() && counts(one) && counts(other) {
                pairs.push(Pair {
                    first: one,
                    second: other,
                });
            }
            if order.is_le() {
                ones.next();
            }
            if order.is_ge() {
                others.next();
            }
        }
        let alone = |played: &Played<'_>| played.counted() - pairs.len();
        Self {
            alone: (alone(first), alone(second)),
            pairs,
        }
    }

    /// The pairs of each task.
    pub fn tasks(&self) -> impl Iterator<Item = &[Pair<'a>]> {
        self.pairs
            .chunk_by(|one, other| one.first.task == other.first.task)
    }
}

fn key(result: &EpisodeResult) -> (&str, u32) {
    (&result.task, result.episode.repeat)
}

fn counts(result: &EpisodeResult) -> bool {
    result.standing() == Standing::Counted
}
