//! Parts of episodes that are kept for figures that need all of them at the end.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::domain::{Ending, PublicTask};
use crate::evaluation::{Estimate, Pairable, Standing, estimate_of};
use crate::ports::{EpisodeLog, Measurement};

/// An episode, as far as it is compared with others: some forty bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    task: Arc<str>,
    number: u32,
    repeat: u32,
    /// Steps that were taken.
    pub(super) steps: u32,
    /// Questions that were asked.
    pub(super) questions: u32,
    /// It was solved.
    pub(super) success: bool,
    counts: bool,
}

impl Pairable for Game {
    fn task(&self) -> &str {
        &self.task
    }

    fn number(&self) -> u32 {
        self.number
    }

    fn repeat(&self) -> u32 {
        self.repeat
    }

    fn counts(&self) -> bool {
        self.counts
    }
}

impl Game {
    /// Reads the game of an episode.
    pub fn of(log: &EpisodeLog<'_>) -> Self {
        let (outcome, counts) = (log.outcome(), log.counts());
        let task = log.opened().map_or("", |opened| &opened.task.id);
        Self {
            task: task.into(),
            number: log.id.task,
            repeat: log.id.repeat,
            steps: counts.steps,
            questions: counts.questions,
            success: outcome.is_some_and(|outcome| outcome.success),
            counts: standing(log) == Standing::Counted,
        }
    }
}

/// Episodes in the order in which they came. Those of one task share its name.
#[derive(Clone, Debug, Default)]
pub struct Games {
    names: FxHashSet<Arc<str>>,
    played: Vec<Game>,
}

impl Games {
    /// Adds an episode.
    pub fn push(&mut self, mut game: Game) {
        game.task = self.name(&game.task);
        self.played.push(game);
    }

    fn name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        let new: Arc<str> = name.into();
        self.names.insert(Arc::clone(&new));
        new
    }

    /// Task and success, 1 or 0, of the episodes that count.
    pub(super) fn scores(&self) -> impl Iterator<Item = (String, f64)> {
        self.played
            .iter()
            .filter(|game| game.counts)
            .map(|game| (game.task.to_string(), f64::from(u8::from(game.success))))
    }

    /// The episodes.
    pub(super) fn played(&self) -> &[Game] {
        &self.played
    }
}

/// Whether an episode counts.
pub(super) fn standing(log: &EpisodeLog<'_>) -> Standing {
    let ending: Option<&Ending> = log.outcome().map(|outcome| &outcome.ending);
    Standing::of(ending)
}

/// Which tasks were played: of each the hash of its public part, which may be large.
#[derive(Clone, Debug, Default)]
pub(super) struct Tasks(FxHashMap<Box<str>, blake3::Hash>);

impl Tasks {
    /// Notes a task; of several with one name the first.
    pub(super) fn add(&mut self, task: &PublicTask) {
        if !self.0.contains_key(task.id.as_str()) {
            self.0.insert(task.id.as_str().into(), hash(task));
        }
    }

    /// Whether some task is in both, with the same public part.
    pub(super) fn share_one_with(&self, other: &Self) -> bool {
        let mut tasks = self.0.iter();
        tasks.any(|(name, hash)| other.0.get(name) == Some(hash))
    }
}

/// The hash of everything that is public. The order of fields says nothing.
fn hash(task: &PublicTask) -> blake3::Hash {
    let mut data = task.data.clone();
    data.sort_all_objects();
    let parts = serde_json::json!({ "kind": task.kind, "text": task.text });
    let mut hasher = blake3::Hasher::new();
    // Names, texts and numbers always have a JSON form, and a hasher takes everything.
    let _ = serde_json::to_writer(&mut hasher, &(&task.id, parts, data));
    hasher.finalize()
}

/// The figures of the episodes of a row that count.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    /// Of one episode after the other, those of all metrics; no number where there is none.
    values: Vec<f64>,
    /// Which metrics gave a quantity at least once, so that they are no rates.
    quantities: Vec<bool>,
}

impl Figures {
    /// Adds what the metrics measured in an episode that counts.
    pub(super) fn add(&mut self, measured: &[Measurement]) {
        self.quantities.resize(measured.len(), false);
        for (measurement, is_quantity) in measured.iter().zip(&mut self.quantities) {
            let value = match *measurement {
                Measurement::Rate(yes) => f64::from(u8::from(yes)),
                // One that is infinite or not a number says nothing.
                Measurement::Value(value) if value.is_finite() => {
                    *is_quantity = true;
                    value
                }
                Measurement::Value(_) | Measurement::Share { .. } | Measurement::Sum { .. } | Measurement::Absent => {
                    f64::NAN
                }
            };
            self.values.push(value);
        }
    }

    /// The estimate of the metric with this place. `games` are the same episodes in the same order, with
    /// those among them that do not count.
    pub(super) fn estimate(&self, metric: usize, games: &[Game]) -> Estimate {
        let Some(is_quantity) = self.quantities.get(metric).copied() else {
            return Estimate::Empty;
        };
        let counted = games.iter().filter(|game| game.counts());
        let figures = self.values.chunks_exact(self.quantities.len());
        let mut ordered: Vec<(&Game, &[f64])> = counted.zip(figures).collect();
        ordered.sort_by_key(|(game, _)| (game.number(), game.repeat()));
        let mut tasks: FxHashMap<&str, usize> = FxHashMap::default();
        let mut measured = Vec::with_capacity(ordered.len());
        for (game, values) in ordered {
            let next = tasks.len();
            let task = *tasks.entry(game.task()).or_insert(next);
            let value = values.get(metric).copied().filter(|value| !value.is_nan());
            let measurement = match value {
                None => Measurement::Absent,
                Some(value) if is_quantity => Measurement::Value(value),
                Some(value) => Measurement::Rate(value > 0.5),
            };
            measured.push((task, measurement));
        }
        estimate_of(tasks.len(), measured.into_iter(), true)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tasks(all: &[(&str, serde_json::Value)]) -> Tasks {
        let mut tasks = Tasks::default();
        for (name, data) in all {
            tasks.add(&PublicTask { data: data.clone(), ..PublicTask::new(*name, "kind", "text") });
        }
        tasks
    }

    #[test]
    fn tasks_are_the_same_if_name_and_data_are_whatever_the_order_of_fields() {
        let one = tasks(&[("a", json!({"x": 1, "y": {"p": 2, "q": 3}}))]);
        let turned = tasks(&[("a", json!({"y": {"q": 3, "p": 2}, "x": 1}))]);
        assert!(one.share_one_with(&turned) && turned.share_one_with(&one));
        let others = [
            tasks(&[("b", json!({"x": 1, "y": {"p": 2, "q": 3}}))]),
            tasks(&[("a", json!({"x": 1, "y": {"p": 2, "q": 4}}))]),
            tasks(&[]),
        ];
        for other in &others {
            assert!(!one.share_one_with(other) && !other.share_one_with(&one));
        }
        // The first of one name is the one that counts.
        let first = tasks(&[("a", json!(1)), ("a", json!(2))]);
        assert!(first.share_one_with(&tasks(&[("a", json!(1))])));
        assert!(!first.share_one_with(&tasks(&[("a", json!(2))])));
    }
}
