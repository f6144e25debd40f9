//! Studies of asking as pages.

use maud::{Markup, html};

use super::chart::{Curve, Point, Scale, Whisker, axis, curves, whisker};
use super::escape::Shown;
use super::page::{document, frame};
use super::rows::{axis_line, line};
use super::table::{behind, table};
use crate::evaluation::{Arm, Estimate, SeatShares, Timing};
use crate::reports::Reproduction;
use crate::reports::comparisons::signed;
use crate::reports::reproduction::MARK;
use crate::reports::studies::{arms, casts_table, form, remark, remarks, shares_table, timing_tables};

/// The worth of asking by time, a section a cell. The same for the same figures, byte for byte.
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
                @if timing.points.iter().any(|point| point.given.cost != Estimate::Empty) {
                    figure {
                        figcaption { h3 { "Cost of models" } }
                        (drawn(timing, |arm| &arm.cost, 1.0, "Cost against the time of asking"))
                    }
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

/// Whose a difference is, as bars. The same for the same figures, byte for byte.
pub fn seats_page(title: &str, shares: &SeatShares) -> String {
    let (scale, decimals) = form(shares);
    let whiskers =
        shares.seats.iter().map(|seat| (seat.seat.as_str(), &seat.share)).chain([("all", &shares.difference)]);
    let rows: Vec<(&str, Whisker)> = whiskers
        .filter_map(|(name, share)| {
            let value = share.value()? * scale;
            let interval = share.interval().map(|(low, high)| (low * scale, high * scale));
            Some((name, Whisker { value, interval }))
        })
        .collect();
    let axis_of = Scale::around_zero(rows.iter().flat_map(|(_, drawn)| drawn.values()));
    let ticks = axis_of.ticks(4);
    let body = html! {
        section {
            h2 { "Shares of the seats" }
            figure {
                div.chart {
                    @for (name, drawn) in &rows {
                        @let text = signed(drawn.value, decimals);
                        @let title = format!("{name}: {text}");
                        (line(
                            &html! { (Shown(name)) },
                            &whisker(&axis_of, &ticks, Some(*drawn), "ink", &title),
                            &html! { b { (text) } },
                        ))
                    }
                    (axis_line(&axis(&axis_of, &ticks, "")))
                }
            }
            (table(&shares_table(shares)))
            p.note { (Shown(&remark(shares))) }
            (behind(&casts_table(shares)))
        }
    };
    study("Whose the difference is", title, &body)
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

fn drawn(timing: &Timing, figure: fn(&Arm) -> &Estimate, scale: f64, title: &str) -> Markup {
    let names = ["fact given", "may ask", "may not ask"];
    let of = |number: usize| {
        timing
            .points
            .iter()
            .filter_map(|point| {
                let arms = arms(point);
                let estimate = figure(arms.get(number)?.1);
                Some(Point {
                    at: f64::from(point.percent),
                    value: estimate.value()? * scale,
                    interval: estimate.interval().map(|(low, high)| (low * scale, high * scale)),
                })
            })
            .collect()
    };
    let all = names.into_iter().enumerate().map(|(number, name)| Curve { name: name.to_owned(), points: of(number) });
    let all: Vec<Curve> = all.collect();
    let asked: Vec<f64> = timing.questions.iter().map(|time| time * 100.0).collect();
    curves(&all, "", &asked, title)
}

/// The page. The same for the same figures, byte for byte.
pub fn reproduction(found: &Reproduction) -> String {
    let header = html! {
        header {
            p.kicker { "rolecall reproduce" }
            h1 { (Shown(&found.paper)) ": " (Shown(&found.title)) }
            dl.facts {
                div { dt { "run" } dd { (Shown(&found.run)) } }
                @for (seat, who) in &found.seats {
                    div { dt { (Shown(seat)) } dd { (Shown(who)) } }
                }
            }
        }
    };
    let body = html! {
        (table(&found.table()))
        p.note { (MARK) }
        @if !found.orders.is_empty() {
            section {
                h2 { "Order of the rows" }
                ul { @for sentence in found.sentences() { li { (Shown(&sentence)) } } }
            }
        }
        section {
            h2 { "Where our figures come from" }
            ul {
                @for row in &found.rows {
                    @if let Some(source) = &row.source {
                        li { (Shown(&row.label)) ": " (Shown(source)) }
                    }
                }
            }
        }
        @if !found.notes.is_empty() {
            section {
                h2 { "Notes" }
                ul { @for note in &found.notes { li { (Shown(note)) } } }
            }
        }
    };
    frame(&found.run, &header, &body)
}
