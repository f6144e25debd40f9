//! Curves over time, told apart by their marks and dashes as well as by their colours.

use maud::{Markup, html};

use super::super::escape::Shown;
use super::scale::{Scale, label};

/// Height of the drawing, in pixels.
const HEIGHT: f64 = 220.0;
/// Dashes of the first curve, the second, and so on.
const DASHES: [&str; 4] = ["none", "7 4", "2 4", "9 3 2 3"];
/// Marks of the same, in the forms that [`mark`] draws.
const MARKS: usize = 4;

/// A point with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Point {
    /// Where it is along the axis of time.
    pub(in super::super) at: f64,
    /// Its height.
    pub(in super::super) value: f64,
    /// The ends of its interval.
    pub(in super::super) interval: Option<(f64, f64)>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Curve {
    /// Its name.
    pub(in super::super) name: String,
    /// Its points in order.
    pub(in super::super) points: Vec<Point>,
}

/// The curves, with a legend. `ticks` below the axis say where something happened on the way.
pub(in super::super) fn curves(all: &[Curve], unit: &str, events: &[f64], title: &str) -> Markup {
    let points = || all.iter().flat_map(|curve| &curve.points);
    let times = points().map(|point| point.at).chain(events.iter().copied());
    let time = Scale::beside_zero(times);
    let values = points().flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.value, point.value));
        [point.value, low, high]
    });
    let height = Scale::beside_zero(values);
    let y = |value: f64| format!("{:.2}", (1.0 - height.share(value)) * HEIGHT);
    html! {
        ul.legend {
            @for (number, curve) in all.iter().enumerate() {
                li {
                    svg width="40" height="12" aria-hidden="true" {
                        g class=(tone(number)) {
                            line.arm x1="0" x2="40" y1="6" y2="6" stroke-dasharray=(dashes(number)) {}
                            svg x="20" y="6" { (mark(number)) }
                        }
                    }
                    " " (Shown(&curve.name))
                }
            }
        }
        svg.curves role="img" aria-label=(Shown(title)) width="100%" height=(HEIGHT + 40.0) {
            title { (Shown(title)) }
            @for tick in height.ticks(5) {
                line.grid x1="0%" x2="100%" y1=(y(tick)) y2=(y(tick)) {}
                text x="100%" y=(y(tick)) dy="-3" text-anchor="end" { (label(tick)) (unit) }
            }
            @for (number, curve) in all.iter().enumerate() {
                g class=(tone(number)) {
                    @for (one, next) in curve.points.iter().zip(curve.points.iter().skip(1)) {
                        line.arm x1=(time.percent(one.at)) x2=(time.percent(next.at)) y1=(y(one.value)) y2=(y(next.value))
                            stroke-dasharray=(dashes(number)) {}
                    }
                    @for point in &curve.points {
                        @if let Some((low, high)) = point.interval {
                            line.arm x1=(time.percent(point.at)) x2=(time.percent(point.at)) y1=(y(low)) y2=(y(high)) {}
                        }
                        svg x=(time.percent(point.at)) y=(y(point.value)) { (mark(number)) }
                    }
                }
            }
            @for event in events {
                line.median x1=(time.percent(*event)) x2=(time.percent(*event)) y1=(HEIGHT) y2=(HEIGHT + 8.0) {}
            }
            @for tick in time.ticks(6) {
                text x=(time.percent(tick)) y=(HEIGHT + 26.0) text-anchor="middle" { (label(tick)) " %" }
            }
        }
    }
}

fn dashes(number: usize) -> &'static str {
    DASHES.get(number % MARKS).copied().unwrap_or("none")
}

/// The class of a curve's colour.
fn tone(number: usize) -> String {
    format!("t{}", number % 7)
}

/// The mark of a curve around the origin: a disc, a square, a triangle, a diamond.
fn mark(number: usize) -> Markup {
    html! {
        @match number % MARKS {
            0 => circle.dot r="5" {},
            1 => rect.dot x="-4.5" y="-4.5" width="9" height="9" {},
            2 => path.dot d="M0 -6 L6 5 L-6 5 Z" {},
            _ => path.dot d="M0 -6 L6 0 L0 6 L-6 0 Z" {},
        }
    }
}
