//! Bootstrap intervals of means whose values come in bunches, one bunch a task.
//!
//! Tasks are drawn again with replacement, each with all that was measured in it. The ends are those
//! of the bias-corrected and accelerated method (Efron 1987), which follows skewed figures such as
//! steps and questions, with levels widened for few tasks (Hesterberg 2015): plain percentiles are
//! too narrow below some fifty tasks.

use super::distributions::{normal_below, normal_quantile, student_quantile};
use crate::ports::Measurement;

/// The sum and number of the values of one task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TaskSum {
    /// The sum of its values.
    pub(super) sum: f64,
    /// Their number.
    pub(super) n: f64,
}

/// Kind of measurement by which a group's values are pooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pool {
    /// All are shares.
    Share,
    /// All are sums.
    Sum,
    /// Neither.
    None,
}

impl Pool {
    /// The common kind after one more measurement.
    pub(super) fn and(before: Option<Self>, next: Self) -> Option<Self> {
        Some(match before {
            Some(before) if before != next => Self::None,
            _ => next,
        })
    }
}

impl TaskSum {
    /// Values with this sum, so many of them.
    pub(super) fn new(sum: f64, n: f64) -> Self {
        Self { sum, n }
    }

    /// One more value.
    pub(super) fn add(&mut self, value: f64) {
        self.join(&Self::new(value, 1.0));
    }

    /// Adds the hits of a share, or the values of a sum; says whether it is a share or a sum.
    pub(super) fn pool(&mut self, measurement: Measurement) -> Pool {
        let (sum, n, pool) = match measurement {
            Measurement::Share { hits, n } => (hits as f64, n, Pool::Share),
            Measurement::Sum { sum, n } => (sum, n, Pool::Sum),
            Measurement::Rate(_) | Measurement::Value(_) | Measurement::Absent => {
                return Pool::None;
            }
        };
        self.join(&Self::new(sum, n as f64));
        pool
    }

    /// Adds the values of another.
    pub(super) fn join(&mut self, other: &Self) {
        self.sum += other.sum;
        self.n += other.n;
    }
}

/// How often the tasks are drawn again: the fewer there are, the further out the ends lie, and the
/// less a draw costs. The ends then vary by less than a tenth of a standard error.
const DRAWS: std::ops::RangeInclusive<usize> = 2_000..=10_000;
/// The tasks of all draws together, within these bounds.
const DRAWN: usize = 400_000;
/// The items of all draws together, where figures of items are drawn.
const ITEMS: usize = 2_000_000;
/// With more tasks than this, blocks of tasks are drawn, so that time stays bounded; the width then
/// varies by 1.6 %.
const MOST: usize = 2_000;
/// Up to this share of its size, a difference between sums is one of rounding.
const ROUNDING: f64 = 1e-12;

/// The 95 % interval of the mean of all values. None with fewer than two tasks that have values.
///
/// The draws follow from the parts and their order alone.
pub(super) fn interval(parts: &[TaskSum]) -> Option<(f64, f64)> {
    let mut parts: Vec<TaskSum> = parts.iter().filter(|part| part.n > 0.0).copied().collect();
    let tasks = parts.len();
    if tasks < 2 {
        return None;
    }
    let all = whole(&parts);
    let mean = all.sum / all.n;
    let same = |part: &TaskSum| {
        let expected = mean * part.n;
        (part.sum - expected).abs() <= ROUNDING * expected.abs()
    };
    if parts.iter().all(same) {
        return Some((mean, mean));
    }
    let mut random = Random::of(&parts);
    if tasks > MOST {
        parts = blocks(parts, &mut random);
    }
    let means = drawn(&parts, &mut random);
    let freedom = u32::try_from(tasks - 1).unwrap_or(u32::MAX);
    let widened = student_quantile(freedom) * (tasks as f64 / f64::from(freedom)).sqrt();
    let (low, high) = ends(&means, mean, acceleration(&parts), widened);
    Some((low.min(mean), high.max(mean)))
}

/// All parts together.
pub(super) fn whole(parts: &[TaskSum]) -> TaskSum {
    let mut all = TaskSum::default();
    parts.iter().for_each(|part| all.join(part));
    all
}

/// As many blocks of about as many tasks each, mixed by chance: neighbours may be alike.
fn blocks(mut parts: Vec<TaskSum>, random: &mut Random) -> Vec<TaskSum> {
    for place in (1..parts.len()).rev() {
        let other = random.below(place + 1);
        parts.swap(place, other);
    }
    let mut blocks = vec![TaskSum::default(); MOST];
    for (place, part) in parts.iter().enumerate() {
        blocks[place % MOST].join(part);
    }
    blocks
}

