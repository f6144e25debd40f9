//! A comparison that may be looked at after every task: its errors stay below 5 % however often it is, and
//! whenever somebody stops.
//!
//! Tasks are the sample: of each, the mean difference over its pairs. They come in the order in which runs play
//! them (their numbers in the data set), so that a later look only adds tasks to an earlier one; a mixed order
//! would put new tasks among old ones. Nothing is known about the order but that it does not depend on how
//! tasks come out: tasks behind an episode that is not over wait, since short episodes are over first.

use super::interval::Bounded;
use super::{Pair, Pairs, Verdict};

/// How often the interval misses the difference at some look, and the test finds one that is not there, at most.
const LEVEL: f64 = 0.05;

/// The share of the capital that is lost at most in one bet (the paper's `c`).
const MOST: f64 = 0.5;

/// Looks that are kept for a chart.
const LOOKS: usize = 24;

/// The paired difference of success after every task: the hedged capital process of Waudby-Smith and Ramdas
/// (Estimating means of bounded random variables by betting, JRSS B 86, 2024, 1-27, theorem 3, with predictable
/// plug-in bets), of which the sets of all looks so far are intersected.
///
/// A gambler bets on each task that the difference is greater than `m`, another one that it is less, each with
/// half of the capital; before a task, both choose their bets from the tasks before it. If `m` is the difference,
/// the capital has reached `1 / 0.05` at any time with a chance of 5 % at most (Ville), so that all `m` at which it
/// has are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequential {
    /// The tasks and pairs that were taken.
    pub taken: Taken,
    /// Pairs that wait for an episode that was begun before and is not over.
    pub waiting: usize,
    /// The mean of the tasks' differences with its interval now, as shares; none without tasks.
    pub interval: Option<Bounded>,
    /// When the interval left 0 out for the first time: the comparison could have stopped there.
    pub decided: Option<Taken>,
    /// The p value that holds however often one looked before.
    pub p: f64,
    /// Some looks, the last of which is the one at all tasks.
    pub looks: Vec<(Taken, Bounded)>,
}

/// How much was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Number of tasks.
    pub tasks: usize,
    /// Number of pairs of them.
    pub pairs: usize,
}

impl Sequential {
    /// Compares the pairs whose earlier episodes are over.
    pub(super) fn of(pairs: &Pairs<'_>) -> Self {
        let sample = |task: &[Pair<'_>]| {
            let number = task.first().map_or(0, |pair| pair.first.episode.task);
            let gained: i64 = task.iter().map(Pair::gained).sum();
            (number, gained as f64 / task.len() as f64, task.len())
        };
        let mut samples: Vec<(u32, f64, usize)> = pairs.tasks().map(sample).collect();
        samples.sort_by_key(|(number, ..)| *number);
        let open = pairs.first_open.unwrap_or(u32::MAX);
        let known = samples.partition_point(|(number, ..)| *number < open);
        let waiting = samples.drain(known..).map(|(.., pairs)| pairs).sum();
        let (differences, sizes): (Vec<f64>, Vec<usize>) =
            samples.into_iter().map(|(_, difference, pairs)| (difference, pairs)).unzip();
        Self { waiting, ..Self::of_samples(&differences, &sizes) }
    }

    /// The decision so far: a difference, or one within the margin, if there is a margin. Either is a reason to stop.
    pub fn verdict(&self, margin: Option<f64>) -> Verdict {
        let within =
            |margin: f64| self.interval.is_some_and(|interval| -margin < interval.low && interval.high < margin);
        match (margin.is_some_and(within), self.decided) {
            (true, _) => Verdict::Equivalent,
            (false, Some(_)) => Verdict::Different,
            (false, None) => Verdict::Undecided,
        }
    }

