//! Estimates over many episodes, with 95 % intervals.

use super::student::{self, NORMAL};

/// What the measurements of many episodes say together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Estimate {
    /// No episode says anything.
    #[default]
    Empty,
    /// How often something was so.
    Rate {
        /// Number of episodes.
        n: usize,
        /// In how many it was so.
        successes: usize,
        /// The share, 0 to 1.
        rate: f64,
        /// Lower end of the Wilson interval.
        low: f64,
        /// Upper end of the Wilson interval.
        high: f64,
    },
    /// How much of something there was on average.
    Mean {
        /// Number of episodes.
        n: usize,
        /// The average.
        mean: f64,
        /// The interval by Student's distribution; one episode has none. It is not cut at the ends
        /// of the figure's scale.
        interval: Option<(f64, f64)>,
    },
}

impl Estimate {
    /// Number of episodes that say something.
    pub fn n(&self) -> usize {
        match self {
            Self::Empty => 0,
            Self::Rate { n, .. } | Self::Mean { n, .. } => *n,
        }
    }

    /// The rate or the mean.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Empty => None,
            Self::Rate { rate, .. } => Some(*rate),
            Self::Mean { mean, .. } => Some(*mean),
        }
    }

    /// The lower and the upper end of the interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Self::Empty => None,
            Self::Rate { low, high, .. } => Some((*low, *high)),
            Self::Mean { interval, .. } => *interval,
        }
    }
}

/// The share of successes with its 95 % Wilson score interval.
///
/// More successes than episodes are taken for as many as episodes.
pub fn wilson(successes: usize, n: usize) -> Estimate {
    if n == 0 {
        return Estimate::Empty;
    }
    let successes = successes.min(n);
    let count = n as f64;
    let rate = successes as f64 / count;
    let square = NORMAL * NORMAL;
    let centre = rate + square / (2.0 * count);
    let spread = rate * (1.0 - rate) / count + square / (4.0 * count * count);
    let half = NORMAL * spread.sqrt();
    let scale = 1.0 + square / count;
    // Rounding must not put an end on the wrong side of the rate or of the scale.
    Estimate::Rate {
        n,
        successes,
        rate,
        low: ((centre - half) / scale).clamp(0.0, rate),
        high: if successes == n {
            1.0
        } else {
            ((centre + half) / scale).clamp(rate, 1.0)
        },
    }
}

/// The mean with its 95 % interval by Student's distribution. Sums run in the order of the values.
pub fn mean(values: &[f64]) -> Estimate {
    if values.is_empty() {
        return Estimate::Empty;
    }
    let n = values.len();
    let count = n as f64;
    let mean = values.iter().sum::<f64>() / count;
    let interval = (n > 1).then(|| {
        let squares: f64 = values
            .iter()
            .map(|value| (value - mean) * (value - mean))
            .sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        let half = student::quantile(u32::try_from(n - 1).unwrap_or(u32::MAX)) * error;
        (mean - half, mean + half)
    });
    Estimate::Mean { n, mean, interval }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    /// The bounds are the roots of `(p - rate)^2 = z^2 p (1 - p) / n`, found by halving elsewhere.
    #[test]
    fn wilson_bounds_are_those_of_an_independent_computation() {
        let cases = [
            (8, 10, 0.490_162_471_536_641_7, 0.943_317_848_545_624_8),
            (117, 134, 0.806_209_744_209_115_2, 0.919_261_393_832_751),
            (1, 3, 0.061_491_944_720_396_235, 0.792_340_399_197_952_3),
            (0, 10, 0.0, 0.277_532_799_862_889_26),
            (10, 10, 0.722_467_200_137_110_9, 1.0),
            (1, 1, 0.206_549_314_377_237_4, 1.0),
        ];
        for (successes, n, low, high) in cases {
            let found = wilson(successes, n).interval().unwrap();
            near(found.0, low);
            near(found.1, high);
        }
        assert_eq!(wilson(0, 0), Estimate::Empty);
    }

    #[test]
    fn means_have_students_interval() {
        let estimate = mean(&[3.0, 7.0, 8.0, 12.0, 20.5]);
        near(estimate.value().unwrap(), 10.1);
        let (low, high) = estimate.interval().unwrap();
        assert!((low - 1.859_054_435_966).abs() < 1e-9, "{low}");
        assert!((high - 18.340_945_564_034).abs() < 1e-9, "{high}");
        assert_eq!(mean(&[2.0]).interval(), None);
        assert_eq!(mean(&[2.0, 2.0]).interval(), Some((2.0, 2.0)));
        assert_eq!(mean(&[]), Estimate::Empty);
    }

    proptest! {
        #[test]
        fn a_wilson_interval_lies_on_the_scale_and_holds_the_rate(n in 1_usize..1_000_000, share in 0.0..=1.0) {
            let successes = (n as f64 * share) as usize;
            let estimate = wilson(successes, n);
            let (low, high) = estimate.interval().unwrap();
            let rate = estimate.value().unwrap();
            prop_assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0);
            prop_assert!(high - low > 0.0);
        }
    }
}
