//! Quantiles of Student's distribution, for intervals of means.

use super::bisection::bisect;

/// The 97.5 % quantile of the normal distribution.
pub(super) const NORMAL: f64 = 1.959_963_984_540_054;
const LEVEL: f64 = 0.95;
/// Up to here the distribution is summed exactly; beyond, four correction terms leave an error
/// below 1e-10.
const EXACT_UP_TO: u32 = 200;

/// The 97.5 % quantile of Student's distribution with the given degrees of freedom, at least 1.
pub(super) fn quantile(freedom: u32) -> f64 {
    if freedom > EXACT_UP_TO {
        return expansion(f64::from(freedom));
    }
    let (low, high) = bisect(NORMAL, 13.0, |t| within(t, freedom) < LEVEL);
    f64::midpoint(low, high)
}

/// Probability that a variable lies between `-t` and `t` (Abramowitz and Stegun 26.7.3, 26.7.4).
fn within(t: f64, freedom: u32) -> f64 {
    let angle = (t / f64::from(freedom).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    let mut power = if odd { 1 } else { 0 };
    while power + 2 <= freedom {
        sum += term;
        let next = f64::from(power);
        term *= cosine * cosine * (next + 1.0) / (next + 2.0);
        power += 2;
    }
    if odd { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

/// Expansion around the normal quantile (Abramowitz and Stegun 26.7.5).
fn expansion(freedom: f64) -> f64 {
    let z = NORMAL;
    let square = z * z;
    let terms = [
        (square + 1.0) / 4.0,
        ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
        ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92_160.0,
    ];
    let terms = terms.iter().rev();
    let correction = terms.fold(0.0, |sum, term| (sum + term) / freedom);
    z * (1.0 + correction)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with tables and with numerical integration of the density.
    #[test]
    fn quantiles_are_those_of_tables() {
        let table = [
            (1, 12.706_204_736_174_7),
            (2, 4.302_652_729_749_46),
            (3, 3.182_446_305_284_26),
            (4, 2.776_445_105_197_79),
            (9, 2.262_157_162_798_20),
            (30, 2.042_272_456_301_24),
            (133, 1.977_961_263_572_15),
            (1000, 1.962_339_080_826_41),
        ];
        for (freedom, expected) in table {
            let found = quantile(freedom);
            assert!((found - expected).abs() < 1e-9, "{freedom}: {found}");
        }
    }

    #[test]
    fn both_ways_meet() {
        let exact = quantile(EXACT_UP_TO);
        let expanded = expansion(f64::from(EXACT_UP_TO));
        assert!((exact - expanded).abs() < 1e-10, "{exact} {expanded}");
    }
}
