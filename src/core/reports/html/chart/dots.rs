//! Estimates as dots with whiskers.

use maud::{Markup, html};

use super::super::escape::Shown;
use super::Scale;
use super::scale::{label, percent};

/// Height of a row, in pixels.
const HEIGHT: u32 = 26;
const MIDDLE: u32 = 13;

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Whisker {
    /// The estimate.
    pub(in super::super) value: f64,
    /// The ends of its interval; none is drawn without.
    pub(in super::super) interval: Option<(f64, f64)>,
}

impl Whisker {
    /// All that a scale must hold.
    pub(in super::super) fn values(&self) -> [f64; 3] {
        let (low, high) = self.interval.unwrap_or((self.value, self.value));
        [self.value, low, high]
    }
}

/// A row with the estimate, if there is one. `tone` is the class that colours it.
pub(in super::super) fn whisker(
    scale: &Scale,
    ticks: &[f64],
    estimate: Option<Whisker>,
    tone: &str,
    title: &str,
) -> Markup {
    html! {
        svg.row role="img" aria-label=(Shown(title)) width="100%" height=(HEIGHT) {
            title { (Shown(title)) }
            @for tick in ticks {
                line.grid.zero[*tick == 0.0 && scale.share(0.0) > 0.0] x1=(scale.percent(*tick)) x2=(scale.percent(*tick))
                    y1="0" y2=(HEIGHT) {}
            }
            @if let Some(Whisker { value, interval }) = estimate {
                g class=(tone) {
                    @if let Some((low, high)) = interval {
                        (arm(scale, low, high))
                    }
                    circle.dot cx=(scale.percent(value)) cy=(MIDDLE) r="5" {}
                }
            }
        }
    }
}

fn arm(scale: &Scale, low: f64, high: f64) -> Markup {
    let (low, high) = (scale.percent(low), scale.percent(high));
    html! {
        line.arm x1=(low) x2=(high) y1=(MIDDLE) y2=(MIDDLE) {}
        @for end in [&low, &high] {
            line.arm x1=(end) x2=(end) y1=(MIDDLE - 4) y2=(MIDDLE + 4) {}
        }
    }
}

/// The axis below such rows.
pub(in super::super) fn axis(scale: &Scale, ticks: &[f64], unit: &str) -> Markup {
    let last = ticks.len().saturating_sub(1);
    html! {
        svg.axis aria-hidden="true" width="100%" height="20" {
            @for (place, tick) in ticks.iter().enumerate() {
                line.grid x1=(scale.percent(*tick)) x2=(scale.percent(*tick)) y1="0" y2="4" {}
                text x=(scale.percent(*tick)) y="16" text-anchor=(anchor(scale.share(*tick))) {
                    (label(*tick))
                    @if place == last { (unit) }
                }
            }
        }
    }
}

/// Letters at an end of the axis stay inside it.
fn anchor(share: f64) -> &'static str {
    if share < 0.02 {
        "start"
    } else if share > 0.98 {
        "end"
    } else {
        "middle"
    }
}

/// Height of such a row, in pixels.
const TALL: f64 = 56.0;

/// A row with an upright whisker for each estimate, which is so far along, 0 to 1. A dashed line stands where
/// something is decided.
pub(in super::super) fn sequence(
    scale: &Scale,
    estimates: &[(f64, Whisker)],
    decided: Option<f64>,
    title: &str,
) -> Markup {
    let height = |value: f64| format!("{:.1}", TALL * (1.0 - scale.share(value)));
    html! {
        svg.row role="img" aria-label=(Shown(title)) width="100%" height=(TALL) {
            title { (Shown(title)) }
            line.ground x1="0" x2="100%" y1=(height(0.0)) y2=(height(0.0)) {}
            g.ink {
                @for (at, Whisker { value, interval }) in estimates {
                    @if let Some((low, high)) = interval {
                        line.arm x1=(percent(*at)) x2=(percent(*at)) y1=(height(*high)) y2=(height(*low)) {}
                    }
                    circle.dot cx=(percent(*at)) cy=(height(*value)) r="3" {}
                }
            }
            @if let Some(at) = decided {
                line.median x1=(percent(at)) x2=(percent(at)) y1="0" y2=(TALL) {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whisker_ends_where_its_interval_does() {
        let estimate = Whisker { value: 50.0, interval: Some((40.0, 65.5)) };
        let scale = Scale::new(0.0, 100.0);
        let row = whisker(&scale, &[0.0], Some(estimate), "c0", "a <b>").into_string();
        assert!(row.contains(r#"<line class="arm" x1="40.00%" x2="65.50%""#), "{row}");
        assert!(row.contains(r#"cx="50.00%""#) && row.contains("<title>a &lt;b&gt;</title>"));
        let empty = whisker(&scale, &[], None, "c0", "none").into_string();
        assert!(!empty.contains("<circle"));
    }

    #[test]
    fn lines_end_where_intervals_do() {
        let scale = Scale::new(-50.0, 50.0);
        let whisker = |value, low, high| Whisker { value, interval: Some((low, high)) };
        let all = [(0.5, whisker(0.0, -25.0, 50.0)), (1.0, whisker(20.0, 10.0, 30.0))];
        let row = sequence(&scale, &all, Some(0.75), "a <b>").into_string();
        assert!(row.contains(r#"x1="50.00%" x2="50.00%" y1="0.0" y2="42.0""#), "{row}");
        assert!(row.contains(r#"<line class="median" x1="75.00%""#), "{row}");
        assert!(row.contains(r#"cx="50.00%" cy="28.0""#) && row.contains("a &lt;b&gt;"));
    }
}
