//! Studies of asking as pages.

use maud::{Markup, html};

use super::super::studies::{arms, remarks, timing_tables};
use super::chart::{Curve, Point, curves};
use super::escape::Shown;
use super::page::document;
use super::table::behind;
use crate::evaluation::{Estimate, Timing};

/// What asking was worth at which time, a section a cell. The same for the same figures, byte for byte.
pub fn timing_page(run: &str, timings: &[Timing]) -> String {
    let body = html! {
        @for timing in timings {
            section {
                h2 { (Shown(&timing.cell)) }
                figure {
                    figcaption { h3 { "Solved, percent, by the share of the moves before" } }
                    (drawn(timing, |arm| &arm.success, 100.0, "Success against the time of asking"))
                }
                figure {
                    figcaption { h3 { "Moves" } }
                    (drawn(timing, |arm| &arm.steps, 1.0, "Moves against the time of asking"))
                }
                p.note {
                    "Marks below the axis: when the agent asked itself. Whiskers are 95 % intervals of each way; the \
                     tables have those of the differences in pairs."
                }
                @for found in timing_tables(timing) { (behind(&found)) }
                ul { @for remark in remarks(timing) { li { (Shown(&remark)) } } }
            }
        }
    };
    study("When a question is worth it", run, &body)
}

/// The page of a study.
fn study(title: &str, run: &str, body: &Markup) -> String {
    let whole = html! {
        header {
            p.kicker { "rolecall study" }
            h1 { (title) }
            dl.facts { div { dt { "run" } dd { (Shown(run)) } } }
        }
        main { (body) }
        footer {
            p { "Written by rolecall from event logs. Figures are over the episodes that count." }
        }
    };
    document(&format!("{run} - study"), &whole)
}

fn drawn(
    timing: &Timing,
    figure: fn(&crate::evaluation::Arm) -> &Estimate,
    scale: f64,
    title: &str,
) -> Markup {
    let names = ["fact given", "may ask", "may not ask"];
    let of = |number: usize| {
        let points = timing.points.iter().filter_map(|point| {
            let arms = arms(point);
            let estimate = figure(arms.get(number)?.1);
            Some(Point {
                at: f64::from(point.percent),
                value: estimate.value()? * scale,
                interval: estimate
                    .interval()
                    .map(|(low, high)| (low * scale, high * scale)),
            })
        });
        points.collect()
    };
    let all = names.into_iter().enumerate().map(|(number, name)| Curve {
        name: name.to_owned(),
        points: of(number),
    });
    let all: Vec<Curve> = all.collect();
    let asked: Vec<f64> = timing.questions.iter().map(|time| time * 100.0).collect();
    curves(&all, "", &asked, title)
}