    /// Compares by the tasks' differences from -1 to 1, and the number of pairs of each task.
    fn of_samples(differences: &[f64], sizes: &[usize]) -> Self {
        let bets = Bets::on(differences);
        let taken = |tasks: usize| Taken { tasks, pairs: sizes.iter().take(tasks).sum() };
        let tasks = differences.len();
        let every = tasks.div_ceil(LOOKS).max(1);
        let looked = (1..=tasks).filter(|look| look % every == 0 || *look == tasks);
        let looks: Vec<(Taken, Bounded)> = looked.map(|look| (taken(look), bets.first(look).interval())).collect();
        let (most, decided) = bets.against(0.0);
        Self {
            taken: taken(tasks),
            waiting: 0,
            interval: looks.last().map(|(_, interval)| *interval),
            decided: decided.map(taken),
            p: 1.0 / most,
            looks,
        }
    }
}

/// Values that both gamblers bet on.
pub(super) struct Bets {
    /// The differences, moved to 0 to 1.
    values: Vec<f64>,
    /// The values from the other side: 1 less each.
    turned: Vec<f64>,
    /// The bet on each before it is seen, the same of both.
    bets: Vec<f64>,
}

/// The first tasks of them.
struct First<'a> {
    values: &'a [f64],
    turned: &'a [f64],
    bets: &'a [f64],
}

impl Bets {
    /// Bets on differences from -1 to 1.
    pub(super) fn on(differences: &[f64]) -> Self {
        let values: Vec<f64> = differences.iter().map(|difference| f64::midpoint(*difference, 1.0)).collect();
        // One made-up value, whose mean is 1/2 and whose square is 1/4, so that there is a first bet.
        let (mut sum, mut squares, mut count) = (0.5, 0.25, 1.0_f64);
        let bet = |value: &f64| {
            let bet = (2.0 * (2.0 / LEVEL).ln() / (squares * count.ln_1p())).sqrt();
            sum += value;
            count += 1.0;
            squares += (value - sum / count).powi(2);
            bet
        };
        Self {
            bets: values.iter().map(bet).collect(),
            turned: values.iter().map(|value| 1.0 - value).collect(),
            values,
        }
    }

    fn first(&self, tasks: usize) -> First<'_> {
        First { values: &self.values[..tasks], turned: &self.turned[..tasks], bets: &self.bets[..tasks] }
    }

    /// The most capital that there ever was against this difference, and the number of tasks after which it first
    /// left the difference out.
    pub(super) fn against(&self, difference: f64) -> (f64, Option<usize>) {
        let all = self.first(self.values.len());
        let mean = f64::midpoint(difference, 1.0);
        let mut most = 1.0_f64;
        let mut decided = None;
        let both = capital(all.values, all.bets, mean).zip(capital(all.turned, all.bets, 1.0 - mean));
        for (task, (one, other)) in both.enumerate() {
            most = most.max(one.max(other));
            if decided.is_none() && most >= 1.0 / LEVEL {
                decided = Some(task + 1);
            }
        }
        (most, decided)
    }
}

impl First<'_> {
    fn interval(&self) -> Bounded {
        let low = lowest(self.values, self.bets);
        let high = 1.0 - lowest(self.turned, self.bets);
        let mean = self.values.iter().sum::<f64>() / self.values.len() as f64;
        let difference = |mean: f64| 2.0 * mean - 1.0;
        Bounded {
            value: difference(mean),
            // Where the first tasks speak against the later ones, nothing may be left between the ends.
            low: difference(low.min(high)),
            high: difference(low.max(high)),
        }
    }
}

/// The capital of the one who bets on more than the mean, after each value.
fn capital(values: &[f64], bets: &[f64], mean: f64) -> impl Iterator<Item = f64> {
    /// Nobody gets back from less, and more says no more.
    const SENSIBLE: (f64, f64) = (1e-300, 1e300);
    let most = MOST / mean;
    let mut capital = 0.5;
    values.iter().zip(bets).map(move |(value, bet)| {
        capital *= 1.0 + bet.min(most) * (value - mean);
        capital = capital.clamp(SENSIBLE.0, SENSIBLE.1);
        capital
    })
}

