//! How many pairs a comparison needs.

use super::distributions::{NORMAL, bisect, normal_quantile};
use super::interval::Bounded;

/// The chance that a difference which is there is found.
const POWER: f64 = 0.8;
/// The chance that no more pairs differ than a pilot's upper limit says (Browne 1995).
const SURE: f64 = 0.8;

/// The differences that pairs can find by McNemar's test at a level of 5 % with a power of 80 %.
///
/// The number of pairs is that of Connor (Biometrics 43, 1987, 207-211): `(z_a sqrt(d) + z_b sqrt(d -
/// D^2))^2 / D^2` for a difference D where the share d of all pairs differs; times the design effect
/// where tasks were played several times.
///
/// The pairs at hand are the pilot. Of few pairs, the share that differs is not well known: as many as it takes
/// at its upper limit are enough in most cases (Browne, Statistics in Medicine 14, 1995, 1933-1940, who takes the
/// one-sided limit of 80 % of a variance; here it is Wilson's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The difference that is asked about, as a share.
    pub difference: f64,
    /// The share of the pairs that differ; that of the difference itself if it is greater.
    pub discordance: f64,
    /// How many pairs say as much as one would say alone.
    pub design_effect: f64,
    /// The pairs that it takes to find the difference.
    pub needed: u64,
    /// The upper limit of the share of pairs that differ: one-sided, 80 %.
    pub discordance_limit: f64,
    /// The pairs that it takes at this limit.
    pub needed_at_limit: u64,
    /// The least difference that the pairs there are could have found; none if there are too few
    /// for any.
    pub detectable: Option<f64>,
}

impl Power {
    /// For pairs of which the share `discordance` differs and which say as much as `alike` pairs of
    /// different tasks.
    pub(super) fn of(difference: f64, discordance: f64, pairs: f64, alike: f64) -> Self {
        let difference = difference.abs().clamp(1e-6, 1.0);
        let design_effect = pairs / alike;
        let limit = Bounded::share_at(discordance.min(1.0), alike, normal_quantile(SURE)).high;
        let needed = |discordance| (connor(difference, discordance) * design_effect).ceil() as u64;
        Self {
            difference,
            discordance: discordance.max(difference),
            design_effect,
            needed: needed(discordance),
            discordance_limit: limit.max(difference),
            needed_at_limit: needed(limit),
            detectable: detectable(discordance, alike),
        }
    }
}

/// Pairs that it takes. No difference is greater than the share of the pairs that differ.
fn connor(difference: f64, discordance: f64) -> f64 {
    let discordance = discordance.max(difference);
    let rest = discordance - difference * difference;
    let root = NORMAL * discordance.sqrt() + normal_quantile(POWER) * rest.max(0.0).sqrt();
    (root / difference).powi(2)
}

/// The difference for which so many pairs are just enough.
fn detectable(discordance: f64, pairs: f64) -> Option<f64> {
    if connor(1.0, discordance) > pairs {
        return None;
    }
    // Greater differences need fewer pairs.
    let (_, high) = bisect(0.0, 1.0, |difference| connor(difference, discordance) > pairs);
    Some(high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluation::Fourfold;

    #[test]
    fn pairs_are_those_of_the_formula() {
        // Computed with SciPy's quantiles; 0.2 and 0.1 is worked out in many textbooks as 155.
        let cases = [(0.1, 0.2, 155), (0.05, 0.2, 626), (0.2, 0.25, 47), (0.3, 0.1, 24)];
        for (difference, discordance, needed) in cases {
            let found = Power::of(difference, discordance, 100.0, 100.0);
            assert_eq!(found.needed, needed, "{difference} {discordance}");
        }
        let power = Power::of(0.05, 0.2, 400.0, 100.0);
        assert_eq!((power.needed, power.design_effect), (2_503, 4.0));
        assert_eq!(Power::of(0.05, 0.2, 3.0, 3.0).detectable, None);
        // 20 of 100: Wilson's upper limit at z = 0.8416 is 0.235723.
        let pilot = Power::of(0.1, 0.2, 100.0, 100.0);
        assert!((pilot.discordance_limit - 0.235_723).abs() < 1e-6, "{pilot:?}");
        assert_eq!(pilot.needed_at_limit, 183);
        // With nothing seen that differs, all that differs must be the difference.
        assert!(Power::of(0.05, 0.0, 100.0, 100.0).needed > 0);
    }

    /// The power of the exact test at the size that the formula gives, summed over all tables.
    #[test]
    fn the_exact_test_finds_what_is_promised() {
        let (difference, discordance) = (0.15, 0.3);
        let pairs = Power::of(difference, discordance, 100.0, 100.0).needed as usize;
        let gain = (discordance + difference) / 2.0;
        let loss = discordance - gain;
        let logarithm = |n: usize| (1..=n).map(|place| (place as f64).ln()).sum::<f64>();
        let mut found = 0.0;
        for first in 0..=pairs {
            for second in 0..=pairs - first {
                let same = pairs - first - second;
                let table = Fourfold { both: same, first, second, neither: 0 };
                if table.mcnemar() > 0.05 {
                    continue;
                }
                let ways = logarithm(pairs) - logarithm(first) - logarithm(second) - logarithm(same);
                let chance =
                    first as f64 * loss.ln() + second as f64 * gain.ln() + same as f64 * (1.0 - discordance).ln();
                found += (ways + chance).exp();
            }
        }
        // The exact test is a little more careful than the formula.
        assert!((0.74..0.84).contains(&found), "{found}");
    }

    proptest! {
        #[test]
        fn what_is_detectable_needs_the_pairs_there_are(
            discordance in 0.0..1.0_f64, pairs in 4_usize..100_000,
        ) {
            let power = Power::of(0.05, discordance, pairs as f64, pairs as f64);
            if let Some(least) = power.detectable {
                let again = Power::of(least, discordance, pairs as f64, pairs as f64).needed;
                prop_assert!(again.abs_diff(pairs as u64) <= 1, "{again} {pairs}");
            }
        }
    }
}
