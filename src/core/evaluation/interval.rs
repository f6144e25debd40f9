//! Estimates over many episodes, with 95 % intervals and spreads.

use super::bootstrap::{self, TaskSum, whole};
use super::distributions::{NORMAL, student_quantile};

/// A figure over the measurements of many episodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Estimate {
    /// No episode says anything.
    #[default]
    Empty,
    /// How often something was so.
    Rate {
        /// Number of episodes.
        n: usize,
        /// In how many it was so.
        successes: usize,
        /// The share, 0 to 1.
        rate: f64,
        /// Lower end of the Wilson interval; where tasks were played several times, of that with
        /// as many episodes as say the same if no two share a task.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// How much of something there was on average.
    Mean {
        /// Number of episodes.
        n: usize,
        /// The average.
        mean: f64,
        /// The bootstrap interval over tasks; a single task has none, and where nobody shows it, it
        /// is not computed (by task type).
        interval: Option<(f64, f64)>,
    },
    /// How many of many there were in all episodes together.
    Pooled {
        /// Number of episodes.
        n: usize,
        /// The sum of what was hit.
        hits: u64,
        /// The sum of what there was.
        of: u64,
        /// The one over the other, 0 to 1: episodes weigh as much as they have.
        share: f64,
        /// The mean of the episodes' own shares: episodes weigh the same.
        mean: f64,
        /// The Wilson interval of the share, with as many as would say the same if no two of them shared
        /// a task.
        interval: (f64, f64),
    },
}

/// The lower and the upper end of an interval.
type Ends = (f64, f64);

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// The figure.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Bounded {
    /// A share with the Wilson interval of so many episodes.
    pub(super) fn share(value: f64, n: f64) -> Self {
        Self::share_at(value, n, NORMAL)
    }

    /// A share with the Wilson interval at the level of a normal quantile.
    pub(super) fn share_at(value: f64, n: f64, quantile: f64) -> Self {
        let (low, high) = score(value, n, quantile);
        Self { value, low, high }
    }
}

impl Estimate {
    /// Number of episodes that say something.
    pub fn n(&self) -> usize {
        self.figures().map_or(0, |(n, ..)| n)
    }

    /// The rate, the mean or the share.
    pub fn value(&self) -> Option<f64> {
        self.figures().map(|(_, value, _)| value)
    }

    /// The lower and the upper end of the interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.figures()?.2
    }

    fn figures(&self) -> Option<(usize, f64, Option<Ends>)> {
        let (n, value, interval) = match self {
            Self::Empty => return None,
            Self::Rate { n, rate, low, high, .. } => (n, rate, Some((*low, *high))),
            Self::Mean { n, mean, interval } => (n, mean, *interval),
            Self::Pooled { n, share, interval, .. } => (n, share, Some(*interval)),
        };
        Some((*n, *value, interval))
    }

    /// Whether it is a share from 0 to 1, which tables show in percent.
    pub fn is_share(&self) -> bool {
        matches!(self, Self::Rate { .. } | Self::Pooled { .. })
    }
}

/// The share of successes with its 95 % Wilson score interval.
///
/// More successes than episodes are taken for as many as episodes.
pub fn wilson(successes: usize, n: usize) -> Estimate {
    share(successes.min(n), n, n as f64)
}

/// The share of successes of episodes that come in clusters, one a task. The Wilson interval is that of the
/// effective number of independent episodes.
pub(super) fn wilson_by_task(parts: &[TaskSum]) -> Estimate {
    let all = whole(parts);
    let alike = alike(parts, all.sum / all.n);
    share(all.sum as usize, all.n as usize, alike)
}

/// The share of all that the tasks have together: a ratio of two sums, whose variance is that between
/// tasks (linearised: Cochran, Sampling Techniques, 1977, section 6.4), in the Wilson interval of as many as have
/// this variance (Korn and Graubard 1998). `values` are the shares of the episodes.
pub(super) fn pooled(values: &[f64], parts: &[TaskSum]) -> Estimate {
    let all = whole(parts);
    let share = all.sum / all.n;
    Estimate::Pooled {
        n: values.len(),
        hits: all.sum as u64,
        of: all.n as u64,
        share,
        mean: values.iter().sum::<f64>() / values.len() as f64,
        interval: score(share, alike(parts, share), NORMAL),
    }
}

/// How many say as much about a share as the tasks do.
pub(super) fn alike(parts: &[TaskSum], share: f64) -> f64 {
    effective_episodes(parts, share * (1.0 - share), whole(parts).n)
}

fn share(successes: usize, n: usize, alike: f64) -> Estimate {
    if n == 0 {
        return Estimate::Empty;
    }
    let rate = successes as f64 / n as f64;
    let (low, high) = score(rate, alike, NORMAL);
    Estimate::Rate { n, successes, rate, low, high }
}

