//! Whether estimates and tests hold what they promise, in simulated experiments whose truth is known.

use super::bootstrap::{Random, TaskSum};
use super::interval::{effective_episodes, wilson_by_task};
use super::sequential::Bets;
use super::{Equivalence, Fourfold, Verdict};

const EXPERIMENTS: usize = 2_000;

/// Rates of the first side, of the second, and how often both do the same by the same chance.
const CASES: [(f64, f64, f64); 6] =
    [(0.2, 0.2, 0.0), (0.5, 0.5, 0.5), (0.8, 0.8, 0.8), (0.2, 0.3, 0.0), (0.5, 0.6, 0.5), (0.8, 0.7, 0.0)];

/// A number from 0 up to 1.
fn uniform(random: &mut Random) -> f64 {
    (random.next() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Pairs of one experiment.
fn pairs(random: &mut Random, case: (f64, f64, f64), n: usize) -> Vec<(bool, bool)> {
    let (first, second, alike) = case;
    let mut pair = || {
        let (one, other, same) = (uniform(random), uniform(random), uniform(random) < alike);
        (one < first, if same { one } else { other } < second)
    };
    (0..n).map(|_| pair()).collect()
}

/// The share of experiments in which this is so.
fn share(seed: u64, mut is_so: impl FnMut(&mut Random) -> bool) -> f64 {
    let mut random = Random::seeded(seed);
    let found = (0..EXPERIMENTS).filter(|_| is_so(&mut random)).count();
    found as f64 / EXPERIMENTS as f64
}

/// The share that an error of 5 % does not exceed in so many experiments but for chance (one-sided, 1 %).
fn most() -> f64 {
    0.05 + 2.326 * (0.05 * 0.95 / EXPERIMENTS as f64).sqrt()
}

fn holds(interval: Option<(f64, f64)>, truth: f64) -> bool {
    interval.is_some_and(|(low, high)| low <= truth && truth <= high)
}

fn about_95(covered: f64) -> bool {
    (0.93..=0.97).contains(&covered)
}

/// Whether an interval of a paired difference covers as often as it should, 98 % at most where tasks were played
/// several times. Where hardly any pair differs, it is wider than it need be, and never too narrow.
fn fits(covered: f64, case: (f64, f64, f64), pairs: usize, most: f64) -> bool {
    let (first, second, alike) = case;
    let differing = (1.0 - alike) * (first * (1.0 - second) + second * (1.0 - first));
    let is_sparse = differing * (pairs as f64) < 10.0;
    covered >= 0.93 && (covered <= most || is_sparse)
}

#[test]
fn intervals_of_rates_cover_in_95_of_100_experiments() {
    for (place, rate) in [0.2, 0.35, 0.5, 0.65, 0.8].into_iter().enumerate() {
        for n in [50, 100, 400] {
            let covered = share((place * 1_000 + n) as u64, |random| {
                let part = |_| TaskSum::new(f64::from(u8::from(uniform(random) < rate)), 1.0);
                let parts: Vec<TaskSum> = (0..n).map(part).collect();
                holds(wilson_by_task(&parts).interval(), rate)
            });
            assert!(about_95(covered), "{rate} of {n}: {covered}");
        }
    }
}

#[test]
fn intervals_of_paired_differences_cover_in_95_of_100_experiments() {
    for (place, case) in CASES.into_iter().enumerate() {
        for n in [50, 100, 400] {
            let covered = share((place * 1_000 + n) as u64, |random| {
                let solved = Fourfold::of(pairs(random, case, n));
                let found = solved.difference(n as f64);
                holds(found.map(|found| (found.low, found.high)), case.1 - case.0)
            });
            assert!(fits(covered, case, n, 0.97), "{case:?}, {n} pairs: {covered}");
        }
    }
}

/// Tasks that were played three times, of which some are harder for both sides than others.
fn repeated(random: &mut Random, case: (f64, f64, f64), tasks: usize) -> Vec<Vec<(bool, bool)>> {
    let (first, second, alike) = case;
    let mut task = || {
        let harder = if uniform(random) < 0.5 { 0.15 } else { -0.15 };
        pairs(random, (first - harder, second - harder, alike), 3)
    };
    (0..tasks).map(|_| task()).collect()
}

#[test]
fn intervals_of_repeated_tasks_cover_in_95_of_100_experiments() {
    for (place, case) in CASES.into_iter().enumerate() {
        for tasks in [50, 150] {
            let mut of_rates = 0;
            let of_differences = share((place * 1_000 + tasks) as u64, |random| {
                let played = repeated(random, case, tasks);
                let sum = |of: fn(&(bool, bool)) -> i32| -> Vec<TaskSum> {
                    let part =
                        |task: &Vec<(bool, bool)>| TaskSum::new(f64::from(task.iter().map(of).sum::<i32>()), 3.0);
                    played.iter().map(part).collect()
                };
                let rate = wilson_by_task(&sum(|pair| i32::from(pair.0))).interval();
                of_rates += usize::from(holds(rate, case.0));
                let solved = Fourfold::of(played.iter().flatten().copied());
                let gained = sum(|pair| i32::from(pair.1) - i32::from(pair.0));
                let alike = effective_episodes(&gained, solved.spread(), solved.pairs() as f64);
                let found = solved.difference(alike);
                holds(found.map(|found| (found.low, found.high)), case.1 - case.0)
            });
            let of_rates = of_rates as f64 / EXPERIMENTS as f64;
            // Few tasks widen it a little more than they need.
            let is_fine = (0.93..0.98).contains(&of_rates) && fits(of_differences, case, 3 * tasks, 0.98);
            assert!(is_fine, "{case:?}, {tasks} tasks: {of_rates} {of_differences}");
        }
    }
}

/// The differences of tasks that were played three times.
fn by_task(random: &mut Random, case: (f64, f64, f64), tasks: usize) -> Vec<f64> {
    let task = |_| {
        let gained = pairs(random, case, 3).into_iter().map(|(one, other)| i32::from(other) - i32::from(one));
        f64::from(gained.sum::<i32>()) / 3.0
    };
    (0..tasks).map(task).collect()
}

#[test]
fn a_confidence_sequence_covers_at_all_looks_together() {
    for (place, case) in CASES.into_iter().enumerate() {
        let truth = case.1 - case.0;
        for repeated in [false, true] {
            let missed = share(place as u64, |random| {
                let differences = match repeated {
                    true => by_task(random, case, 150),
                    false => pairs(random, case, 300)
                        .iter()
                        .map(|(one, other)| f64::from(i8::from(*other) - i8::from(*one)))
                        .collect(),
                };
                Bets::on(&differences).against(truth).1.is_some()
            });
            // Where the difference is 0, this is the error of the test that stops as soon as it may.
            assert!(missed <= most(), "{case:?}, repeated {repeated}: {missed}");
        }
    }
}

#[test]
fn a_comparison_that_may_stop_early_finds_what_is_there() {
    let case = (0.5, 0.6, 0.5);
    let found = share(1, |random| {
        let pairs = pairs(random, case, 600);
        let differences = pairs.iter().map(|(one, other)| f64::from(i8::from(*other) - i8::from(*one)));
        Bets::on(&differences.collect::<Vec<f64>>()).against(0.0).1.is_some()
    });
    assert!(found > 0.8, "{found}");
}

#[test]
fn differences_at_the_margin_are_called_equivalent_in_5_of_100_experiments_at_most() {
    let margin = 0.1;
    for (place, (first, alike)) in [(0.2, 0.0), (0.5, 0.5), (0.7, 0.8)].into_iter().enumerate() {
        for n in [100, 400, 1_600] {
            let called = share((place * 1_000 + n) as u64, |random| {
                let solved = Fourfold::of(pairs(random, (first, first + margin, alike), n));
                let found = Equivalence::of(margin, &solved, n as f64, solved.mcnemar());
                found.is_some_and(|found| found.verdict == Verdict::Equivalent)
            });
            assert!(called <= most(), "{first} {alike} {n}: {called}");
        }
    }
}
