//! The normal distribution and Student's, for intervals and sizes of samples.

/// Halves what lies between the bounds until no number is left there, and gives the two that remain.
/// The number that is sought lies above another if `is_below` says so.
pub(super) fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> (f64, f64) {
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return (low, high);
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Beyond this nothing is left that a number near 1 could hold.
const FAR: f64 = 8.5;

/// Probability of a value below `x`; its error is below 1e-15.
pub(super) fn normal_below(x: f64) -> f64 {
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
pub(super) fn normal_quantile(share: f64) -> f64 {
    let (low, high) = bisect(-FAR, FAR, |x| normal_below(x) < share);
    f64::midpoint(low, high)
}

/// The 97.5 % quantile of the normal distribution.
pub(super) const NORMAL: f64 = 1.959_963_984_540_054;
const LEVEL: f64 = 0.95;
/// Up to here the distribution is summed exactly; beyond, four correction terms leave an error
/// below 1e-10.
const EXACT_UP_TO: u32 = 200;

/// The 97.5 % quantile of Student's distribution with the given degrees of freedom, at least 1.
pub(super) fn student_quantile(freedom: u32) -> f64 {
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
    let correction = terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom);
    z * (1.0 + correction)
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
            assert!((normal_below(x) - share).abs() < 1e-15, "{x}: {}", normal_below(x));
            assert!((normal_quantile(share) - x).abs() < 1e-9, "{share}");
        }
        assert!((normal_quantile(0.8) - 0.841_621_233_572_914_3).abs() < 1e-14);
        assert_eq!((normal_below(40.0), normal_below(-40.0)), (1.0, 0.0));
        assert!(normal_quantile(1.0) > 8.0 && normal_quantile(0.0) < -8.0);
    }

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
            let found = student_quantile(freedom);
            assert!((found - expected).abs() < 1e-9, "{freedom}: {found}");
        }
    }

    #[test]
    fn both_ways_meet() {
        let exact = student_quantile(EXACT_UP_TO);
        let expanded = expansion(f64::from(EXACT_UP_TO));
        assert!((exact - expanded).abs() < 1e-10, "{exact} {expanded}");
    }
}