/// The Wilson interval of a share with that many episodes, which need not be a whole number, at the level of a
/// normal quantile.
fn score(rate: f64, n: f64, quantile: f64) -> (f64, f64) {
    let square = quantile * quantile;
    let centre = rate + square / (2.0 * n);
    let spread = rate * (1.0 - rate) / n + square / (4.0 * n * n);
    let half = quantile * spread.sqrt();
    let scale = 1.0 + square / n;
    // Rounding must not put an end on the wrong side of the rate or of the scale.
    let low = ((centre - half) / scale).clamp(0.0, rate);
    let high = ((centre + half) / scale).clamp(rate, 1.0);
    (low, if rate >= 1.0 { 1.0 } else { high })
}

/// The mean with its 95 % bootstrap interval, of values that come in bunches, one bunch a task; without
/// the bunches there is no interval. Sums run in the order of the values.
pub(super) fn mean_by_task(values: &[f64], parts: &[TaskSum]) -> Estimate {
    if values.is_empty() {
        return Estimate::Empty;
    }
    Estimate::Mean {
        n: values.len(),
        mean: values.iter().sum::<f64>() / values.len() as f64,
        interval: bootstrap::interval(parts),
    }
}

/// The mean of all values of all tasks, each of which has a sum of some, with its bootstrap interval over tasks.
pub(super) fn mean_of_all(n: usize, parts: &[TaskSum], bounded: bool) -> Estimate {
    let all = whole(parts);
    Estimate::Mean { n, mean: all.sum / all.n, interval: bounded.then(|| bootstrap::interval(parts)).flatten() }
}

/// Where the values of a series lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Number of values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Minimum, lower quartile, median, upper quartile, maximum. Between two values, quantiles are
    /// interpolated linearly.
    pub quartiles: [f64; 5],
}

impl Spread {
    /// The spread of counts; none without any.
    pub fn of(values: &[u32]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let value = |place: usize| sorted.get(place).copied().map_or(0.0, f64::from);
        let quantile = |quarter: usize| {
            let (place, rest) = (last * quarter / 4, last * quarter % 4);
            let below = value(place);
            below + (value((place + 1).min(last)) - below) * rest as f64 / 4.0
        };
        let sum: f64 = values.iter().copied().map(f64::from).sum();
        Some(Self { n: values.len(), mean: sum / values.len() as f64, quartiles: [0, 1, 2, 3, 4].map(quantile) })
    }
}

