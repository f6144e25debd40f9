//! Where the variance of a score comes from: the user, the agent, the task, the model, or none of them.
//!
//! Crossed variance components by the method of moments, for cells of unequal size: Henderson's method 1 (Biometrics
//! 9, 1953, 226-252; Searle, Casella and McCulloch, Variance Components, 1992, chapter 5). Each factor's levels add
//! an effect of their own, whatever the others are; what only some of them together do is in the residual, with what
//! repeats differ by.

use std::ops::AddAssign;

use rustc_hash::FxHashMap;

use super::bootstrap::{Figure, TaskSum, figures, whole};

/// The factors that cells differ by, in their order.
pub const FACTORS: [&str; 3] = ["user", "agent", "model"];
/// Tasks, and what is left.
const TASK: &str = "task";
const RESIDUAL: &str = "residual";

/// A pivot is none if it is this much smaller than the largest number of the equations.
const SINGULAR: f64 = 1e-10;

/// The levels of [`FACTORS`] that a cell has, in any words.
pub type Levels = [String; FACTORS.len()];

/// A row of cells: its levels, and of each of its episodes that count the task and the score.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// The levels.
    pub levels: Levels,
    /// Task and score.
    pub scores: Vec<(String, f64)>,
}

/// The part of one source.
#[derive(Clone, Debug, PartialEq)]
pub struct VarianceShare {
    /// The factor, or several that cannot be told apart, joined by `+`; `task`; `residual`.
    pub source: String,
    /// The number of its levels; none of the residual.
    pub levels: Option<usize>,
    /// The component, at least 0, in the square of the score's unit.
    pub component: f64,
    /// Its share in the sum of all, with the bootstrap's percentile interval over tasks: the levels of the other
    /// factors are taken as they are.
    pub share: Figure,
}

/// The division of the variance of a score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variance {
    /// The shares in a fixed order, the residual last; none if they cannot be computed.
    pub shares: Vec<VarianceShare>,
    /// Factors of one level, which are left out.
    pub constant: Vec<&'static str>,
    /// Number of episodes.
    pub episodes: usize,
}

/// A factor of cells that varies.
struct Factor {
    name: String,
    /// By row.
    level_of: Vec<usize>,
    levels: usize,
}

/// Sums over tasks of which the moments are made, so that tasks can be drawn again.
#[derive(Clone, Debug, Default)]
struct Moments {
    /// By row, the scores.
    rows: Vec<TaskSum>,
    /// By factor and level, the sum over tasks of the square of the number of scores.
    squared: Vec<Vec<f64>>,
    /// By factor, the sum over tasks of the sum of these squares over the number of scores of the task.
    per_task: Vec<f64>,
    /// The sum over tasks of the square of the sum of scores over their number, of the square of this number, and of 1.
    tasks: [f64; 3],
    /// The sum of the squares of scores.
    squares: f64,
}

impl Variance {
    /// Divides the variance of these scores.
    pub fn of(rows: &[Scores]) -> Self {
        let (factors, mut constant) = factors(rows);
        let tasks = by_task(rows, &factors);
        if tasks.len() < 2 {
            constant.push(TASK);
        }
        let tasks: Vec<&Moments> = tasks.iter().collect();
        let of_tasks = tasks.len() > 1;
        let parts = |tasks: &[&Moments]| Moments::sum(tasks).components(&factors, of_tasks);
        let components = parts(&tasks).unwrap_or_default();
        let shares = figures(&tasks, |tasks| {
            let all = parts(tasks)?;
            let sum: f64 = all.iter().sum();
            (sum > 0.0).then(|| all.iter().map(|component| component / sum).collect())
        });
        let named = factors.iter().map(|factor| (factor.name.clone(), Some(factor.levels)));
        let task = of_tasks.then(|| (TASK.to_owned(), Some(tasks.len())));
        let all = named.chain(task).chain([(RESIDUAL.to_owned(), None)]).zip(components).zip(shares);
        let share = |(((source, levels), component), share)| VarianceShare { source, levels, component, share };
        Self { shares: all.map(share).collect(), constant, episodes: rows.iter().map(|row| row.scores.len()).sum() }
    }
}

