//! The cells compared in pairs.

use maud::{Markup, html};

use super::super::comparisons::{self, name, p_value, signed};
use super::super::report::STEPS;
use super::super::{Report, decisions};
use super::chart::{Scale, Whisker, axis, sequence, whisker};
use super::escape::Shown;
use super::rows::{axis_line, line};
use super::table::{behind, table};
use crate::evaluation::{Bounded, Comparison};

/// Comparisons that have a line in the charts; the tables hold more.
const MOST: usize = 24;

/// Differences of success and of steps over the tasks that both cells played; nothing if there is
/// nothing to compare.
pub(super) fn compare(report: &Report<'_>) -> Markup {
    let more = report.comparisons.len().saturating_sub(MOST);
    html! {
        @if !report.comparisons.is_empty() {
            section #compare {
                h2 { "Cells compared" }
                p {
                    "Each pair of cells over the tasks that both played: the first named cell's \
                     figure minus the other's. Intervals are 95 %, Newcombe's for paired shares and \
                     the bootstrap's for means; p is McNemar's exact test of success, of means that of swapping \
                     the sides of tasks, and is not corrected for the number of comparisons. Where tasks were played several times, all of it \
                     is by task."
                }
                @if report.summary.success_counts() {
                    figure {
                        figcaption { h3 { "Difference of success, percentage points" } }
                        (chart(&report.comparisons, success))
                    }
                    (behind(&comparisons::success(&report.comparisons)))
                    (early(&report.comparisons))
                }
                @let measures = comparisons::measures(&report.comparisons);
                @if !measures.is_empty() { (table(&measures)) }
                figure {
                    figcaption { h3 { "Difference of steps" } }
                    (chart(&report.comparisons, steps))
                }
                (behind(&comparisons::steps(&report.comparisons)))
                @for remark in comparisons::disagreements_of(report) { p.note { (Shown(&remark)) } }
                @if more > 0 {
                    p.note { "Charts of " (more) " more comparisons are left out." }
                }
            }
        }
    }
}

/// The content of a line: the difference, and a text beside it.
type Shows = fn(&Comparison) -> Option<(Whisker, String)>;

fn success(comparison: &Comparison) -> Option<(Whisker, String)> {
    let drawn = points(&comparison.success?);
    Some((drawn, format!("p {}", p_value(comparison.p))))
}

/// A difference of shares, in percentage points.
fn points(found: &Bounded) -> Whisker {
    Whisker { value: found.value * 100.0, interval: Some((found.low * 100.0, found.high * 100.0)) }
}

fn steps(comparison: &Comparison) -> Option<(Whisker, String)> {
    let steps = comparison.means.iter().find(|found| found.metric == STEPS)?;
    let drawn = Whisker { value: steps.difference.value()?, interval: steps.difference.interval() };
    Some((drawn, format!("{} pairs", steps.difference.n())))
}

/// The difference of success as it was known after more and more tasks.
fn early(comparisons: &[Comparison]) -> Markup {
    let percent = |share: f64| share * 100.0;
    let shown = comparisons.iter().take(MOST);
    // The first looks know nothing: what they span would hide all others.
    let ends = shown
        .clone()
        .flat_map(|comparison| comparison.sequential.looks.iter().skip(comparison.sequential.looks.len() / 4));
    let scale = Scale::around_zero(ends.flat_map(|(_, interval)| [percent(interval.low), percent(interval.high)]));
    let rows: Vec<(String, &Comparison)> =
        comparisons.iter().map(|comparison| (name(comparison), comparison)).collect();
    html! {
        figure {
            figcaption {
                h3 { "The same after every task, from left to right" }
                p.note {
                    "Upright lines are 95 % intervals that hold all together (a confidence sequence: Waudby-Smith \
                     and Ramdas 2024), from " (signed(-scale.high(), 0)) " to " (signed(scale.high(), 0))
                    " points; at the dashed line 0 was left out, so that one could have stopped there. Tasks come in \
                     the order of the data set."
                }
            }
            div.chart.wide {
                @for comparison in shown {
                    @let found = &comparison.sequential;
                    @let along = |tasks: usize| tasks as f64 / found.taken.tasks.max(1) as f64;
                    @let looks: Vec<(f64, Whisker)> =
                        found.looks.iter().map(|(taken, interval)| (along(taken.tasks), points(interval))).collect();
                    @let text = match found.decided {
                        Some(taken) => format!("0 out after {} of {} pairs", taken.pairs, found.taken.pairs),
                        None => format!("0 in it after {} pairs", found.taken.pairs),
                    };
                    @let title = format!("{}: {text}", name(comparison));
                    @let drawn = sequence(&scale, &looks, found.decided.map(|taken| along(taken.tasks)), &title);
                    @let cells = html! { span.cell { (Shown(&name(comparison))) } };
                    (line(&cells, &drawn, &html! { span.dim { (text) } }))
                }
            }
        }
        (behind(&decisions::both(&rows)))
    }
}

fn chart(comparisons: &[Comparison], shows: Shows) -> Markup {
    let shown: Vec<_> = comparisons.iter().take(MOST).collect();
    let drawn = shown.iter().filter_map(|comparison| shows(comparison));
    let scale = Scale::around_zero(drawn.flat_map(|(drawn, _)| drawn.values()));
    let ticks = scale.ticks(4);
    html! {
        div.chart.wide {
            @for comparison in shown {
                @if let Some((drawn, text)) = shows(comparison) {
                    @let value = signed(drawn.value, 1);
                    @let title = format!("{}: {value}, {text}", name(comparison));
                    @let cells = html! { span.cell { (Shown(&name(comparison))) } };
                    @let drawn = whisker(&scale, &ticks, Some(drawn), "ink", &title);
                    (line(&cells, &drawn, &html! { b { (value) } " " span.dim { (text) } }))
                }
            }
            (axis_line(&axis(&scale, &ticks, "")))
        }
    }
}
