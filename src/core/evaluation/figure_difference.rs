//! A figure of two groups of episodes that need not be cells of the same size: what lies between them, with an
//! interval that knows of the tasks that both played.

use std::collections::BTreeMap;

use super::bootstrap::{self, Pool, TaskSum};
use super::interval::Bounded;
use super::paired::unbounded;
use super::{Estimate, estimate_of};
use crate::ports::Measurement;

/// The name of an episode's task, and a measurement of the episode.
pub type TaskMeasurement<'a> = (&'a str, Measurement);

/// The figure of a second group minus that of a first one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FigureDifference {
    /// The difference, in the unit of the figure.
    pub value: f64,
    /// Its 95 % interval; none where it has no width, or one of the figures has none.
    pub interval: Option<(f64, f64)>,
    /// The tasks that both played.
    pub tasks: TaskTally,
}

/// How the tasks that two groups both played came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskTally {
    /// Tasks whose mean is the same.
    pub alike: usize,
    /// Tasks in which the second is above the first.
    pub above: usize,
    /// Tasks in which it is below.
    pub below: usize,
}

impl TaskTally {
    /// Number of tasks.
    pub fn all(&self) -> usize {
        self.alike + self.above + self.below
    }
}

/// The estimate of what was measured, in which a task is one sample.
pub fn estimate_by_task(measured: &[TaskMeasurement<'_>]) -> Estimate {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let numbered = measured.iter().map(|(task, measurement)| {
        let next = numbers.len();
        (*numbers.entry(task).or_insert(next), *measurement)
    });
    let numbered: Vec<(usize, Measurement)> = numbered.collect();
    estimate_of(numbers.len(), numbered.into_iter(), true)
}

impl FigureDifference {
    /// Compares two groups. Means over the same tasks have the bootstrap interval of the tasks' differences;
    /// otherwise the intervals of both figures are joined by the correlation of the tasks' parts in them (Zou and
    /// Donner 2008). None if one of them has no figure.
    pub fn of(first: &[TaskMeasurement<'_>], second: &[TaskMeasurement<'_>]) -> Option<Self> {
        let figures = [first, second].map(estimate_by_task);
        let [one, other] = [figures[0].value()?, figures[1].value()?];
        let sides = [sums(first, &figures[0]), sums(second, &figures[1])];
        let bounded = |estimate: &Estimate, value| {
            let (low, high) = estimate.interval()?;
            Some(Bounded { value, low, high })
        };
        let both = bounded(&figures[0], one).zip(bounded(&figures[1], other));
        let joined = || {
            let (one, other) = both?;
            let found = unbounded(one, other, correlation(&sides, &figures));
            Some((found.low, found.high))
        };
        let means = figures.iter().all(|figure| matches!(figure, Estimate::Mean { .. }));
        let ends = match paired(&sides).filter(|_| means) {
            Some(parts) => bootstrap::interval(&parts),
            None => joined(),
        };
        Some(Self { value: other - one, interval: ends.filter(|(low, high)| high - low > 1e-12), tasks: tally(&sides) })
    }
}

type Sums<'a> = BTreeMap<&'a str, TaskSum>;

/// The parts of a figure by task: hits of shares where they are pooled, else values.
fn sums<'a>(measured: &[TaskMeasurement<'a>], figure: &Estimate) -> Sums<'a> {
    let mut sums = Sums::new();
    let pooled = matches!(figure, Estimate::Pooled { .. });
    let sums_only = measured.iter().all(|(_, one)| matches!(one, Measurement::Sum { .. } | Measurement::Absent));
    for (task, measurement) in measured {
        if let Some(value) = measurement.number() {
            let sum = sums.entry(task).or_default();
            if !(pooled || sums_only) || sum.pool(*measurement) == Pool::None {
                sum.add(value);
            }
        }
    }
    sums
}

