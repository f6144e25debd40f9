//! Figures of metrics over the episodes that count: one number for each metric and episode is kept until
//! the end, where they are summed up as a report does it.

use rustc_hash::FxHashMap;

use super::games::Game;
use crate::evaluation::{Estimate, Pairable, estimate_of};
use crate::ports::Measurement;

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