/// The mean up to which all are left out, to a millionth: the greater a mean, the less is won by betting on more.
fn lowest(values: &[f64], bets: &[f64]) -> f64 {
    const HALVINGS: u32 = 20;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let mean = f64::midpoint(low, high);
        match capital(values, bets, mean).any(|capital| capital >= 1.0 / LEVEL) {
            true => low = mean,
            false => high = mean,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(differences: &[f64]) -> Sequential {
        Sequential::of_samples(differences, &vec![1; differences.len()])
    }

    /// Every capital from its definition, one by one.
    fn is_out(differences: &[f64], difference: f64) -> bool {
        let mean = f64::midpoint(difference, 1.0);
        let values: Vec<f64> = differences.iter().map(|difference| (difference + 1.0) / 2.0).collect();
        let (mut one, mut other) = (0.5, 0.5);
        for (place, value) in values.iter().enumerate() {
            let before = &values[..place];
            let average = |until: usize| (0.5 + values[..until].iter().sum::<f64>()) / (until + 1) as f64;
            let squares = before.iter().enumerate();
            let squares: f64 = squares.map(|(at, value)| (value - average(at + 1)).powi(2)).sum();
            let t = (place + 1) as f64;
            let variance = (0.25 + squares) / t;
            let bet = (2.0 * 40.0_f64.ln() / (variance * t * (t + 1.0).ln())).sqrt();
            one *= 1.0 + bet.min(0.5 / mean) * (value - mean);
            other *= 1.0 - bet.min(0.5 / (1.0 - mean)) * (value - mean);
            if f64::max(one, other) >= 20.0 {
                return true;
            }
        }
        false
    }

    proptest! {
        #[test]
        fn an_interval_leaves_out_what_lost_its_bets(
            differences in prop::collection::vec((-3_i8..=3).prop_map(|third| f64::from(third) / 3.0), 1..60),
        ) {
            let found = of(&differences);
            let interval = found.interval.unwrap();
            prop_assert!(-1.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
            // Where early tasks speak against later ones, nothing may be left.
            prop_assume!(!is_out(&differences, f64::midpoint(interval.low, interval.high)));
            for step in -9..=9 {
                let difference = f64::from(step) / 9.5;
                let near = (difference - interval.low).abs().min((difference - interval.high).abs()) < 1e-4;
                let out = difference < interval.low || interval.high < difference;
                prop_assert!(near || out == is_out(&differences, difference), "{difference} {interval:?}");
            }
            prop_assert_eq!(found.decided.is_some(), is_out(&differences, 0.0));
            prop_assert_eq!(found.decided.is_some(), found.p <= LEVEL);
            let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
            let turned = of(&turned).interval.unwrap();
            prop_assert!((turned.low + interval.high).abs() < 1e-5 && (turned.high + interval.low).abs() < 1e-5);
        }
    }

    #[test]
    fn later_looks_keep_what_was_known_before() {
        let differences: Vec<f64> = (0..1_000).map(|task| f64::from(task % 5 / 3)).collect();
        let found = of(&differences);
        assert_eq!(found.verdict(None), Verdict::Different);
        assert_eq!(found.verdict(Some(0.7)), Verdict::Equivalent);
        assert!(found.looks.len() <= LOOKS && found.looks.last().unwrap().0.pairs == 1_000);
        let narrower =
            |looks: &[(Taken, Bounded)]| looks[0].1.low <= looks[1].1.low && looks[1].1.high <= looks[0].1.high;
        assert!(found.looks.windows(2).all(narrower));
        let first = found.decided.unwrap();
        assert_eq!(of(&differences[..first.tasks]).decided, Some(first));
        assert_eq!(of(&differences[..first.tasks - 1]).decided, None);
        assert_eq!((of(&[]).interval, of(&[]).p), (None, 1.0));
    }
}
