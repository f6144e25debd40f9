//! Cells compared over the tasks that they both played.

use rustc_hash::FxHashMap;

use super::{Difference, EpisodeResult, Estimate, Fourfold, Standing, mean_difference};
use crate::domain::CellName;

/// Up to so many cells, each is compared with each; from more, all with the first one.
const EACH_WITH_EACH: usize = 6;

/// Two cells over the same tasks. Differences are the second cell's figure minus the first's.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The cell that is compared with.
    pub first: CellName,
    /// The cell that is compared.
    pub second: CellName,
    /// Which of them solved how many tasks.
    pub solved: Fourfold,
    /// The difference of the success rates.
    pub success: Option<Difference>,
    /// McNemar's exact p value.
    pub p: f64,
    /// Mean steps of the first and of the second, over the pairs.
    pub steps: (f64, f64),
    /// The mean difference of steps within pairs.
    pub steps_difference: Estimate,
}

impl Comparison {
    /// Compares the cells in the given order. A pair is one task, played for the same time by both
    /// cells, with episodes that count; cells without pairs are left out.
    pub fn all(results: &[&EpisodeResult], cells: &[CellName]) -> Vec<Self> {
        let mut played: FxHashMap<&CellName, Vec<&EpisodeResult>> = FxHashMap::default();
        for result in results {
            if result.standing() == Standing::Counted {
                played.entry(&result.episode.cell).or_default().push(result);
            }
        }
        let mut comparisons = Vec::new();
        for (place, first) in cells.iter().enumerate() {
            if place > 0 && cells.len() > EACH_WITH_EACH {
                break;
            }
            for second in cells.iter().skip(place + 1) {
                let of = |cell| played.get(cell).map_or(&[][..], Vec::as_slice);
                comparisons.extend(Self::of(first, second, &pairs(of(first), of(second))));
            }
        }
        comparisons
    }

    fn of(
        first: &CellName,
        second: &CellName,
        pairs: &[(&EpisodeResult, &EpisodeResult)],
    ) -> Option<Self> {
        let solved = Fourfold::of(
            pairs
                .iter()
                .map(|(one, other)| (one.success, other.success)),
        );
        let steps: Vec<(f64, f64)> = pairs
            .iter()
            .map(|(one, other)| (f64::from(one.counts.steps), f64::from(other.counts.steps)))
            .collect();
        let count = (!pairs.is_empty()).then_some(pairs.len() as f64)?;
        let means = (
            steps.iter().map(|(one, _)| one).sum::<f64>() / count,
            steps.iter().map(|(_, other)| other).sum::<f64>() / count,
        );
        Some(Self {
            first: first.clone(),
            second: second.clone(),
            solved,
            success: solved.difference(),
            p: solved.mcnemar(),
            steps: means,
            steps_difference: mean_difference(&steps),
        })
    }
}

/// Episodes of the same task and repeat, in the order of the first.
fn pairs<'a>(
    first: &[&'a EpisodeResult],
    second: &[&'a EpisodeResult],
) -> Vec<(&'a EpisodeResult, &'a EpisodeResult)> {
    let key = |result: &EpisodeResult| (result.episode.task, result.episode.repeat);
    let by_key: FxHashMap<_, _> = second.iter().map(|result| (key(result), *result)).collect();
    let pair = |one: &&'a EpisodeResult| {
        let other = by_key.get(&key(one))?;
        // Cells may play different data sets; the same number is then another task.
        (other.task == one.task).then_some((*one, *other))
    };
    first.iter().filter_map(pair).collect()
}
