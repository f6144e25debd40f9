//! How the values of many episodes are spread.

/// Where the values of a series lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Number of values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Minimum, lower quartile, median, upper quartile, maximum. Between two values, quantiles are
    /// interpolated linearly.
    pub quartiles: [f64; 5],
}

impl Spread {
    /// The spread of counts; none without any.
    pub fn of(values: &[u32]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let value = |place: usize| sorted.get(place).copied().map_or(0.0, f64::from);
        let quantile = |quarter: usize| {
            let (place, rest) = (last * quarter / 4, last * quarter % 4);
            let below = value(place);
            below + (value((place + 1).min(last)) - below) * rest as f64 / 4.0
        };
        let sum: f64 = values.iter().copied().map(f64::from).sum();
        Some(Self { n: values.len(), mean: sum / values.len() as f64, quartiles: [0, 1, 2, 3, 4].map(quantile) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with the quantiles that R and NumPy give by default.
    #[test]
    fn quartiles_are_interpolated() {
        let spread = Spread::of(&[7, 1, 3, 12, 5, 20]).unwrap();
        assert_eq!(spread.quartiles, [1.0, 3.5, 6.0, 10.75, 20.0]);
        assert_eq!((spread.n, spread.mean), (6, 8.0));
        assert_eq!(Spread::of(&[4]).unwrap().quartiles, [4.0; 5]);
        assert_eq!(Spread::of(&[]), None);
    }
}
