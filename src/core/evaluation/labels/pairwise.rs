//! Preferences between two items of the same task, and how often each cell is preferred.

use std::collections::BTreeMap;

use crate::domain::CellName;
use crate::evaluation::{Estimate, estimate_by_task};
use crate::ports::Measurement;

/// The better one of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preferred {
    /// The first.
    First,
    /// The second.
    Second,
    /// Neither.
    Tie,
}

impl Preferred {
    /// The one of a label's place among `A`, `B` and `tie`.
    pub fn of(label: usize) -> Self {
        match label {
            0 => Self::First,
            1 => Self::Second,
            _ => Self::Tie,
        }
    }

    /// Swaps the sides.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Tie => Self::Tie,
        }
    }
}

/// Preference of a rater.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preference {
    /// The number of the rater.
    pub rater: usize,
    /// The two cells, in the order of the run.
    pub cells: [CellName; 2],
    /// The task that both played.
    pub task: String,
    /// The better one.
    pub preferred: Preferred,
}

/// How often the first of two cells is preferred to the second.
#[derive(Clone, Debug, PartialEq)]
pub struct WinRate {
    /// The number of the rater; none for all together.
    pub rater: Option<usize>,
    /// The cells.
    pub cells: [CellName; 2],
    /// Preferences for the first, for the second, and for neither.
    pub counts: [usize; 3],
    /// The share of the first, ties as half a win, with its 95 % Wilson interval; a task is one sample.
    pub rate: Estimate,
}

/// The win rates of all pairs of cells, of all raters together and, where there are several, of each.
pub fn win_rates(all: &[Preference]) -> Vec<WinRate> {
    let mut groups: BTreeMap<(&[CellName; 2], Option<usize>), Vec<&Preference>> = BTreeMap::new();
    for one in all {
        for rater in [None, Some(one.rater)] {
            groups.entry((&one.cells, rater)).or_default().push(one);
        }
    }
    let several = all.iter().any(|one| one.rater != all[0].rater);
    let shown = groups.into_iter().filter(|((_, rater), _)| several || rater.is_none());
    shown
        .map(|((cells, rater), preferences)| {
            let count = |sought| preferences.iter().filter(|one| one.preferred == sought).count();
            let counts = [Preferred::First, Preferred::Second, Preferred::Tie].map(count);
            let measured = preferences.iter().map(|one| {
                let won = match one.preferred {
                    // Without ties a preference is a yes or a no.
                    _ if counts[2] == 0 => Measurement::Rate(one.preferred == Preferred::First),
                    Preferred::First => Measurement::Share { hits: 2, n: 2 },
                    Preferred::Tie => Measurement::Share { hits: 1, n: 2 },
                    Preferred::Second => Measurement::Share { hits: 0, n: 2 },
                };
                (one.task.as_str(), won)
            });
            WinRate { rater, cells: cells.clone(), counts, rate: estimate_by_task(&measured.collect::<Vec<_>>()) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preference(rater: usize, task: usize, preferred: Preferred) -> Preference {
        Preference {
            rater,
            cells: ["a", "b"].map(|name| CellName::new(name).unwrap()),
            task: format!("t{task}"),
            preferred,
        }
    }

    #[test]
    fn win_rates_count_ties_as_half_and_have_wilson_intervals() {
        let sides = [Preferred::First, Preferred::Second];
        let clear: Vec<Preference> = (0..10).map(|task| preference(0, task, sides[usize::from(task >= 8)])).collect();
        let [one] = &win_rates(&clear)[..] else { panic!("one pair of cells and one rater") };
        assert_eq!((one.rater, one.counts), (None, [8, 2, 0]));
        // 8 of 10, as every table of Wilson's interval has it.
        let (low, high) = one.rate.interval().unwrap();
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4);
        let mut tied = clear;
        tied.push(preference(1, 10, Preferred::Tie));
        tied.push(preference(1, 11, Preferred::Tie));
        let found = win_rates(&tied);
        let raters: Vec<Option<usize>> = found.iter().map(|one| one.rater).collect();
        assert_eq!(raters, [None, Some(0), Some(1)]);
        assert_eq!(found[0].counts, [8, 2, 2]);
        assert!((found[0].rate.value().unwrap() - 0.75).abs() < 1e-12);
        assert!(win_rates(&[]).is_empty());
        for one in [Preferred::First, Preferred::Second, Preferred::Tie] {
            assert_eq!(one.swapped().swapped(), one);
            assert_eq!(Preferred::of(one as usize), one);
        }
    }
}
