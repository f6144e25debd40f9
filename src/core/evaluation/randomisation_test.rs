//! A test of differences that are no yes or no, task by task: the randomisation test for matched pairs
//! (Fisher 1935; Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989).

use super::bootstrap::{Random, TaskSum, whole};

/// Up to so many tasks that differ, every choice of sides is looked at.
const EXACT: usize = 12;
/// With more tasks than this, bunches of tasks are swapped together, so that time stays bounded.
const MOST: usize = 2_000;
/// How many choices are drawn: the more tasks there are, the longer one takes.
const DRAWS: std::ops::RangeInclusive<usize> = 2_000..=9_999;
/// The tasks of all draws together, within these bounds.
const DRAWN: usize = 4_000_000;
/// Up to this share of the difference, another one is as large.
const ROUNDING: f64 = 1e-9;

/// How probable a difference of both sides' figures is that is at least as large, if the two sides of each
/// task may as well be swapped (two-sided). A figure is the sum over all tasks divided by their number. With
/// up to 12 tasks that differ it is exact; else choices are drawn, which follow from the data alone, and the
/// observed one counts as one of them.
pub(super) fn randomisation_test(tasks: &[[TaskSum; 2]]) -> f64 {
    let (differing, same): (Vec<[TaskSum; 2]>, Vec<[TaskSum; 2]>) =
        tasks.iter().partition(|[first, second]| first != second);
    let same = whole_of(&same);
    let parts = bunches(&differing);
    let all = whole_of(&parts);
    let difference = |swapped: [TaskSum; 2]| {
        let [first, second] = [0, 1].map(|side| {
            let mut sum = same[side];
            sum.join(&swapped[side]);
            sum.sum / sum.n
        });
        (second - first).abs()
    };
    let observed = difference(all);
    let as_large = |found: f64| found >= observed * (1.0 - ROUNDING);
    if parts.len() <= EXACT {
        let choices = 1_u64 << parts.len();
        let chosen = |choice: &u64| as_large(difference(swapped(&parts, |part| choice >> part & 1)));
        return (0..choices).filter(chosen).count() as f64 / choices as f64;
    }
    let flat: Vec<TaskSum> = parts.iter().flatten().copied().collect();
    let mut random = Random::of(&flat);
    let draws = (DRAWN / parts.len()).clamp(*DRAWS.start(), *DRAWS.end());
    let mut bits = 0;
    let mut hits = 1;
    for _ in 0..draws {
        let drawn = swapped(&parts, |part| {
            if part % 64 == 0 {
                bits = random.next();
            }
            bits >> (part % 64) & 1
        });
        hits += usize::from(as_large(difference(drawn)));
    }
    hits as f64 / (draws + 1) as f64
}

/// The sums of both sides, where the sides of those parts are swapped for which the choice is 1.
fn swapped(parts: &[[TaskSum; 2]], mut choice: impl FnMut(usize) -> u64) -> [TaskSum; 2] {
    let mut sums = [TaskSum::default(); 2];
    for (place, part) in parts.iter().enumerate() {
        let side = (choice(place) & 1) as usize;
        sums[0].join(&part[side]);
        sums[1].join(&part[1 - side]);
    }
    sums
}

fn whole_of(tasks: &[[TaskSum; 2]]) -> [TaskSum; 2] {
    [0, 1].map(|side| whole(&tasks.iter().map(|task| task[side]).collect::<Vec<_>>()))
}

/// The tasks, or as many bunches of them as are swapped: whole bunches may be swapped as well as tasks.
fn bunches(tasks: &[[TaskSum; 2]]) -> Vec<[TaskSum; 2]> {
    let mut bunches = vec![[TaskSum::default(); 2]; tasks.len().min(MOST)];
    for (place, task) in tasks.iter().enumerate() {
        for (side, sum) in bunches[place % MOST].iter_mut().zip(task) {
            side.join(sum);
        }
    }
    bunches
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluation::sign_flip_test::sign_flip_test;

    /// Tasks that were played once, with these values of both sides.
    fn once(pairs: &[(f64, f64)]) -> Vec<[TaskSum; 2]> {
        let part = |(first, second): &(f64, f64)| [*first, *second].map(|sum| TaskSum::new(sum, 1.0));
        pairs.iter().map(part).collect()
    }

    #[test]
    fn few_tasks_are_looked_at_in_every_choice() {
        let pairs = [(3.1, 4.0), (2.0, 5.5), (7.3, 7.1), (1.0, 3.9), (4.4, 4.4)];
        // Of the 16 choices of signs of 0.9, 3.5, -0.2 and 2.9, those come to at least 7.1, up or down, that
        // give the three large ones the same sign.
        assert_eq!(randomisation_test(&once(&pairs)), 4.0 / 16.0);
        assert_eq!(randomisation_test(&once(&[(1.0, 1.0)])), 1.0);
        assert_eq!(randomisation_test(&once(&[(1.0, 2.0)])), 1.0);
    }

    /// Shares of many: the sides of a task have different numbers.
    #[test]
    fn a_task_is_swapped_with_all_that_it_counts() {
        let part = |first: (f64, f64), second: (f64, f64)| [first, second].map(|(hits, n)| TaskSum::new(hits, n));
        let tasks = [part((1.0, 10.0), (9.0, 10.0)), part((0.0, 1.0), (5.0, 30.0))];
        // |14/40 - 1/11| and, with the second task swapped, |9/11 - 6/40|; each also the other way round.
        assert_eq!(randomisation_test(&tasks), 1.0);
        let tasks = [part((1.0, 10.0), (9.0, 10.0)), part((0.0, 1.0), (20.0, 30.0))];
        // |29/40 - 1/11| = 0.634; |9/11 - 21/40| = 0.293.
        assert_eq!(randomisation_test(&tasks), 0.5);
    }

    proptest! {
        #[test]
        fn whole_numbers_give_what_every_choice_of_signs_gives(
            pairs in prop::collection::vec((0_i8..6, 0_i8..6), 1..60),
        ) {
            let values: Vec<(f64, f64)> = pairs.iter().map(|(one, two)| ((*one).into(), (*two).into())).collect();
            let found = randomisation_test(&once(&values));
            let signs: Vec<i64> = pairs.iter().map(|(one, two)| i64::from(two - one)).collect();
            let exact = sign_flip_test(&signs);
            // Seven standard errors of the draws: nobody meets more.
            let slack = 7.0 * (exact * (1.0 - exact) / 9_999.0).sqrt() + 2e-4;
            prop_assert!((found - exact).abs() <= slack, "{found} {exact}");
        }

        #[test]
        fn the_order_of_sides_does_not_matter(pairs in prop::collection::vec((0.0..9.0, 0.0..9.0), 1..10)) {
            let turned: Vec<(f64, f64)> = pairs.iter().map(|(one, two)| (*two, *one)).collect();
            prop_assert_eq!(randomisation_test(&once(&pairs)), randomisation_test(&once(&turned)));
        }
    }

    #[test]
    fn very_many_tasks_take_bounded_time_and_are_told_apart() {
        let value = |task: u32| f64::from(task % 7);
        let noisy: Vec<(f64, f64)> = (0..30_000).map(|task| (value(task), value(task * 3 + 1))).collect();
        assert!(randomisation_test(&once(&noisy)) > 0.05);
        let better: Vec<(f64, f64)> = noisy.iter().map(|(one, two)| (*one, two + 0.2)).collect();
        assert!(randomisation_test(&once(&better)) < 0.001);
    }
}
