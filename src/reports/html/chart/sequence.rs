//! Estimates one after the other, as more is seen or more is asked for.

use maud::{Markup, html};

use super::super::escape::Shown;
use super::scale::percent;
use super::{Scale, Whisker};

/// Height of such a row, in pixels.
const HEIGHT: f64 = 56.0;

/// A row with an upright whisker for each estimate, which is so far along, 0 to 1. A dashed line stands where
/// something is decided.
pub(in super::super) fn sequence(
    scale: &Scale,
    estimates: &[(f64, Whisker)],
    decided: Option<f64>,
    title: &str,
) -> Markup {
    let height = |value: f64| format!("{:.1}", HEIGHT * (1.0 - scale.share(value)));
    html! {
        svg.row role="img" aria-label=(Shown(title)) width="100%" height=(HEIGHT) {
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
                line.median x1=(percent(at)) x2=(percent(at)) y1="0" y2=(HEIGHT) {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