/// The means of all draws, in ascending order.
fn drawn(parts: &[TaskSum], random: &mut Random) -> Vec<f64> {
    let draws = (DRAWN / parts.len()).clamp(*DRAWS.start(), *DRAWS.end());
    let mut means = Vec::with_capacity(draws);
    for _ in 0..draws {
        // Two sums, so that an addition need not wait for the one before it.
        let (mut one, mut other) = (TaskSum::default(), TaskSum::default());
        for _ in 0..parts.len() / 2 {
            let (first, second) = random.two_below(parts.len());
            one.join(&parts[first]);
            other.join(&parts[second]);
        }
        if parts.len() % 2 == 1 {
            one.join(&parts[random.below(parts.len())]);
        }
        means.push((one.sum + other.sum) / (one.n + other.n));
    }
    means.sort_unstable_by(f64::total_cmp);
    means
}

/// How fast the error of the mean changes with the mean: a sixth of the skewness of what each part
/// contributes, by leaving out one after the other.
fn acceleration(parts: &[TaskSum]) -> f64 {
    let all = whole(parts);
    let without = |part: &TaskSum| (all.sum - part.sum) / (all.n - part.n);
    let without: Vec<f64> = parts.iter().map(without).collect();
    let centre = without.iter().sum::<f64>() / without.len() as f64;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in &without {
        let distance = centre - value;
        squares += distance * distance;
        cubes += distance * distance * distance;
    }
    if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 }
}

/// The ends among the sorted means of the draws; `z` is the normal quantile of the level.
fn ends(means: &[f64], mean: f64, acceleration: f64, z: f64) -> (f64, f64) {
    let slack = ROUNDING * mean.abs();
    let fewer = means.partition_point(|value| *value < mean - slack) as f64;
    let up_to = means.partition_point(|value| *value <= mean + slack) as f64;
    let count = means.len() as f64;
    let share = f64::midpoint(fewer, up_to) / count;
    // A mean at the edge of all draws would put the interval at infinity.
    let least = 1.0 / (count + 1.0);
    let bias = normal_quantile(share.clamp(least, 1.0 - least));
    let end = |z: f64| {
        let scale = 1.0 - acceleration * (bias + z);
        let level = if scale > 0.0 {
            normal_below(bias + (bias + z) / scale)
        } else {
            normal_below(z.signum() * f64::INFINITY)
        };
        level_of(means, level)
    };
    (end(-z), end(z))
}

/// The quantile of sorted values, interpolated linearly.
pub(super) fn level_of(sorted: &[f64], level: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = level * last as f64;
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// SplitMix64 (Steele, Lea and Flood 2014): the draws of a long report are some hundred millions,
/// and a cryptographic generator would take longer than everything else.
pub(super) struct Random(u64);

impl Random {
    /// Seeded by a number.
    pub(super) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// Seeded by the data, so that the same results give the same interval.
    pub(super) fn of(parts: &[TaskSum]) -> Self {
        let mut random = Self(parts.len() as u64);
        for part in parts {
            for bits in [part.sum.to_bits(), part.n.to_bits()] {
                random.0 = random.next() ^ bits;
            }
        }
        random
    }

    /// 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Two numbers below a bound that 32 bits hold.
    fn two_below(&mut self, bound: usize) -> (usize, usize) {
        let word = self.next();
        let scaled = |bits: u64| ((bits * bound as u64) >> 32) as usize;
        (scaled(word & 0xffff_ffff), scaled(word >> 32))
    }

    /// A number below a bound that 32 bits hold.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.two_below(bound).0
    }
}

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// The bootstrap's percentile interval over items; none with fewer than two.
    pub interval: Option<(f64, f64)>,
}

/// A figure of items and its interval: items are drawn again with replacement, by a generator that their
/// number seeds. Draws in which it has no value are left out.
pub(super) fn figure<T: Clone>(items: &[T], of: impl Fn(&[T]) -> Option<f64>) -> Option<Figure> {
    figures(items, |items| Some(vec![of(items)?])).pop()
}

