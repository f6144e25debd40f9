//! Two series over the same tasks: what differs within the pairs.

use super::distributions::NORMAL;
use super::interval::Bounded;

/// How many pairs came out how: the fourfold table of two yes-or-no series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fourfold {
    /// Pairs in which both were so.
    pub both: usize,
    /// Pairs in which only the first was so.
    pub first: usize,
    /// Pairs in which only the second was so.
    pub second: usize,
    /// Pairs in which none was so.
    pub neither: usize,
}

/// The difference of two shares whose intervals are joined, as far as they hang together (Newcombe's
/// way, for any estimates: Zou and Donner, Statistics in Medicine 27, 2008, 1693-1702).
pub(super) fn joined(first: Bounded, second: Bounded, correlation: f64) -> Bounded {
    let Bounded { value, low, high } = unbounded(first, second, correlation);
    Bounded { value, low: low.clamp(-1.0, value), high: high.clamp(value, 1.0) }
}

/// Joins the intervals of any two estimates; their difference has no bounds.
pub(super) fn unbounded(first: Bounded, second: Bounded, correlation: f64) -> Bounded {
    let joined = |one: f64, other: f64| {
        let square = one * one - 2.0 * correlation * one * other + other * other;
        square.max(0.0).sqrt()
    };
    let value = second.value - first.value;
    let below = joined(second.value - second.low, first.high - first.value);
    let above = joined(second.high - second.value, first.value - first.low);
    Bounded { value, low: value - below, high: value + above }
}

impl Fourfold {
    /// Counts pairs of first and second.
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut table = Self::default();
        for pair in pairs {
            match pair {
                (true, true) => table.both += 1,
                (true, false) => table.first += 1,
                (false, true) => table.second += 1,
                (false, false) => table.neither += 1,
            }
        }
        table
    }

    /// Number of pairs.
    pub fn pairs(&self) -> usize {
        self.both + self.first + self.second + self.neither
    }

    /// The difference of the two shares with Newcombe's interval for paired proportions: the two
    /// Wilson intervals, joined with regard to how the series hang together (Newcombe 1998,
    /// Statistics in Medicine 17, 2635-2650, method 10). None without pairs.
    ///
    /// The pairs count as `pairs` independent ones.
    pub(super) fn difference(&self, pairs: f64) -> Option<Bounded> {
        self.difference_at(pairs, NORMAL)
    }

    /// The difference with its interval at the level of a normal quantile.
    pub(super) fn difference_at(&self, pairs: f64, quantile: f64) -> Option<Bounded> {
        let n = self.pairs() as f64;
        if n < 1.0 {
            return None;
        }
        let [first, second] = [self.first, self.second].map(|only| (self.both + only) as f64 / n);
        let bounded = |share| Bounded::share_at(share, pairs, quantile);
        let phi = self.correlation(pairs / n);
        Some(joined(bounded(first), bounded(second), phi))
    }

    /// The variance of the difference of one pair.
    pub(super) fn spread(&self) -> f64 {
        let n = self.pairs().max(1) as f64;
        let [first, second] = [self.first, self.second].map(|only| only as f64 / n);
        first + second - (second - first) * (second - first)
    }

    /// The correlation of the two series, corrected for continuity as Newcombe does; 0 where one
    /// of them never changes. Each pair weighs as much as said.
    fn correlation(&self, weight: f64) -> f64 {
        let [both, first, second, neither] =
            [self.both, self.first, self.second, self.neither].map(|count| count as f64 * weight);
        let margins = (both + first) * (second + neither) * (both + second) * (first + neither);
        if margins <= 0.0 {
            return 0.0;
        }
        let product = both * neither - first * second;
        let half = self.pairs() as f64 * weight / 2.0;
        let corrected = if product > 0.0 { (product - half).max(0.0) } else { product };
        corrected / margins.sqrt()
    }

    /// McNemar's exact test: how probable a split of the pairs that differ is which is at least as
    /// uneven as this one, if either way is as likely (two-sided; 1 if none differs).
    pub fn mcnemar(&self) -> f64 {
        let fewer = self.first.min(self.second);
        let n = (self.first + self.second) as f64;
        // The largest term of the sum, by its logarithm: its factors alone leave the range of
        // numbers from a thousand pairs on.
        let factor = |place: usize| (n - place as f64 + 1.0) / place as f64;
        let logarithm: f64 = (1..=fewer).map(|place| factor(place).ln()).sum();
        let mut term = (logarithm - n * std::f64::consts::LN_2).exp();
        let mut sum = 0.0;
        for place in (0..=fewer).rev() {
            sum += term;
            let place = place as f64;
            term *= place / (n - place + 1.0);
        }
        (2.0 * sum).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(both: usize, first: usize, second: usize, neither: usize) -> Fourfold {
        Fourfold { both, first, second, neither }
    }

    /// The first row is the airway example of Fagerland, Lydersen and Laake (2014), who give
    /// (-0.507, -0.026) for first minus second; the others were computed with another program.
    #[test]
    fn differences_of_rates_have_newcombes_interval() {
        let cases = [
            (table(1, 1, 7, 12), 0.025_559_124_164_859_78, 0.506_920_226_686_141),
            (table(794, 150, 86, 570), -0.058_703_872_895_728_836, -0.021_230_423_982_877_056),
            (table(53, 16, 8, 9), -0.203_915_835_250_453_1, 0.020_104_076_887_636_144),
            (table(10, 0, 0, 0), -0.277_532_799_862_889_37, 0.277_532_799_862_889_37),
            (table(0, 5, 0, 5), -0.763_406_909_487_436, -0.117_367_467_450_222_14),
            (table(90, 0, 0, 10), -0.035_295_709_147_254_98, 0.035_295_709_147_254_98),
        ];
        for (table, low, high) in cases {
            let found = table.difference(table.pairs() as f64).unwrap();
            assert!((found.low - low).abs() < 1e-12, "{table:?} {found:?}");
            assert!((found.high - high).abs() < 1e-12, "{table:?} {found:?}");
        }
        assert_eq!(Fourfold::default().difference(0.0), None);
    }

    /// Compared with sums of exact fractions. The airway example has p = 0.0703.
    #[test]
    fn mcnemar_is_exact() {
        let cases = [
            (1, 7, 0.070_312_5),
            (150, 86, 3.715_936_139_571_442e-5),
            (0, 0, 1.0),
            (3, 3, 1.0),
            (6, 0, 0.031_25),
            (500, 420, 0.009_162_763_875_231_38),
            (20_000, 19_500, 0.012_046_830_244_306_264),
        ];
        for (first, second, expected) in cases {
            let found = table(9, first, second, 4).mcnemar();
            assert!((found / expected - 1.0).abs() < 1e-9, "{first} {second}: {found}");
        }
    }

    proptest! {
        #[test]
        fn an_interval_holds_the_difference_and_turns_with_its_sides(
            both in 0_usize..500, first in 0_usize..500, second in 0_usize..500, neither in 0_usize..500,
        ) {
            let one = table(both, first, second, neither);
            let other = table(both, second, first, neither);
            prop_assert_eq!(one.mcnemar(), other.mcnemar());
            prop_assert!(one.mcnemar() > 0.0 && one.mcnemar() <= 1.0);
            if let (Some(one), Some(other)) = (one.difference(one.pairs() as f64), other.difference(one.pairs() as f64)) {
                prop_assert!(-1.0 <= one.low && one.low <= one.value);
                prop_assert!(one.value <= one.high && one.high <= 1.0);
                prop_assert!((one.low + other.high).abs() < 1e-9);
            }
        }
    }
}
