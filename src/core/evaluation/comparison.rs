//! Cells compared over the tasks that they both played.

use rustc_hash::FxHashMap;

use super::bootstrap::{Pool, TaskSum, interval, whole};
use super::interval::{Bounded, alike, effective_episodes, mean_by_task};
use super::paired::{joined, unbounded};
use super::randomisation_test::randomisation_test;
use super::sign_flip_test::sign_flip_test;
use super::{CellEpisodes, EpisodeResult, Equivalence, Estimate, Fourfold, Pair, Pairs, Power, Sequential};
use crate::domain::CellName;
use crate::ports::Measurement;

/// Up to so many cells, each is compared with each; from more, all with the first one.
const EACH_WITH_EACH: usize = 6;

/// Two cells over the same tasks. Differences are the second cell's figure minus the first's.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The cell that is compared with.
    pub first: String,
    /// The cell that is compared.
    pub second: String,
    /// Which of them solved how many tasks.
    pub solved: Fourfold,
    /// The number of tasks: less than that of the pairs where tasks were played several times.
    pub tasks: usize,
    /// The number of pairs of different tasks that would say as much about success.
    pub alike: f64,
    /// The difference of the success rates.
    pub success: Option<Bounded>,
    /// The p value of McNemar's exact test; of the test with the signs of whole tasks where tasks
    /// were played several times.
    pub p: f64,
    /// Comparison of success that holds before all tasks are played.
    pub sequential: Sequential,
    /// The other metrics that were asked for, in that order.
    pub means: Vec<MeanDifference>,
    /// Episodes of the first and of the second cell that count and have no partner that counts.
    pub alone: (usize, usize),
}

/// The difference in a metric, over the pairs in which both episodes say something about it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanDifference {
    /// Name of the metric.
    pub metric: String,
    /// It is a yes or no, so that the means are shares, or a share of many: then both sides are
    /// the shares of all that their pairs have together.
    pub is_rate: bool,
    /// The mean of the first.
    pub first: f64,
    /// The mean of the second.
    pub second: f64,
    /// The mean difference within pairs.
    pub difference: Estimate,
    /// The p value: how often a difference is as large if the two sides of each task are swapped at random.
    pub p: f64,
}

impl MeanDifference {
    /// The 95 % interval of the difference; none if it has no width.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.difference.interval().filter(|(low, high)| low < high)
    }
}

/// A task that one of the two solved more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flip<'a> {
    /// The task's name.
    pub task: &'a str,
    /// Its type.
    pub kind: &'a str,
    /// Number of pairs.
    pub pairs: usize,
    /// How many of them the first solved.
    pub first: usize,
    /// How many of them the second solved.
    pub second: usize,
    /// The first pair of the task that differs.
    pub example: (&'a EpisodeResult, &'a EpisodeResult),
}