/// Several figures that are computed together, each as in [`figure`]; none without a value.
pub(super) fn figures<T: Clone>(items: &[T], of: impl Fn(&[T]) -> Option<Vec<f64>>) -> Vec<Figure> {
    let Some(values) = of(items) else {
        return Vec::new();
    };
    let mut random = Random::seeded(items.len() as u64);
    let draws = (ITEMS / items.len().max(1)).clamp(500, 2_000);
    let mut drawn: Vec<T> = Vec::with_capacity(items.len());
    let mut found: Vec<Vec<f64>> = vec![Vec::with_capacity(draws); values.len()];
    for _ in 0..draws {
        drawn.clear();
        let items = (0..items.len()).filter_map(|_| items.get(random.below(items.len())));
        drawn.extend(items.cloned());
        let values = of(&drawn).into_iter().flatten();
        found.iter_mut().zip(values).for_each(|(all, value)| all.push(value));
    }
    let figure = |(value, mut found): (f64, Vec<f64>)| {
        found.sort_unstable_by(f64::total_cmp);
        let enough = items.len() > 1 && found.len() > 1;
        let interval = enough.then(|| (level_of(&found, 0.025), level_of(&found, 0.975)));
        Figure { value, interval }
    };
    values.into_iter().zip(found).map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(of: &[(f64, f64)]) -> Vec<TaskSum> {
        of.iter().map(|&(sum, n)| TaskSum { sum, n }).collect()
    }

    /// The means of all draws that there are, in ascending order.
    fn every_draw(parts: &[TaskSum]) -> Vec<f64> {
        let count = parts.len();
        let all = count.pow(count as u32);
        let mean = |draw: usize| {
            let mut rest = draw;
            let mut drawn = TaskSum::default();
            for _ in 0..count {
                drawn.join(&parts[rest % count]);
                rest /= count;
            }
            drawn.sum / drawn.n
        };
        let mut means: Vec<f64> = (0..all).map(mean).collect();
        means.sort_by(f64::total_cmp);
        means
    }

    /// Small samples: all 3,125 or 46,656 draws, one by one.
    #[test]
    fn draws_stand_for_all_draws() {
        for of in [
            &[(3.0, 1.0), (7.1, 1.0), (8.7, 1.0), (12.2, 1.0), (20.5, 1.0)][..],
            &[(4.1, 3.0), (7.7, 2.0), (1.3, 3.0), (9.9, 3.0), (2.2, 1.0), (30.8, 3.0)][..],
        ] {
            let parts = parts(of);
            let (all, whole) = (every_draw(&parts), whole(&parts));
            let (mean, z) = (whole.sum / whole.n, 1.96);
            let share =
                |means: &[f64], end: f64| means.partition_point(|value| *value <= end) as f64 / means.len() as f64;
            let drawn = drawn(&parts, &mut Random::of(&parts));
            assert_eq!(drawn.len(), 10_000);
            for place in 1..20 {
                let value = all[all.len() * place / 20];
                let (some, every) = (share(&drawn, value), share(&all, value));
                assert!((some - every).abs() < 0.02, "{value}: {some} {every}");
            }
            let acceleration = acceleration(&parts);
            let (some, every) = (ends(&drawn, mean, acceleration, z), ends(&all, mean, acceleration, z));
            for (some, every) in [(some.0, every.0), (some.1, every.1)] {
                assert!((share(&all, some) - share(&all, every)).abs() < 0.006);
            }
        }
    }

    /// By hand: without 1, 2 and 9 the means are 5.5, 5 and 1.5, which lie -1.5, -1 and 2.5 below
    /// their own mean of 4.
    #[test]
    fn acceleration_is_a_sixth_of_the_skewness() {
        let found = acceleration(&parts(&[(1.0, 1.0), (2.0, 1.0), (9.0, 1.0)]));
        let (squares, cubes) = (2.25 + 1.0 + 6.25, -3.375 - 1.0 + 15.625);
        let expected = cubes / (6.0 * f64::powf(squares, 1.5));
        assert!((found - expected).abs() < 1e-12, "{found}");
    }

    #[test]
    fn one_task_has_no_interval_and_equal_ones_no_width() {
        assert_eq!(interval(&parts(&[(12.0, 4.0), (0.0, 0.0)])), None);
        let same = interval(&parts(&[(0.3, 3.0), (0.1, 1.0), (0.2, 2.0)])).unwrap();
        assert!((same.0 - 0.1).abs() < 1e-12 && same.0 == same.1);
        let two = interval(&parts(&[(1.0, 1.0), (2.0, 1.0)])).unwrap();
        assert_eq!(two, (1.0, 2.0));
    }

    /// Against the normal interval, which holds for so many values.
    #[test]
    fn blocks_of_many_tasks_keep_the_width() {
        // Tasks in the order of a data set hang together: neither neighbours nor every so many
        // make blocks like those of chance.
        let value = |task: u32| f64::from(task / 1_000 % 7) + f64::from(task % 2_000) / 1_000.0;
        let values: Vec<f64> = (0..20_000).map(value).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = 1.96 * (squares / n / n).sqrt();
        let many: Vec<TaskSum> = values.iter().map(|sum| TaskSum { sum: *sum, n: 1.0 }).collect();
        let (low, high) = interval(&many).unwrap();
        assert!(((high - low) / (2.0 * half) - 1.0).abs() < 0.08);
        assert!((f64::midpoint(low, high) - mean).abs() < 0.15 * half);
    }
}
