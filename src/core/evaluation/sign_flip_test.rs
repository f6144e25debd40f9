//! McNemar's test for pairs that come in bunches, one bunch a task.

/// Sums that are less probable are left out, and no result is smaller.
const LEAST: f64 = 1e-30;

/// How probable a total is that lies at least as far from zero as that of these differences, if each
/// task's difference may as well have the other sign (two-sided, exact).
///
/// A difference is the number of a task's pairs that only the second solved minus those that only
/// the first solved. With one pair a task this is McNemar's exact test; with several it asks no more
/// than that the two are alike within each task, however much the pairs of a task hang together.
pub(super) fn sign_flip_test(differences: &[i64]) -> f64 {
    let sizes = differences.iter().map(|difference| difference.unsigned_abs() as usize);
    let mut sizes: Vec<usize> = sizes.filter(|size| *size > 0).collect();
    sizes.sort_unstable();
    let observed = differences.iter().sum::<i64>().unsigned_abs() as usize;
    let sum: usize = sizes.iter().sum();
    // A total is the sum of all sizes minus twice the sizes that are turned.
    let mut turned = Turned { first: 0, chances: vec![1.0] };
    for equal in sizes.chunk_by(|one, other| one == other) {
        turned.add(equal[0], equal.len());
    }
    let far = |place: usize| sum.abs_diff(2 * (turned.first + place)) >= observed;
    let tail = turned.chances.iter().enumerate().filter(|(place, _)| far(*place));
    let tail: f64 = tail.map(|(_, chance)| chance).sum();
    tail.clamp(LEAST, 1.0)
}

/// The distribution of the sum of the sizes that are turned.
struct Turned {
    /// The sum that the first chance is of.
    first: usize,
    /// The chances of the sums from there.
    chances: Vec<f64>,
}

impl Turned {
    /// Adds so many tasks of one size, each turned or not.
    fn add(&mut self, size: usize, tasks: usize) {
        let (fewest, chances) = binomial(tasks);
        let length = self.chances.len() + size * (chances.len() - 1);
        let mut sums = vec![0.0; length];
        for (turned, chance) in chances.iter().enumerate() {
            let from = sums[turned * size..].iter_mut();
            for (sum, before) in from.zip(&self.chances) {
                *sum += chance * before;
            }
        }
        self.chances = sums;
        self.first += fewest * size;
        self.trim();
    }

    /// Leaves out the ends that no one will see.
    fn trim(&mut self) {
        let kept = |chance: &f64| *chance > LEAST;
        let last = self.chances.iter().rposition(kept);
        self.chances.truncate(last.map_or(0, |last| last + 1));
        let first = self.chances.iter().position(kept).unwrap_or(0);
        self.chances.drain(..first);
        self.first += first;
    }
}

/// The chances of the numbers of heads in so many throws, from the first number on that is not
/// hopelessly rare.
fn binomial(throws: usize) -> (usize, Vec<f64>) {
    let middle = throws / 2;
    let half = -(throws as f64) * std::f64::consts::LN_2;
    let factor = |place: usize| (throws - place + 1) as f64 / place as f64;
    let logarithm: f64 = (1..=middle).map(|place| factor(place).ln()).sum();
    let centre = (logarithm + half).exp();
    let mut below = Vec::new();
    let mut chance = centre;
    for heads in (1..=middle).rev() {
        chance *= heads as f64 / (throws - heads + 1) as f64;
        if chance < LEAST {
            break;
        }
        below.push(chance);
    }
    let first = middle - below.len();
    let mut chances: Vec<f64> = below.into_iter().rev().collect();
    chances.push(centre);
    let mut chance = centre;
    for heads in middle..throws {
        chance *= (throws - heads) as f64 / (heads + 1) as f64;
        if chance < LEAST {
            break;
        }
        chances.push(chance);
    }
    (first, chances)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluation::Fourfold;

    /// Every choice of signs, one by one.
    fn by_choices(differences: &[i64]) -> f64 {
        let observed = differences.iter().sum::<i64>().abs();
        let all = 1_u32 << differences.len();
        let extreme = (0..all).filter(|choice| {
            let total: i64 = differences
                .iter()
                .enumerate()
                .map(|(place, size)| if choice >> place & 1 == 1 { -size } else { *size })
                .sum();
            total.abs() >= observed
        });
        extreme.count() as f64 / f64::from(all)
    }

    proptest! {
        #[test]
        fn every_choice_of_signs_is_counted(differences in prop::collection::vec(-6_i64..=6, 0..11)) {
            let (found, expected) = (sign_flip_test(&differences), by_choices(&differences));
            prop_assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }

        #[test]
        fn one_pair_a_task_is_mcnemars_test(first in 0_usize..300, second in 0_usize..300) {
            let fourfold = Fourfold { both: 3, first, second, neither: 9 };
            let mut differences = vec![-1; first];
            differences.extend(vec![1; second]);
            let (found, expected) = (sign_flip_test(&differences), fourfold.mcnemar());
            prop_assert!((found - expected).abs() <= 1e-10 * expected + 1e-27, "{found} {expected}");
        }
    }

    #[test]
    fn long_series_stay_on_the_scale() {
        let many: Vec<i64> = (0..100_000).map(|task| task % 7 - 3).collect();
        assert!((sign_flip_test(&many) - 1.0).abs() < 0.02, "{}", sign_flip_test(&many));
        let wide: Vec<i64> = (0..134).map(|task| (task * 37) % 800 - 380).collect();
        let found = sign_flip_test(&wide);
        // The normal approximation (Obuchowski 1998).
        let (sum, squares) = wide.iter().fold((0, 0), |(sum, squares), size| (sum + size, squares + size * size));
        let z = f64::from(sum as i32).abs() / f64::from(squares as i32).sqrt();
        let normal = 2.0 * super::super::distributions::normal_below(-z);
        assert!((found - normal).abs() < 0.01, "{found} {normal}");
        let sure = sign_flip_test(&vec![3; 4_000]);
        assert_eq!(sure, LEAST);
        assert_eq!(sign_flip_test(&[]), 1.0);
    }
}