impl Comparison {
    /// Compares the cells of a run in the given order, by success and by metrics of these names. Cells
    /// without pairs are left out.
    pub fn all(results: &[&EpisodeResult], cells: &[CellName], metrics: &[&str]) -> Vec<Self> {
        let mut of: FxHashMap<&CellName, Vec<&EpisodeResult>> = FxHashMap::default();
        for result in results {
            of.entry(&result.episode.cell).or_default().push(result);
        }
        let mut played = |cell| CellEpisodes::new(of.remove(cell).unwrap_or_default());
        let played: Vec<CellEpisodes<'_>> = cells.iter().map(&mut played).collect();
        let cells: Vec<(&CellName, CellEpisodes<'_>)> = cells.iter().zip(played).collect();
        let compare = |(first, one): &(&CellName, CellEpisodes<'_>),
                       (second, other): &(&CellName, CellEpisodes<'_>)| {
            let (first, second) = (first.to_string(), second.to_string());
            Self::of(first, second, &Pairs::of(one, other), metrics)
        };
        let mut comparisons = Vec::new();
        if cells.len() > EACH_WITH_EACH {
            for (place, other) in cells.iter().enumerate() {
                // Cells that play other tasks than the first are compared among themselves.
                let mut bases = cells.iter().take(place);
                comparisons.extend(bases.find_map(|base| compare(base, other)));
            }
            return comparisons;
        }
        for (place, base) in cells.iter().enumerate() {
            let others = cells.iter().skip(place + 1);
            comparisons.extend(others.filter_map(|other| compare(base, other)));
        }
        comparisons
    }

    /// Compares two cells by success and by metrics of the given names, where any pair says
    /// something about them. None without pairs.
    pub fn of(first: String, second: String, pairs: &Pairs<'_>, metrics: &[&str]) -> Option<Self> {
        let solved = |pair: &Pair<'_>| (pair.first.success, pair.second.success);
        let solved = Fourfold::of(pairs.pairs.iter().map(solved));
        if solved.pairs() == 0 {
            return None;
        }
        let gained = |task: &[Pair<'_>]| task.iter().map(Pair::gained).sum();
        let differences: Vec<i64> = pairs.tasks().map(gained).collect();
        let tasks = differences.len();
        let repeated = tasks < solved.pairs();
        let n = solved.pairs() as f64;
        let alike = if repeated {
            let parts =
                pairs.tasks().zip(&differences).map(|(task, gained)| TaskSum::new(*gained as f64, task.len() as f64));
            effective_episodes(&parts.collect::<Vec<_>>(), solved.spread(), n)
        } else {
            n
        };
        let means = metrics.iter().filter_map(|name| mean(pairs, name));
        Some(Self {
            first,
            second,
            tasks,
            alike,
            success: solved.difference(alike),
            p: if repeated { sign_flip_test(&differences) } else { solved.mcnemar() },
            sequential: Sequential::of(pairs),
            means: means.collect(),
            alone: pairs.alone,
            solved,
        })
    }

    /// Whether the success rates differ by less than a margin, as a share.
    pub fn equivalence(&self, margin: f64) -> Option<Equivalence> {
        Equivalence::of(margin, &self.solved, self.alike, self.p)
    }

    /// Whether tasks were played several times.
    pub fn is_repeated(&self) -> bool {
        self.tasks < self.solved.pairs()
    }

    /// How many pairs a difference of the success rates would need.
    pub fn power(&self, difference: f64) -> Power {
        let pairs = self.solved.pairs() as f64;
        let discordance = (self.solved.first + self.solved.second) as f64 / pairs;
        Power::of(difference, discordance, pairs, self.alike)
    }
}

/// The p values, adjusted so that all of them together are wrong in 5 % of all cases at most (Holm
/// 1979).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|one, other| p[*one].total_cmp(&p[*other]));
    let mut adjusted = vec![1.0; p.len()];
    let mut least = 0.0_f64;
    for (place, index) in order.into_iter().enumerate() {
        least = least.max(p[index] * (p.len() - place) as f64).min(1.0);
        adjusted[index] = least;
    }
    adjusted
}

/// The tasks that only one of the two solved, or solved more often: those of the first, then those
/// of the second, in the order of their names.
pub fn flips<'a>(pairs: &Pairs<'a>) -> (Vec<Flip<'a>>, Vec<Flip<'a>>) {
    let solved = |pairs: &[Pair<'a>], of: fn(&Pair<'a>) -> bool| pairs.iter().filter(|pair| of(pair)).count();
    let flip = |pairs: &[Pair<'a>]| {
        let differs = |pair: &&Pair<'a>| pair.first.success != pair.second.success;
        let example = pairs.iter().find(differs)?;
        let flip = Flip {
            task: &example.first.task,
            kind: &example.first.kind,
            pairs: pairs.len(),
            first: solved(pairs, |pair| pair.first.success),
            second: solved(pairs, |pair| pair.second.success),
            example: (example.first, example.second),
        };
        (flip.first != flip.second).then_some(flip)
    };
    pairs.tasks().filter_map(flip).partition(|flip| flip.first > flip.second)
}

/// The difference in one metric; none if no pair says anything about it.
fn mean(pairs: &Pairs<'_>, metric: &str) -> Option<MeanDifference> {
    let (mut first, mut second, mut differences) = (0.0, 0.0, Vec::new());
    let mut parts = Vec::new();
    let mut sides = Vec::new();
    let mut shares = Vec::new();
    let (mut is_rate, mut pool) = (true, None);
    for task in pairs.tasks() {
        let mut part = TaskSum::default();
        let mut share = [TaskSum::default(); 2];
        let mut both = share;
        for pair in task {
            let of = |result: &EpisodeResult| result.measures.get(metric);
            let (one, other) = (of(pair.first), of(pair.second));
            let (Some(base), Some(its)) = (one.number(), other.number()) else {
                continue;
            };
            for (part, measurement) in share.iter_mut().zip([one, other]) {
                pool = Pool::and(pool, part.pool(measurement));
            }
            is_rate &= matches!(one, Measurement::Rate(_)) && matches!(other, Measurement::Rate(_));
            first += base;
            second += its;
            differences.push(its - base);
            part.add(its - base);
            both[0].add(base);
            both[1].add(its);
        }
        parts.push(part);
        sides.push(both);
        shares.push(share);
    }
    let n = (!differences.is_empty()).then_some(differences.len() as f64)?;
    if let Some(pool @ (Pool::Share | Pool::Sum)) = pool {
        return Some(all_together(metric, differences.len(), &shares, pool));
    }
    Some(MeanDifference {
        metric: metric.to_owned(),
        is_rate,
        first: first / n,
        second: second / n,
        difference: mean_by_task(&differences, &parts),
        p: randomisation_test(&sides),
    })
}

/// The difference in what all pairs come to together: that of two ratios of sums, each with its
/// interval, joined by the correlation of what tasks add to them. A task is one sample.
fn all_together(metric: &str, pairs: usize, shares: &[[TaskSum; 2]], pool: Pool) -> MeanDifference {
    let bounded = |side: usize| {
        let parts: Vec<TaskSum> = shares.iter().map(|both| both[side]).collect();
        let all = whole(&parts);
        let value = all.sum / all.n;
        let (low, high) = match pool {
            Pool::Share => return Bounded::share(value, alike(&parts, value)),
            Pool::Sum | Pool::None => interval(&parts).unwrap_or((value, value)),
        };
        Bounded { value, low, high }
    };
    let (first, second) = (bounded(0), bounded(1));
    let rest = |part: &TaskSum, share: f64| part.sum - share * part.n;
    let (mut squares, mut product) = ([0.0, 0.0], 0.0);
    for [one, other] in shares {
        let (one, other) = (rest(one, first.value), rest(other, second.value));
        squares = [squares[0] + one * one, squares[1] + other * other];
        product += one * other;
    }
    let size = (squares[0] * squares[1]).sqrt();
    let correlation = if size > 1e-12 { product / size } else { 0.0 };
    let joined = if pool == Pool::Share { joined } else { unbounded };
    let found = joined(first, second, correlation);
    MeanDifference {
        metric: metric.to_owned(),
        is_rate: pool == Pool::Share,
        first: first.value,
        second: second.value,
        difference: Estimate::Mean { n: pairs, mean: found.value, interval: Some((found.low, found.high)) },
        p: randomisation_test(shares),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As R's `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")` and statsmodels' `multipletests` give.
    #[test]
    fn p_values_are_adjusted_as_holm_does() {
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
        assert_eq!(holm(&[0.6, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
