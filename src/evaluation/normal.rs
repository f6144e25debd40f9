//! The normal distribution, for bootstrap intervals and sizes of samples.

use super::bisection::bisect;

/// Beyond this nothing is left that a number near 1 could hold.
const FAR: f64 = 8.5;

/// Probability of a value below `x`; its error is below 1e-15.
pub(super) fn below(x: f64) -> f64 {
    if x.abs() > FAR {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    // The sum of x^(2k+1) / (1 * 3 * ... * (2k+1)) (Abramowitz and Stegun 26.2.11).
    let square = x * x;
    let (mut term, mut sum, mut odd) = (x, 0.0, 1.0);
    while sum + term != sum {
        sum += term;
        odd += 2.0;
        term *= square / odd;
    }
    let density = (-square / 2.0).exp() / std::f64::consts::TAU.sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

/// The value below which the given share lies. Shares of 0 and 1 give the ends of the scale.
pub(super) fn quantile(share: f64) -> f64 {
    let (low, high) = bisect(-FAR, FAR, |x| below(x) < share);
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `scipy.stats.norm.cdf` and `scipy.stats.norm.ppf` (SciPy 1.17.1).
    #[test]
    fn values_are_those_of_another_program() {
        let table = [
            (-3.0, 0.001_349_898_031_630_094_6),
            (-1.959_963_984_540_054, 0.025),
            (-0.3, 0.382_088_577_811_047_4),
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (4.5, 0.999_996_602_326_875_3),
        ];
        for (x, share) in table {
            assert!((below(x) - share).abs() < 1e-15, "{x}: {}", below(x));
            assert!((quantile(share) - x).abs() < 1e-9, "{share}");
        }
        assert!((quantile(0.8) - 0.841_621_233_572_914_3).abs() < 1e-14);
        assert_eq!((below(40.0), below(-40.0)), (1.0, 0.0));
        assert!(quantile(1.0) > 8.0 && quantile(0.0) < -8.0);
    }
}
