//! The order of goals, the parts into which they are split, and how one is drawn.

use std::ops::Range;

use super::Goal;
use crate::text::mt19937::PythonRandom;

/// Seed of the order of WebShop's goals.
const SEED: u64 = 233;

/// Brings goals, which are in the order of their products, into the official order.
pub fn shuffle<T>(goals: &mut [T]) {
    PythonRandom::new(SEED).shuffle(goals);
}

/// A part of the goals, as the code of WebShop's baselines splits them. The paper tells of 500 test, 1,000
/// development and the rest as training instructions too, without saying which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// The first 500.
    #[default]
    Test,
    /// The next 1,000.
    Dev,
    /// The others.
    Train,
}

names!(Split, name: Test => "test", Dev => "dev", Train => "train");

impl Split {
    /// The numbers of its goals, where there are so many in all.
    pub fn range(self, goals: usize) -> Range<usize> {
        let (from, to) = match self {
            Self::Test => (0, 500),
            Self::Dev => (500, 1500),
            Self::Train => (1500, goals),
        };
        from.min(goals)..to.min(goals)
    }
}

/// Draws goals by their weights, as the original does: one beside the place that was drawn. Goal 0 is never drawn
/// (if there is another), each other one with the weight of the one before it, the last with its own too.
#[derive(Clone, Debug)]
pub struct WeightedDraw {
    /// Sums of the weights of the first goals: of none, of one, ...
    sums: Vec<f64>,
}

impl WeightedDraw {
    /// For these goals.
    pub fn new(goals: &[Goal]) -> Self {
        let mut sum = 0.0;
        let sums = goals.iter().map(|goal| {
            sum += goal.weight;
            sum
        });
        Self { sums: std::iter::once(0.0).chain(sums).collect() }
    }

    /// The number of a goal; none if there are no goals.
    pub fn draw(&self, random: &mut PythonRandom) -> Option<usize> {
        let last = self.sums.len().checked_sub(2)?;
        let place = random.uniform(0.0, *self.sums.last()?);
        Some(self.sums.partition_point(|sum| *sum <= place).min(last))
    }
}
