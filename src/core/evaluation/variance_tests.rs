//! Shares of variance where the components are known.

use super::bootstrap::Random;
use super::variance::{Scores, Variance};

/// A number whose mean is 0 and whose variance is 1: a sum of twelve evenly distributed ones.
fn normal(random: &mut Random) -> f64 {
    let one = |random: &mut Random| random.below(1 << 20) as f64 / f64::from(1 << 20);
    (0..12).map(|_| one(random)).sum::<f64>() - 6.0
}

/// The effects of so many levels, with exactly this mean square about their mean (divided by one less).
fn effects(levels: usize, variance: f64, random: &mut Random) -> Vec<f64> {
    let drawn: Vec<f64> = (0..levels).map(|_| normal(random)).collect();
    let mean = drawn.iter().sum::<f64>() / levels as f64;
    let squares: f64 = drawn.iter().map(|effect| (effect - mean).powi(2)).sum();
    let scale = (variance * (levels as f64 - 1.0) / squares).sqrt();
    drawn.iter().map(|effect| (effect - mean) * scale).collect()
}

/// Users, agents, models, tasks and repeats, some episodes of which are missing.
fn simulated(seed: u64, variances: [f64; 5]) -> Vec<Scores> {
    let mut random = Random::seeded(seed);
    let [users, agents, models, tasks] =
        [(0, 4), (1, 3), (2, 3), (3, 80)].map(|(place, levels)| effects(levels, variances[place], &mut random));
    let mut rows = Vec::new();
    for (user, of_user) in users.iter().enumerate() {
        for (agent, of_agent) in agents.iter().enumerate() {
            for (model, of_model) in models.iter().enumerate() {
                let mut row =
                    Scores { levels: [user, agent, model].map(|level| level.to_string()), scores: Vec::new() };
                for (task, of_task) in tasks.iter().enumerate() {
                    let fixed = of_user + of_agent + of_model + of_task;
                    let score = fixed + normal(&mut random) * variances[4].sqrt();
                    if random.below(10) > 0 {
                        row.scores.push((task.to_string(), score));
                    }
                }
                rows.push(row);
            }
        }
    }
    rows
}

#[test]
fn known_components_are_found() {
    let variances = [4.0, 1.0, 2.0, 3.0, 6.0];
    let total: f64 = variances.iter().sum();
    let (mut held, mut sums) = (0, [0.0; 5]);
    for seed in 0..8 {
        let found = Variance::of(&simulated(seed, variances));
        let names: Vec<&str> = found.shares.iter().map(|share| share.source.as_str()).collect();
        assert_eq!(names, ["user", "agent", "model", "task", "residual"]);
        assert!(found.constant.is_empty());
        for (place, (share, variance)) in found.shares.iter().zip(variances).enumerate() {
            let (low, high) = share.share.interval.unwrap();
            held += u32::from(low <= variance / total && variance / total <= high);
            sums[place] += share.component / 8.0;
        }
        let sum: f64 = found.shares.iter().map(|share| share.share.value).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
    assert!(held >= 35, "{held} of 40 intervals hold the share");
    for (mean, variance) in sums.iter().zip(variances) {
        assert!((mean - variance).abs() < 0.1 * variance, "{sums:?}");
    }
}

#[test]
fn a_balanced_table_is_divided_as_by_hand() {
    // Two users by two tasks, once each: mean squares 16 (users), 4 (tasks), 0 (residual).
    let scores = |levels: &str, scores: [f64; 2]| Scores {
        levels: [levels.to_owned(), String::new(), String::new()],
        scores: ["a", "b"].map(str::to_owned).into_iter().zip(scores).collect(),
    };
    let found = Variance::of(&[scores("x", [0.0, 2.0]), scores("y", [4.0, 6.0])]);
    let components: Vec<f64> = found.shares.iter().map(|share| share.component).collect();
    let expected = [8.0, 2.0, 0.0];
    for (component, expected) in components.iter().zip(expected) {
        assert!((component - expected).abs() < 1e-9, "{components:?}");
    }
    assert_eq!(found.constant, ["agent", "model"]);
}

#[test]
fn what_cannot_be_told_apart_is_not_divided() {
    let row = |level: &str, tasks: &[&str]| Scores {
        levels: [level, level, "m"].map(str::to_owned),
        scores: tasks.iter().map(|task| ((*task).to_owned(), 1.0)).collect(),
    };
    // Each task once, in one cell: its part is that of chance.
    assert!(Variance::of(&[row("x", &["a", "b"])]).shares.is_empty());
    assert!(Variance::of(&[]).shares.is_empty());
    // User and agent change together.
    let mut rows = [row("x", &["a", "b"]), row("y", &["a", "b"])];
    rows[1].scores[0].1 = 0.0;
    let found = Variance::of(&rows);
    assert_eq!(found.shares[0].source, "user + agent");
}