/// The factors that vary, those that divide the rows alike as one, and the names of those that do not vary.
fn factors(rows: &[Scores]) -> (Vec<Factor>, Vec<&'static str>) {
    let (mut found, mut constant): (Vec<Factor>, Vec<&str>) = (Vec::new(), Vec::new());
    for (place, name) in FACTORS.into_iter().enumerate() {
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        let levels = rows.iter().filter_map(|row| row.levels.get(place));
        let level_of = levels.map(|level| {
            let next = known.len();
            *known.entry(level).or_insert(next)
        });
        let level_of: Vec<usize> = level_of.collect();
        if known.len() < 2 {
            constant.push(name);
        } else if let Some(same) = found.iter_mut().find(|factor| factor.level_of == level_of) {
            same.name = format!("{} + {name}", same.name);
        } else {
            found.push(Factor { name: name.to_owned(), levels: known.len(), level_of });
        }
    }
    (found, constant)
}

/// The moments of each task, in the order in which tasks come.
fn by_task(rows: &[Scores], factors: &[Factor]) -> Vec<Moments> {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut tasks: Vec<(Vec<TaskSum>, f64)> = Vec::new();
    for (row, scores) in rows.iter().enumerate() {
        for (task, score) in &scores.scores {
            let number = *numbers.entry(task).or_insert(tasks.len());
            if number == tasks.len() {
                tasks.push((vec![TaskSum::default(); rows.len()], 0.0));
            }
            if let Some((sums, squares)) = tasks.get_mut(number) {
                *squares += score * score;
                if let Some(sum) = sums.get_mut(row) {
                    sum.add(*score);
                }
            }
        }
    }
    let moments = |(sums, squares)| Moments::of(sums, squares, factors);
    tasks.into_iter().map(moments).collect()
}

impl Factor {
    /// The sums of each level, by row.
    fn sums(&self, rows: &[TaskSum]) -> Vec<TaskSum> {
        let mut levels = vec![TaskSum::default(); self.levels];
        for (sum, level) in rows.iter().zip(&self.level_of) {
            if let Some(total) = levels.get_mut(*level) {
                total.join(sum);
            }
        }
        levels
    }

    /// The sum over its levels i and those of another j of `n_ij^2 / n_i`.
    fn shared(&self, other: &Self, rows: &[TaskSum]) -> f64 {
        let levels = self.sums(rows);
        levels
            .iter()
            .enumerate()
            .map(|(level, level_sum)| {
                let rows = rows.iter().zip(&self.level_of);
                let rows: Vec<TaskSum> =
                    rows.map(|(sum, row)| if *row == level { *sum } else { TaskSum::default() }).collect();
                ratio(squared(&other.sums(&rows)), level_sum.n)
            })
            .sum()
    }
}

/// The sum of the squares of how many scores there are.
fn squared(sums: &[TaskSum]) -> f64 {
    sums.iter().map(|sum| sum.n * sum.n).sum()
}

/// One over the other; nothing over nothing is nothing.
fn ratio(of: f64, over: f64) -> f64 {
    if over > 0.0 { of / over } else { 0.0 }
}

impl Moments {
    fn of(rows: Vec<TaskSum>, squares: f64, factors: &[Factor]) -> Self {
        let all = whole(&rows);
        let levels = factors.iter().map(|factor| factor.sums(&rows));
        let levels: Vec<Vec<TaskSum>> = levels.collect();
        let square = |sums: &Vec<TaskSum>| sums.iter().map(|sum| sum.n * sum.n).collect();
        Self {
            squared: levels.iter().map(square).collect(),
            per_task: levels.iter().map(|sums| ratio(squared(sums), all.n)).collect(),
            tasks: [ratio(all.sum * all.sum, all.n), all.n * all.n, 1.0],
            squares,
            rows,
        }
    }