/// The differences of tasks, if both sides have the same tasks and the same number of values of each.
fn paired(sides: &[Sums<'_>; 2]) -> Option<Vec<TaskSum>> {
    let [first, second] = sides;
    let part = |(task, sum): (&&str, &TaskSum)| {
        let other = second.get(task)?;
        let same = (sum.n - other.n).abs() < 0.5;
        same.then(|| TaskSum::new(other.sum - sum.sum, sum.n))
    };
    let parts: Vec<TaskSum> = first.iter().map(part).collect::<Option<_>>()?;
    (parts.len() == second.len()).then_some(parts)
}

/// The correlation of what tasks add to both figures; 0 where one of them never changes.
fn correlation(sides: &[Sums<'_>; 2], figures: &[Estimate; 2]) -> f64 {
    let rest = |side: usize, part: &TaskSum| part.sum - figures[side].value().unwrap_or(0.0) * part.n;
    let squares = [0, 1].map(|side: usize| sides[side].values().map(|part| rest(side, part).powi(2)).sum::<f64>());
    let products = sides[0].iter().filter_map(|(task, part)| {
        let other = sides[1].get(task)?;
        Some(rest(0, part) * rest(1, other))
    });
    let size = (squares[0] * squares[1]).sqrt();
    if size > 1e-12 { products.sum::<f64>() / size } else { 0.0 }
}

fn tally(sides: &[Sums<'_>; 2]) -> TaskTally {
    let mut tally = TaskTally::default();
    for (task, first) in &sides[0] {
        let Some(second) = sides[1].get(task) else {
            continue;
        };
        let difference = second.sum / second.n - first.sum / first.n;
        match difference {
            _ if difference.abs() <= 1e-12 => tally.alike += 1,
            _ if difference > 0.0 => tally.above += 1,
            _ => tally.below += 1,
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

    fn values(of: &[f64]) -> Vec<TaskMeasurement<'static>> {
        let of = of.iter().map(|value| Measurement::Value(*value));
        NAMES.into_iter().zip(of).collect()
    }

    fn width(found: &FigureDifference) -> f64 {
        let (low, high) = found.interval.unwrap();
        assert!(low <= found.value && found.value <= high, "{found:?}");
        high - low
    }

    #[test]
    fn tasks_that_both_played_make_the_interval_narrower() {
        let first = values(&[1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 3.0, 9.0]);
        let alike = values(&[1.5, 4.6, 2.4, 8.5, 5.6, 7.4, 3.5, 9.6]);
        let found = FigureDifference::of(&first, &alike).unwrap();
        assert!((found.value - 0.512_5).abs() < 1e-12);
        assert_eq!(found.tasks, TaskTally { alike: 0, above: 8, below: 0 });
        // The same values of other tasks hang together with nothing.
        let others = ["i", "j", "k", "l", "m", "n", "o", "p"];
        let apart: Vec<TaskMeasurement<'_>> =
            others.into_iter().zip(alike.iter().map(|(_, measured)| *measured)).collect();
        let apart = FigureDifference::of(&first, &apart).unwrap();
        assert_eq!((apart.value, apart.tasks.all()), (found.value, 0));
        assert!(width(&apart) > 4.0 * width(&found), "{found:?} {apart:?}");
        // Turned round, it is the same but for the draws.
        let turned = FigureDifference::of(&alike, &first).unwrap();
        assert!((width(&turned) - width(&found)).abs() < 0.2 * width(&found));
    }

    #[test]
    fn what_has_no_width_has_no_interval() {
        let same = values(&[2.0; 4]);
        let found = FigureDifference::of(&same, &same).unwrap();
        assert_eq!((found.value, found.interval), (0.0, None));
        assert_eq!(found.tasks, TaskTally { alike: 4, above: 0, below: 0 });
        // One task says nothing of others.
        let one = FigureDifference::of(&same[..1], &values(&[3.0])).unwrap();
        assert_eq!((one.value, one.interval), (1.0, None));
        assert_eq!(FigureDifference::of(&same, &[]), None);
    }

    /// As two series of yes and no without anything in common: Newcombe's method for independent shares
    /// (Statistics in Medicine 17, 1998, 873-890, method 10), 56 of 70 and 48 of 80: 0.0524 to 0.3339.
    #[test]
    fn shares_of_other_tasks_have_newcombes_interval() {
        let names: Vec<String> = (0..150).map(|number| number.to_string()).collect();
        let rates = |from: usize, n: usize, yes: usize| {
            let rate = |place: usize| Measurement::Rate(place < yes);
            (0..n).map(|place| (names[from + place].as_str(), rate(place))).collect::<Vec<_>>()
        };
        let found = FigureDifference::of(&rates(0, 80, 48), &rates(80, 70, 56)).unwrap();
        let (low, high) = found.interval.unwrap();
        assert!((low - 0.052_4).abs() < 5e-5 && (high - 0.333_9).abs() < 5e-5, "{found:?}");
    }

    #[test]
    fn values_are_pooled_by_their_sums() {
        let sum = |sum: f64, n: u64| Measurement::Sum { sum, n };
        let first = [("a", sum(1.0, 2)), ("b", sum(3.0, 3)), ("c", sum(0.0, 1))];
        let Estimate::Mean { n, mean, interval } = estimate_by_task(&first) else {
            panic!("sums give a mean");
        };
        assert_eq!((n, mean), (3, 4.0 / 6.0));
        let (low, high) = interval.unwrap();
        assert!(low <= mean && mean <= high && high <= 1.0);
        // The mean of all values, not of the tasks' means.
        let second = [("a", sum(2.0, 2)), ("b", sum(3.0, 3)), ("c", sum(1.0, 1))];
        let difference = FigureDifference::of(&first, &second).unwrap();
        assert!((difference.value - 2.0 / 6.0).abs() < 1e-12);
        assert_eq!(difference.tasks.above, 2);
        // With other measurements among them they count as one value each.
        let mixed = [("a", sum(1.0, 2)), ("b", Measurement::Value(1.0))];
        assert_eq!(estimate_by_task(&mixed).value(), Some(0.75));
    }
}
