//! Intervals that become narrower as more is seen.

use maud::{Markup, html};

use super::super::escape::Shown;
use super::Scale;
use super::scale::percent;

/// Height of such a row, in pixels.
const HEIGHT: f64 = 56.0;

/// A row with an upright line for each look: how far along it is, 0 to 1, and the ends of its interval. The dashed
/// line stands where the interval left zero out.
pub(in super::super) fn sequence(
    scale: &Scale,
    looks: &[(f64, (f64, f64))],
    decided: Option<f64>,
    title: &str,
) -> Markup {
    let height = |value: f64| format!("{:.1}", HEIGHT * (1.0 - scale.share(value)));
    html! {
        svg.row role="img" aria-label=(Shown(title)) width="100%" height=(HEIGHT) {
            title { (Shown(title)) }
            line.ground x1="0" x2="100%" y1=(height(0.0)) y2=(height(0.0)) {}
            g.ink {
                @for (at, (low, high)) in looks {
                    line.arm x1=(percent(*at)) x2=(percent(*at)) y1=(height(*high)) y2=(height(*low)) {}
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
        let looks = [(0.5, (-25.0, 50.0)), (1.0, (10.0, 30.0))];
        let row = sequence(&scale, &looks, Some(0.75), "a <b>").into_string();
        assert!(
            row.contains(r#"x1="50.00%" x2="50.00%" y1="0.0" y2="42.0""#),
            "{row}"
        );
        assert!(row.contains(r#"<line class="median" x1="75.00%""#), "{row}");
        assert!(row.contains("a &lt;b&gt;"));
    }
}
