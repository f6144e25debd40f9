//! How much episodes say that come in bunches, one bunch a task.

use super::bootstrap::TaskSum;
use super::student::{self, NORMAL};

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
        let few = NORMAL / student::quantile(freedom);
        spread / variance * few * few
    };
    let carrying = (squares * squares / fourths) as u32;
    let careful = of(carrying.clamp(1, tasks - 1));
    careful.max(of(tasks - 1).min(count)).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

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