    fn sum(tasks: &[&Self]) -> Self {
        let mut tasks = tasks.iter();
        let mut all = tasks.next().map_or_else(Self::default, |first| (*first).clone());
        for task in tasks {
            all.rows.iter_mut().zip(&task.rows).for_each(|(sum, more)| sum.join(more));
            all.squared.iter_mut().zip(&task.squared).for_each(|(sum, more)| add(sum, more));
            add(&mut all.per_task, &task.per_task);
            add(&mut all.tasks, &task.tasks);
            all.squares += task.squares;
        }
        all
    }

    /// The components of the factors, of tasks if they vary, and of the residual, none below 0; none at all where the
    /// moments do not tell them apart.
    fn components(&self, factors: &[Factor], of_tasks: bool) -> Option<Vec<f64>> {
        let all = whole(&self.rows);
        let (mean, [of_task, squared_tasks, tasks]) = (ratio(all.sum * all.sum, all.n), self.tasks);
        let levels = factors.iter().map(|factor| factor.sums(&self.rows));
        let levels: Vec<Vec<TaskSum>> = levels.collect();
        // What the moment of the mean takes of each component: it is subtracted from every equation.
        let of_mean = levels.iter().map(|sums| squared(sums) / all.n);
        let of_mean = of_mean.chain(of_tasks.then_some(squared_tasks / all.n));
        let of_mean: Vec<f64> = of_mean.collect();
        let equation = |shared: Vec<f64>, levels: f64, moment: f64| -> Vec<f64> {
            shared
                .iter()
                .zip(&of_mean)
                .map(|(shared, mean)| shared - mean)
                .chain([levels - 1.0, moment - mean])
                .collect()
        };
        let of_factors = factors.iter().enumerate().map(|(place, factor)| {
            let others = factors.iter().enumerate().map(|(number, other)| match number == place {
                true => all.n,
                false => factor.shared(other, &self.rows),
            });
            let sums = &levels[place];
            let by_task = sums.iter().zip(&self.squared[place]);
            let by_task: f64 = by_task.map(|(sum, squared)| ratio(*squared, sum.n)).sum();
            let shared = others.chain(of_tasks.then_some(by_task)).collect();
            let moment = sums.iter().map(|sum| ratio(sum.sum * sum.sum, sum.n)).sum();
            let filled = sums.iter().filter(|sum| sum.n > 0.0).count();
            equation(shared, filled as f64, moment)
        });
        let task = of_tasks.then(|| {
            let shared = self.per_task.iter().copied().chain([all.n]).collect();
            equation(shared, tasks, of_task)
        });
        let whole = equation(vec![all.n; of_mean.len()], all.n, self.squares);
        let found = solved(of_factors.chain(task).chain([whole]).collect())?;
        Some(found.into_iter().map(|component| component.max(0.0)).collect())
    }
}

fn add<T: AddAssign + Copy>(sums: &mut [T], more: &[T]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += *more);
}

/// The solution of linear equations, each with its right side last, by elimination with pivots; none if they have
/// not exactly one.
fn solved(mut equations: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = equations.len();
    let size = equations.iter().flatten().fold(0.0_f64, |most, coefficient| most.max(coefficient.abs()));
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|one, other| equations[*one][column].abs().total_cmp(&equations[*other][column].abs()))?;
        equations.swap(column, pivot);
        let pivot_row = equations[column].clone();
        if pivot_row[column].abs() <= size * SINGULAR {
            return None;
        }
        for (row, equation) in equations.iter_mut().enumerate() {
            if row != column {
                let by = equation[column] / pivot_row[column];
                equation.iter_mut().zip(&pivot_row).for_each(|(left, right)| *left -= by * right);
            }
        }
    }
    let solution = equations.iter().enumerate();
    Some(solution.map(|(row, equation)| equation[count] / equation[row]).collect())
}
