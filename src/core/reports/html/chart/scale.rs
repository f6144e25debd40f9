//! From values to places along a chart.

/// Values from one end of a chart to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// From `low` to `high`; an empty or endless one becomes one wide.
    pub(in super::super) fn new(low: f64, high: f64) -> Self {
        let width = high - low;
        if low.is_finite() && width.is_finite() && width > 0.0 {
            return Self { low, high };
        }
        let low = if low.is_finite() { low } else { 0.0 };
        let high = low + 1.0;
        Self { low, high }
    }

    /// A scale around zero that holds all the values.
    pub(in super::super) fn around_zero(values: impl Iterator<Item = f64>) -> Self {
        let widest = values.map(f64::abs).filter(|value| value.is_finite()).fold(0.0, f64::max);
        let step = step(widest, 2);
        let end = (widest / step).ceil().max(1.0) * step;
        Self::new(-end, end)
    }

    /// A scale that holds all the values, and zero.
    pub(in super::super) fn beside_zero(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let step = step(high - low, 4);
        Self::new((low / step).floor() * step, (high / step).ceil() * step)
    }

    /// Its upper end.
    pub(in super::super) fn high(&self) -> f64 {
        self.high
    }

    /// The place of a value, as an attribute: `37.50%`. What lies beyond an end is put there.
    pub(in super::super) fn percent(&self, value: f64) -> String {
        percent(self.share(value))
    }

    /// The place of a value, 0 to 1.
    pub(in super::super) fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Round values to write on the axis, from end to end, about `count` of them.
    pub(in super::super) fn ticks(&self, count: usize) -> Vec<f64> {
        let step = step(self.high - self.low, count);
        let first = (self.low / step).ceil();
        let all = (0..=2 * count + 2).map(|place| (first + place as f64) * step);
        let ticks = all.take_while(|tick| *tick <= self.high + step * 1e-9);
        // No axis says -0.
        ticks.map(|tick| tick + 0.0).collect()
    }
}

/// A round step (1, 2 or 5 times a power of ten) that divides the width into at most `count` parts.
pub(super) fn step(width: f64, count: usize) -> f64 {
    let exact = width / count.max(1) as f64;
    if !exact.is_finite() || exact <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(exact.log10().floor());
    let round = [1.0, 2.0, 5.0].map(|factor| factor * power);
    round.into_iter().find(|step| *step >= exact * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A value as an axis shows it.
pub(super) fn label(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A share as an attribute.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_and_ticks() {
        let scale = Scale::new(0.0, 50.0);
        assert_eq!(scale.percent(12.5), "25.00%");
        assert_eq!(scale.percent(-3.0), "0.00%");
        assert_eq!(scale.ticks(5), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        let around = Scale::around_zero([3.0, -17.0].into_iter());
        assert_eq!(around.ticks(4), [-20.0, -10.0, 0.0, 10.0, 20.0]);
        let beside = |values: &[f64]| Scale::beside_zero(values.iter().copied());
        assert_eq!(beside(&[31.0, 57.0]).ticks(4), [0.0, 20.0, 40.0, 60.0]);
        assert_eq!(beside(&[-3.0, f64::NAN, 9.0]).ticks(4), [-5.0, 0.0, 5.0, 10.0]);
        assert_eq!(beside(&[]), Scale::new(0.0, 1.0));
        assert_eq!([0.1 + 0.2, -20.0, 0.0].map(label), ["0.3", "-20", "0"]);
        assert_eq!(Scale::new(3.0, 3.0).ticks(2), [3.0, 3.5, 4.0]);
        assert_eq!(Scale::around_zero(std::iter::empty()), Scale::new(-1.0, 1.0));
    }

    proptest! {
        #[test]
        fn ticks_lie_on_the_scale(low in -1e6..1e6, width in 1e-3..1e6, count in 1_usize..12) {
            let scale = Scale::new(low, low + width);
            let ticks = scale.ticks(count);
            prop_assert!(ticks.len() <= count + 1, "{ticks:?}");
            for tick in ticks {
                prop_assert!(tick >= low - width * 1e-6 && tick <= low + width * (1.0 + 1e-6));
            }
        }
    }
}
