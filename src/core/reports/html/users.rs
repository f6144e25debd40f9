//! Charts of simulated users and of the sources of variance of success. All of it can be read without colours: rows
//! and parts have their names beside or in them.

use maud::{Markup, html};

use super::super::analyses::{Analyses, simulator};
use super::super::figures::{interval, percent, value};
use super::chart::{Scale, Segment, Whisker, axis, stack, whisker};
use super::escape::Shown;
use super::rows::{axis_line, line};
use crate::evaluation::Estimate;
use crate::evaluation::simulator::{UserFault, UserFigures};
use crate::text::joined;

/// Rows of a chart at most; the tables hold more.
const MOST: usize = 24;
/// The classes that colour the parts of the variance.
const TONES: [&str; 5] = ["blue", "orange", "sky", "purple", "grey"];
/// The share from which a part has room for its name.
const ROOM: f64 = 0.2;

/// A panel for each fault, one for all episodes that users spoiled, and one for success without these.
pub(super) fn users(analyses: &Analyses) -> Markup {
    let faults = UserFault::ALL.into_iter().enumerate();
    html! {
        p {
            "Shares in percent with 95 % intervals, tasks as the sample. An episode is faulty if its user left early, \
             contradicted, acted as the agent or leaked. What nobody can know has no row."
        }
        div.panels {
            (panel(analyses, "Episodes of a faulty user", |user| user.faulty))
            (panel(analyses, "Success, all episodes", |user| user.success))
            (panel(analyses, "Success without these", |user| user.kept))
            @for (place, fault) in faults {
                (panel(analyses, fault.label(), |user| user.faults[place]))
            }
        }
    }
}

fn panel(analyses: &Analyses, title: &str, of: impl Fn(&UserFigures) -> Estimate) -> Markup {
    let scale = Scale::new(0.0, 100.0);
    let ticks = scale.ticks(4);
    let rows = simulator::rows(analyses).take(MOST).map(|(row, user)| (analyses.name(row), of(user)));
    html! {
        figure {
            figcaption { h3 { (title) } }
            div.chart {
                @for (name, found) in rows {
                    @if let Some(share) = found.value() {
                        @let ends = found.interval();
                        @let drawn = Whisker {
                            value: share * 100.0,
                            interval: ends.map(|(low, high)| (low * 100.0, high * 100.0)),
                        };
                        @let said = format!("{name}, {title}: {} %, {}", value(&found), interval(&found));
                        @let drawn = whisker(&scale, &ticks, Some(drawn), "ink", &said);
                        (line(&html! { (Shown(&name)) }, &drawn, &html! { b { (value(&found)) } " %" }))
                    }
                }
                (axis_line(&axis(&scale, &ticks, " %")))
            }
        }
    }
}

/// One bar with a part for each source, named in their order.
pub(super) fn variance(analyses: &Analyses) -> Markup {
    let parts = analyses.variance.iter().flat_map(|variance| &variance.shares).zip(TONES.into_iter().cycle());
    let parts: Vec<(String, Segment)> = parts
        .map(|(source, tone)| {
            let share = source.share.value;
            let name = format!("{} {} %", source.source, percent(share));
            let text = match share >= ROOM {
                true => name.clone(),
                false => percent(share),
            };
            (name, Segment { tone, share, text })
        })
        .collect();
    let names = joined(parts.iter().map(|(name, _)| name));
    let segments: Vec<Segment> = parts.into_iter().map(|(_, segment)| segment).collect();
    html! {
        figure {
            (stack(&segments, &names))
            figcaption { "From left to right: " (Shown(&names)) "." }
        }
    }
}
