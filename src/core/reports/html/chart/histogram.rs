//! The spread of counts, as bars.

use maud::{Markup, html};

use super::super::escape::Shown;
use super::scale::{label, percent, step};

/// Height of a histogram, in pixels.
const HEIGHT: f64 = 64.0;
/// Bars of a histogram at most.
const BARS: usize = 26;

/// The bars that counts fall into: each is as many whole numbers wide, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Bins {
    width: u32,
    count: usize,
}

impl Bins {
    /// Bars for counts up to the largest.
    pub(in super::super) fn up_to(largest: u32) -> Self {
        let numbers = u64::from(largest) + 1;
        // Numbers that are too large become the largest.
        let width = step(numbers as f64, BARS).ceil().max(1.0) as u32;
        let count = numbers.div_ceil(u64::from(width));
        Self { width, count: usize::try_from(count).unwrap_or(BARS) }
    }

    /// The numbers of values that fall into each, of values that occur so many times.
    pub(in super::super) fn weighed(&self, values: impl Iterator<Item = (u32, u64)>) -> Vec<u64> {
        let mut counts = vec![0; self.count];
        for (value, times) in values {
            let place = (value / self.width) as usize;
            if let Some(count) = counts.get_mut(place) {
                *count += times;
            }
        }
        counts
    }

    /// The place of the middle of a number, 0 to 1.
    fn share(&self, value: f64) -> f64 {
        (value + 0.5) / (self.count as f64 * f64::from(self.width))
    }

    /// The axis below histograms.
    pub(in super::super) fn axis(&self) -> Markup {
        let end = self.count as f64 * f64::from(self.width);
        let step = step(end, 6).max(1.0);
        let ticks = (0..).map(|place| f64::from(place) * step);
        let ticks = ticks.take_while(|tick| *tick < end);
        html! {
            svg.axis aria-hidden="true" width="100%" height="20" {
                @for tick in ticks {
                    line.grid x1=(percent(self.share(tick))) x2=(percent(self.share(tick))) y1="0" y2="4" {}
                    text x=(percent(self.share(tick))) y="16" text-anchor="middle" { (label(tick)) }
                }
            }
        }
    }
}

/// The bars, the tallest possible one being `tallest` high, and a line at the median.
pub(in super::super) fn histogram(
    bins: &Bins,
    shares: &[f64],
    tallest: f64,
    median: f64,
    tone: &str,
    title: &str,
) -> Markup {
    let width = 1.0 / bins.count as f64;
    let height = |share: f64| share / tallest.max(f64::MIN_POSITIVE) * (HEIGHT - 4.0);
    let bars = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
    let middle = percent(bins.share(median));
    html! {
        svg.row role="img" aria-label=(Shown(title)) width="100%" height=(HEIGHT) {
            title { (Shown(title)) }
            g class=(tone) {
                @for (place, share) in bars {
                    rect.bar x=(percent(place as f64 * width)) width=(percent(width))
                        y=(pixels(HEIGHT - height(*share))) height=(pixels(height(*share))) {}
                }
            }
            line.median x1=(middle) x2=(middle) y1="0" y2=(HEIGHT) {}
            line.ground x1="0" x2="100%" y1=(HEIGHT - 0.5) y2=(HEIGHT - 0.5) {}
        }
    }
}

fn pixels(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bars_hold_whole_numbers() {
        assert_eq!(Bins::up_to(3), Bins { width: 1, count: 4 });
        assert_eq!(Bins::up_to(50), Bins { width: 2, count: 26 });
        let values = [(0, 1), (3, 2)];
        assert_eq!(Bins::up_to(3).weighed(values.into_iter()), [1, 0, 0, 2]);
    }

    proptest! {
        #[test]
        fn every_value_has_a_bar(values in proptest::collection::vec(any::<u32>(), 1..20)) {
            let largest = values.iter().copied().max().unwrap_or(0);
            let bins = Bins::up_to(largest);
            let counts = bins.weighed(values.iter().map(|value| (*value, 1)));
            prop_assert!(counts.len() <= BARS + 1);
            prop_assert_eq!(counts.iter().sum::<u64>(), values.len() as u64);
        }
    }
}
