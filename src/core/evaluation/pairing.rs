//! Which episodes of two cells are compared with each other.

use rustc_hash::FxHashSet;

use super::{EpisodeResult, Standing};

/// An episode, as far as it must be known to find its partner.
pub trait Pairable {
    /// The task's name.
    fn task(&self) -> &str;

    /// The task's number in its data set.
    fn number(&self) -> u32;

    /// The how-many-th time the task was played, from 0.
    fn repeat(&self) -> u32;

    /// Whether the episode counts.
    fn counts(&self) -> bool;

    /// Whether it was begun and is not over.
    fn is_open(&self) -> bool {
        false
    }
}

impl Pairable for EpisodeResult {
    fn task(&self) -> &str {
        &self.task
    }

    fn number(&self) -> u32 {
        self.episode.task
    }

    fn repeat(&self) -> u32 {
        self.episode.repeat
    }

    fn counts(&self) -> bool {
        self.standing() == Standing::Counted
    }

    fn is_open(&self) -> bool {
        self.standing() == Standing::Unfinished
    }
}

/// The episodes of one cell, in the order of task, repeat and number.
#[derive(Clone, Debug)]
pub struct CellEpisodes<'a, T = EpisodeResult>(Vec<&'a T>);

/// One task, played for the same time by two cells.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a, T = EpisodeResult> {
    /// The episode of the first cell.
    pub first: &'a T,
    /// The episode of the second cell.
    pub second: &'a T,
}

/// The pairs of two cells, those of a task side by side.
#[derive(Clone, Debug)]
pub struct Pairs<'a, T = EpisodeResult> {
    /// Pairs of which both episodes count, in the order of task and repeat.
    pub pairs: Vec<Pair<'a, T>>,
    /// Episodes of the first and of the second cell that count and have no partner that counts.
    pub alone: (usize, usize),
    /// The first task, by the first cell's number, of which some episode of either cell is not over.
    pub first_open: Option<u32>,
}

impl Pair<'_> {
    /// 1 if only the second solved the task, -1 if only the first did.
    pub(super) fn gained(&self) -> i64 {
        i64::from(self.second.success) - i64::from(self.first.success)
    }
}

impl<'a, T: Pairable> CellEpisodes<'a, T> {
    /// Takes the episodes of a cell, in whatever order.
    pub fn new(results: impl IntoIterator<Item = &'a T>) -> Self {
        let mut results: Vec<&'a T> = results.into_iter().collect();
        results.sort_unstable_by(|one, other| {
            let order = key(*one).cmp(&key(*other));
            order.then(one.number().cmp(&other.number()))
        });
        Self(results)
    }

    /// The episodes.
    pub fn episodes(&self) -> &[&'a T] {
        &self.0
    }

    /// How many of them count.
    pub fn counted(&self) -> usize {
        self.0.iter().filter(|result| result.counts()).count()
    }
}

impl<'a, T: Pairable> Pairs<'a, T> {
    /// Pairs the episodes by the task's name and the repeat. If a data set holds a name several
    /// times, its tasks are paired in their order.
    pub fn of(first: &CellEpisodes<'a, T>, second: &CellEpisodes<'a, T>) -> Self {
        let mut pairs = Vec::new();
        let (mut ones, mut others) = (first.0.iter().peekable(), second.0.iter().peekable());
        while let (Some(&&one), Some(&&other)) = (ones.peek(), others.peek()) {
            let order = key(one).cmp(&key(other));
            if order.is_eq() && one.counts() && other.counts() {
                pairs.push(Pair { first: one, second: other });
            }
            if order.is_le() {
                ones.next();
            }
            if order.is_ge() {
                others.next();
            }
        }
        let alone = |played: &CellEpisodes<'_, T>| played.counted() - pairs.len();
        let open = first.0.iter().chain(&second.0).filter(|episode| episode.is_open()).map(|episode| episode.task());
        let open: FxHashSet<&str> = open.collect();
        let number = |episode: &&'a T| open.contains(episode.task()).then(|| episode.number());
        Self { first_open: first.0.iter().filter_map(number).min(), alone: (alone(first), alone(second)), pairs }
    }

    /// The pairs of each task.
    pub fn tasks(&self) -> impl Iterator<Item = &[Pair<'a, T>]> {
        self.pairs.chunk_by(|one, other| one.first.task() == other.first.task())
    }
}

fn key<T: Pairable>(played: &T) -> (&str, u32) {
    (played.task(), played.repeat())
}
