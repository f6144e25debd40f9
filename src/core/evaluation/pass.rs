//! Solved in k tries: what repeats say of luck and of reliability.

use super::bootstrap::TaskSum;
use super::interval::{Bounded, effective_episodes};

/// Up to here every number of tries is shown; beyond, its powers of two and the last one.
const EVERY: usize = 10;

/// Chances of so many tries at a task, by the unbiased estimators over tasks that count at least
/// as often: of c solved among n, `1 - C(n-c, k) / C(n, k)` and `C(c, k) / C(n, k)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Number of tries, k.
    pub tries: usize,
    /// Tasks that count at least so often.
    pub tasks: usize,
    /// pass@k: the chance that at least one try solves the task (Chen et al. 2021).
    pub any: Bounded,
    /// pass^k: the chance that all tries solve it (Yao et al. 2024).
    pub every: Bounded,
}

/// A task: its counted episodes, and its shares for the number of tries that has been reached.
struct Tried {
    n: usize,
    solved: usize,
    /// The chance that no try solves it.
    none: f64,
    /// The chance that every try solves it.
    every: f64,
}

/// The figures for all numbers of tries that are shown; none unless some task counts more than once.
pub(super) fn passes(solved: &[TaskSum]) -> Vec<Pass> {
    let tried = |part: &TaskSum| Tried { n: part.n as usize, solved: part.sum as usize, none: 1.0, every: 1.0 };
    let mut tasks: Vec<Tried> = solved.iter().map(tried).collect();
    let most = tasks.iter().map(|task| task.n).max().unwrap_or(0);
    let mut passes = Vec::new();
    if most < 2 {
        return passes;
    }
    for tries in 1..=most {
        tasks.retain(|task| task.n >= tries);
        for task in &mut tasks {
            let left = |of: usize| (of + 1).saturating_sub(tries) as f64;
            task.none *= left(task.n - task.solved) / left(task.n);
            task.every *= left(task.solved) / left(task.n);
        }
        if tries <= EVERY || tries.is_power_of_two() || tries == most {
            passes.push(Pass {
                tries,
                tasks: tasks.len(),
                any: share(&tasks, tries, |task| 1.0 - task.none),
                every: share(&tasks, tries, |task| task.every),
            });
        }
    }
    passes
}

/// The interval of a rate over as many independent tries as say the same, of which there are no more
/// than the episodes allow.
fn share(tasks: &[Tried], tries: usize, of: impl Fn(&Tried) -> f64) -> Bounded {
    let part = |task: &Tried| TaskSum::new(of(task), 1.0);
    let parts: Vec<TaskSum> = tasks.iter().map(part).collect();
    let value = parts.iter().map(|part| part.sum).sum::<f64>() / parts.len() as f64;
    let value = value.clamp(0.0, 1.0);
    let episodes: usize = tasks.iter().map(|task| task.n).sum();
    let most = episodes as f64 / tries as f64;
    let alike = effective_episodes(&parts, value * (1.0 - value), most);
    Bounded::share(value, alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(of: &[(f64, f64)]) -> Vec<TaskSum> {
        of.iter().map(|&(sum, n)| TaskSum { sum, n }).collect()
    }

    /// Every choice of k episodes of a task, counted one by one.
    fn by_choices(solved: usize, n: usize, tries: u32) -> (f64, f64) {
        let (mut any, mut every, mut all) = (0, 0, 0);
        for choice in 0_u32..1 << n {
            if choice.count_ones() != tries {
                continue;
            }
            let of = (choice & ((1 << solved) - 1)).count_ones();
            all += 1;
            any += u32::from(of > 0);
            every += u32::from(of == tries);
        }
        let share = |count: u32| f64::from(count) / f64::from(all);
        (share(any), share(every))
    }

    #[test]
    fn shares_are_those_of_all_choices() {
        for n in 2..=9_usize {
            for solved in 0..=n {
                let passes = passes(&parts(&[(solved as f64, n as f64)]));
                assert_eq!(passes.len(), n);
                for pass in passes {
                    let (any, every) = by_choices(solved, n, pass.tries as u32);
                    assert!((pass.any.value - any).abs() < 1e-12, "{solved} of {n}");
                    assert!((pass.every.value - every).abs() < 1e-12, "{solved} of {n}");
                }
            }
        }
    }

    #[test]
    fn tasks_that_count_too_seldom_are_left_out() {
        let found = passes(&parts(&[(2.0, 4.0), (1.0, 1.0), (0.0, 3.0), (0.0, 0.0)]));
        let tasks: Vec<usize> = found.iter().map(|pass| pass.tasks).collect();
        assert_eq!(tasks, [3, 2, 2, 1]);
        assert!((found[0].any.value - 0.5).abs() < 1e-12);
        assert!((found[1].any.value - 5.0 / 12.0).abs() < 1e-12);
        assert!((found[1].every.value - 1.0 / 12.0).abs() < 1e-12);
        assert!(passes(&parts(&[(1.0, 1.0), (0.0, 1.0)])).is_empty());
        let many = passes(&parts(&[(700.0, 800.0), (0.0, 800.0)]));
        let tries: Vec<usize> = many.iter().map(|pass| pass.tries).skip(9).collect();
        assert_eq!(tries, [10, 16, 32, 64, 128, 256, 512, 800]);
        assert!((many[0].any.value - 0.4375).abs() < 1e-12);
        assert_eq!((many[16].any.value, many[16].every.value), (0.5, 0.0));
    }

    #[test]
    fn intervals_hold_their_shares() {
        let tasks: Vec<(f64, f64)> = (0..40).map(|task| (f64::from(task % 5), 4.0)).collect();
        for pass in passes(&parts(&tasks)) {
            for share in [pass.any, pass.every] {
                assert!(0.0 <= share.low && share.low < share.value);
                assert!(share.value < share.high && share.high <= 1.0);
            }
        }
        let all = passes(&parts(&[(4.0, 4.0); 30]));
        assert_eq!((all[3].every.value, all[3].every.high), (1.0, 1.0));
        let expected = super::super::wilson(30, 30).interval().unwrap().0;
        assert!((all[3].every.low - expected).abs() < 1e-12);
    }
}