/// The number of independent episodes that would say as much about a share, or about a difference of
/// shares, as these do: `most` at most, and the number of tasks where the tasks do not differ.
///
/// The variance between tasks stands for that of the share (ratio estimator); `spread` is the
/// variance of a single episode. The number is made smaller by the ratio of normal and Student's
/// quantile for so many tasks (Korn and Graubard 1998). Beyond the number of tasks, only those tasks
/// count for the quantile that carry the variance: where nearly all are alike, few others decide.
pub(super) fn effective_episodes(parts: &[TaskSum], spread: f64, most: f64) -> f64 {
    let (mut sum, mut n, mut tasks) = (0.0, 0.0, 0_u32);
    for part in parts.iter().filter(|part| part.n > 0.0) {
        sum += part.sum;
        n += part.n;
        tasks += 1;
    }
    let count = f64::from(tasks);
    if tasks < 2 {
        return count;
    }
    let share = sum / n;
    let (mut squares, mut fourths) = (0.0, 0.0);
    for part in parts {
        let rest = part.sum - share * part.n;
        squares += rest * rest;
        fourths += (rest * rest) * (rest * rest);
    }
    let variance = squares * count / (count - 1.0) / (n * n);
    // What is left of rounding is no variance.
    if spread <= 1e-12 || variance <= 1e-12 / n {
        return count;
    }
    let of = |freedom: u32| {
        let few = NORMAL / student_quantile(freedom);
        spread / variance * few * few
    };
    let carrying = (squares * squares / fourths) as u32;
    let careful = of(carrying.clamp(1, tasks - 1));
    careful.max(of(tasks - 1).min(count)).min(most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    /// The bounds are the roots of `(p - rate)^2 = z^2 p (1 - p) / n`, found by halving elsewhere.
    #[test]
    fn wilson_bounds_are_those_of_an_independent_computation() {
        let cases = [
            (8, 10, 0.490_162_471_536_641_7, 0.943_317_848_545_624_8),
            (117, 134, 0.806_209_744_209_115_2, 0.919_261_393_832_751),
            (1, 3, 0.061_491_944_720_396_235, 0.792_340_399_197_952_3),
            (0, 10, 0.0, 0.277_532_799_862_889_26),
            (10, 10, 0.722_467_200_137_110_9, 1.0),
            (1, 1, 0.206_549_314_377_237_4, 1.0),
        ];
        for (successes, n, low, high) in cases {
            let found = wilson(successes, n).interval().unwrap();
            near(found.0, low);
            near(found.1, high);
        }
        assert_eq!(wilson(0, 0), Estimate::Empty);
    }

    /// The mean of values each of which is a task.
    fn mean(values: &[f64]) -> Estimate {
        let part = |value: &f64| TaskSum::new(*value, 1.0);
        let parts: Vec<TaskSum> = values.iter().map(part).collect();
        mean_by_task(values, &parts)
    }

    #[test]
    fn means_need_two_values_for_an_interval() {
        assert_eq!(mean(&[2.0]).interval(), None);
        assert_eq!(mean(&[2.0, 2.0]).interval(), Some((2.0, 2.0)));
        assert_eq!(mean(&[]), Estimate::Empty);
        let (low, high) = mean(&[3.0, 7.0, 8.0, 12.0, 20.5]).interval().unwrap();
        assert!((3.0..10.1).contains(&low) && (10.1..=20.5).contains(&high));
    }

    #[test]
    fn copies_of_an_episode_narrow_no_interval() {
        let once: Vec<f64> = (0..60).map(|task| f64::from(task % 3)).collect();
        let yes = |task: usize| f64::from(u8::from(task % 3 == 1));
        let of = |n: f64, value: &dyn Fn(usize) -> f64| -> Vec<TaskSum> {
            let part = |task| TaskSum { sum: value(task) * n, n };
            (0..60).map(part).collect()
        };
        let value = |task: usize| once[task];
        let thrice: Vec<f64> = once.iter().flat_map(|value| [*value; 3]).collect();
        let (single, copied) = (mean(&once), mean_by_task(&thrice, &of(3.0, &value)));
        let (one, three) = (single.interval().unwrap(), copied.interval().unwrap());
        assert!((one.0 - three.0).abs() < 0.02 && (one.1 - three.1).abs() < 0.02);
        let (plain, copied) = (wilson(20, 60), wilson_by_task(&of(3.0, &yes)));
        assert_eq!(copied.n(), 180);
        let (one, three) = (plain.interval().unwrap(), copied.interval().unwrap());
        assert!((one.0 - three.0).abs() < 0.01 && (one.1 - three.1).abs() < 0.01);
    }

    proptest! {
        #[test]
        fn a_wilson_interval_lies_on_the_scale_and_holds_the_rate(n in 1_usize..1_000_000, share in 0.0..=1.0) {
            let successes = (n as f64 * share) as usize;
            let estimate = wilson(successes, n);
            let (low, high) = estimate.interval().unwrap();
            let rate = estimate.value().unwrap();
            prop_assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0);
            prop_assert!(high - low > 0.0);
        }
    }

    /// Compared with the quantiles that R and NumPy give by default.
    #[test]
    fn quartiles_are_interpolated() {
        let spread = Spread::of(&[7, 1, 3, 12, 5, 20]).unwrap();
        assert_eq!(spread.quartiles, [1.0, 3.5, 6.0, 10.75, 20.0]);
        assert_eq!((spread.n, spread.mean), (6, 8.0));
        assert_eq!(Spread::of(&[4]).unwrap().quartiles, [4.0; 5]);
        assert_eq!(Spread::of(&[]), None);
    }

    fn parts(of: &[(f64, f64)]) -> Vec<TaskSum> {
        of.iter().map(|&(sum, n)| TaskSum { sum, n }).collect()
    }

    /// The variance from an ordinary least squares fit of a constant with clustered errors
    /// (statsmodels 0.15.0, `OLS(y, ones).fit(cov_type="cluster", cov_kwds={"groups": g,
    /// "use_correction": False})`), times tasks / (tasks - 1), as the ratio estimator has it.
    #[test]
    fn the_variance_is_that_of_clustered_errors() {
        let found = effective_episodes(
            &parts(&[(3.0, 3.0), (0.0, 3.0), (2.0, 3.0), (1.0, 2.0), (3.0, 3.0)]),
            9.0 / 14.0 * 5.0 / 14.0,
            14.0,
        );
        let few = NORMAL / 2.776_445_105_197_79;
        let variance = 0.031_132_861_307_788_43 * 5.0 / 4.0;
        let expected = 9.0 / 14.0 * 5.0 / 14.0 / variance * few * few;
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn repeats_that_are_copies_say_no_more_than_their_tasks() {
        let few: Vec<TaskSum> = (0..400)
            .map(|task| f64::from(u8::from(task % 4 > 0)))
            .map(|yes| TaskSum { sum: yes * 50.0, n: 50.0 })
            .collect();
        let found = effective_episodes(&few, 0.75 * 0.25, 20_000.0);
        assert!(found < 400.0 && found > 395.0, "{found}");
        // No more than all of them, where tasks are more alike than chance would have them.
        let even: Vec<TaskSum> =
            (0..400).map(|task| (2.0 + f64::from(task % 2), 4.0)).map(|(sum, n)| TaskSum { sum, n }).collect();
        assert_eq!(effective_episodes(&even, 0.625 * 0.375, 1600.0), 1600.0);
        // One episode of 1,200 that was not solved says little of tasks that were not met.
        let mut nearly = vec![TaskSum { sum: 10.0, n: 10.0 }; 120];
        nearly[7].sum = 9.0;
        let found = effective_episodes(&nearly, 1199.0 / 1200.0 / 1200.0, 1200.0);
        assert!((120.0..150.0).contains(&found), "{found}");
        assert_eq!(effective_episodes(&parts(&[(5.0, 5.0), (3.0, 3.0)]), 0.0, 8.0), 2.0);
        assert_eq!(effective_episodes(&parts(&[(2.0, 5.0)]), 0.24, 5.0), 1.0);
    }
}
