//! The bootstrap's percentile interval of any figure of items.

use super::bootstrap::{Random, level_of};

/// Draws of a bootstrap: as many as keep the items of all draws below a bound.
const DRAWS: std::ops::RangeInclusive<usize> = 500..=2_000;
const DRAWN: usize = 2_000_000;

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// The bootstrap's percentile interval over items; none with fewer than two.
    pub interval: Option<(f64, f64)>,
}

/// A figure of items and its interval: items are drawn again with replacement, by a generator that their
/// number seeds. Draws in which it has no value are left out.
pub(super) fn figure<T: Clone>(items: &[T], of: impl Fn(&[T]) -> Option<f64>) -> Option<Figure> {
    figures(items, |items| Some(vec![of(items)?])).pop()
}

/// The same of several figures that are computed together; none without a value.
pub(super) fn figures<T: Clone>(items: &[T], of: impl Fn(&[T]) -> Option<Vec<f64>>) -> Vec<Figure> {
    let Some(values) = of(items) else {
        return Vec::new();
    };
    let mut random = Random::seeded(items.len() as u64);
    let draws = (DRAWN / items.len().max(1)).clamp(*DRAWS.start(), *DRAWS.end());
    let mut drawn: Vec<T> = Vec::with_capacity(items.len());
    let mut found: Vec<Vec<f64>> = vec![Vec::with_capacity(draws); values.len()];
    for _ in 0..draws {
        drawn.clear();
        let items = (0..items.len()).filter_map(|_| items.get(random.below(items.len())));
        drawn.extend(items.cloned());
        let values = of(&drawn).into_iter().flatten();
        found.iter_mut().zip(values).for_each(|(all, value)| all.push(value));
    }
    let figure = |(value, mut found): (f64, Vec<f64>)| {
        found.sort_unstable_by(f64::total_cmp);
        let enough = items.len() > 1 && found.len() > 1;
        let interval = enough.then(|| (level_of(&found, 0.025), level_of(&found, 0.975)));
        Figure { value, interval }
    };
    values.into_iter().zip(found).map(figure).collect()
}
