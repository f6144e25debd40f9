//! Success by cell and task type, with intervals.

use maud::{Markup, html};

use super::super::figures::{interval, measure, measure_interval, measure_name, scale, value};
use super::super::tables::{about_passes, without_withheld};
use super::super::{Report, by_cell, by_groups, by_measure, by_task_type, passes, simulated};
use super::chart::{Scale, Whisker, axis, sequence, whisker};
use super::escape::Shown;
use super::rows::{ChartRow, axis_line, left_out, line, rows};
use super::table::{behind, table};
use crate::evaluation::{Bounded, Estimate, Group, Pass};

/// Task types that have a chart; the table holds more.
const KINDS: usize = 24;

/// The cells at a glance.
pub(super) fn glance(report: &Report<'_>) -> Markup {
    html! {
        section #glance {
            h2 { "At a glance" }
            ul.cards {
                @for row in rows(report) { (card(report, &row)) }
            }
            (left_out(report))
            (behind(&by_cell(&report.summary)))
            (behind(&simulated(&report.users)))
        }
    }
}

fn card(report: &Report<'_>, row: &ChartRow<'_>) -> Markup {
    let success = report.summary.estimate(row.group, "success");
    let mean = |name| value(&report.summary.estimate(row.group, name));
    html! {
        li.card.(row.tone) {
            h3 { (Shown(row.cell())) }
            p.dim { @match &row.group.user {
                Some(user) => { "user " (Shown(user)) }
                None => "no user",
            } }
            @if report.summary.success_counts() {
                p.big { (value(&success)) span.unit { " % solved" } }
                p.dim { (interval(&success)) " · " (success.n()) " episodes" }
            } @else {
                @for (kind, name, estimate) in measures(report, row.group) {
                    p.big { (measure(name, &estimate)) span.unit { " " (Shown(&measure_name(name))) } }
                    p.dim {
                        (Shown(kind)) " · " (measure_interval(name, &estimate)) " · " (estimate.n()) " episodes"
                    }
                }
            }
            @if let Some(without) = without_withheld(&report.summary, row.group) {
                p.dim { (without) }
            }
            @if let Some(user) = report.user(row.group) {
                p.dim {
                    "Simulated user: " (value(&user.faulty)) " % of episodes faulty; "
                    (value(&user.kept)) " % solved without these"
                }
            }
            dl {
                div { dt { "steps" } dd { (mean("steps")) } }
                div { dt { "questions" } dd { (mean("questions")) } }
                div { dt { "refused" } dd { (mean("invalid")) } }
            }
        }
    }
}

/// The most important measure of each task type that the row played.
fn measures<'a>(report: &'a Report<'_>, row: &Group) -> Vec<(&'a str, &'a str, Estimate)> {
    let summary = &report.summary;
    let first = |(kind, names): (&'a String, &'a Vec<String>)| {
        let (name, group) = names.first().zip(row.among(&summary.groups, kind))?;
        Some((kind.as_str(), name.as_str(), summary.estimate(group, name)))
    };
    summary.measures.iter().filter_map(first).collect()
}

/// The measures of task types of which success says little; nothing without such types.
pub(super) fn measured(report: &Report<'_>) -> Markup {
    let summary = &report.summary;
    let figures = summary.measures.iter().flat_map(|(kind, names)| names.iter().map(move |name| (kind, name)));
    html! {
        @if !summary.measures.is_empty() {
            section #measures {
                h2 { "Measures by task type" }
                p {
                    "The figures by which papers judge such tasks, as means over the episodes that count; \
                     whiskers are 95 % intervals, of tasks where these count several times."
                }
                div.panels {
                    @for (kind, name) in figures.take(KINDS) {
                        figure {
                            figcaption { h3 { (Shown(kind)) ": " (Shown(&measure_name(name))) } }
                            (measure_panel(report, name, kind, &|row| {
                                Some(summary.estimate(row.among(&summary.groups, kind)?, name))
                            }))
                        }
                    }
                }
                (behind(&by_measure(summary)))
            }
        }
    }
}

/// Asking as detection, where tasks are labelled; nothing elsewhere.
pub(super) fn detection(report: &Report<'_>) -> Markup {
    const FIGURES: [(&str, &str); 3] = [
        ("clarification.precision", "Precision: of episodes with a question, those that call for one"),
        ("clarification.recall", "Recall: of episodes that call for a question, those with one"),
        ("clarification", "F1"),
    ];
    html! {
        @if report.summary.metrics.iter().any(|name| name == "clarification") {
            section #detection {
                h2 { "Asking as detection" }
                p {
                    "A question claims that the task leaves something out; its label says whether that is so. Percent, \
                     whiskers are 95 % intervals by task."
                }
                div.panels {
                    @for (name, heading) in FIGURES {
                        figure {
                            figcaption { h3 { (heading) } }
                            (measure_panel(report, name, "all tasks", &|row| {
                                Some(report.summary.estimate(row, name))
                            }))
                        }
                    }
                }
            }
        }
    }
}

/// A line per row for a measure of some tasks.
fn measure_panel(report: &Report<'_>, name: &str, kind: &str, of: &dyn Fn(&Group) -> Option<Estimate>) -> Markup {
    let factor = |estimate: &Estimate| {
        if estimate.is_share() { 100.0 } else { scale(name) }
    };
    let drawn = |row: &ChartRow<'_>| {
        let estimate = of(row.group)?;
        let by = factor(&estimate);
        let ends = estimate.interval().map(|(low, high)| (low * by, high * by));
        let whisker = Whisker { value: estimate.value()? * by, interval: ends };
        Some((whisker, estimate))
    };
    let all = rows(report).into_iter().filter_map(|row| drawn(&row));
    let scale = Scale::beside_zero(all.flat_map(|(drawn, _)| drawn.values()));
    let ticks = scale.ticks(4);
    html! {
        div.chart {
            @for row in rows(report) {
                @if let Some((drawn, estimate)) = drawn(&row) {
                    @let (shown, ends) = (measure(name, &estimate), measure_interval(name, &estimate));
                    @let title = format!("{}, {kind}: {name} {shown}, 95 % interval {ends}", row.name());
                    @let picture = whisker(&scale, &ticks, Some(drawn), row.tone, &title);
                    @let figure = html! {
                        b { (shown) } " " span.dim { (ends) ", n " (estimate.n()) }
                    };
                    (line(&row.label(), &picture, &figure))
                }
            }
            (axis_line(&axis(&scale, &ticks, "")))
        }
    }
}

/// Success by task type (ReSpAct Table 1), of types of which it says something.
pub(super) fn success(report: &Report<'_>) -> Markup {
    let measured = |kind: &&String| report.summary.measures.contains_key(*kind);
    let kinds = report.summary.kinds.iter().filter(|kind| !measured(kind));
    let kinds = &kinds.cloned().collect::<Vec<_>>();
    html! {
        @if report.summary.success_counts() {
        section #success {
            h2 { "Success by task type" }
            p {
                "The share of solved episodes in percent; whiskers are 95 % Wilson intervals, of \
                 tasks and not episodes where tasks count several times."
            }
            div.panels {
                figure {
                    figcaption { h3 { "All types" } }
                    (panel(report, "all types", Some))
                }
                @if kinds.len() > 1 { (panels(report, kinds, &report.summary.groups)) }
            }
            @if kinds.len() > KINDS {
                p.note { "Charts of " (kinds.len() - KINDS) " more task types are left out." }
            }
            (behind(&by_task_type(&report.summary)))
            @for (by, found) in report.summary.breakdowns.iter().zip(by_groups(&report.summary)) {
                h3 { "By " (Shown(&by.name)) }
                div.panels { (panels(report, &by.values, &by.groups)) }
                @if by.values.len() > KINDS {
                    p.note { "Charts of " (by.values.len() - KINDS) " more values are left out." }
                }
                (behind(&found))
            }
        }
        }
    }
}

/// A chart for each of the first task types or values.
fn panels(report: &Report<'_>, values: &[String], groups: &[Group]) -> Markup {
    html! {
        @for value in values.iter().take(KINDS) {
            figure {
                figcaption { h3 { (Shown(kind_name(value))) } }
                (panel(report, kind_name(value), |row| row.among(groups, value)))
            }
        }
    }
}

/// Success in several tries; nothing without repeats.
pub(super) fn tries(report: &Report<'_>) -> Markup {
    html! {
        @if let Some(about) = about_passes(&report.summary) {
            section #tries {
                h2 { "Success in k tries" }
                p {
                    "What repeats say of luck and reliability, by the unbiased estimators, with \
                     tasks as the sample. " (about) "."
                }
                @for row in rows(report) {
                    @if !row.group.passes.is_empty() { (curves(&row)) }
                }
                (table(&passes(&report.summary)))
            }
        }
    }
}

/// Both curves of a row, from one try to the most.
fn curves(row: &ChartRow<'_>) -> Markup {
    type Share = fn(&Pass) -> Bounded;
    let curves: [(&str, Share); 2] =
        [("at least one of k solves it", |pass| pass.any), ("all k solve it", |pass| pass.every)];
    let passes = &row.group.passes;
    let scale = Scale::new(0.0, 100.0);
    let most = passes.last().map_or(0, |pass| pass.tries);
    html! {
        figure {
            figcaption { h3 { (row.uncoloured()) ", k from 1 to " (most) ", from 0 to 100 %" } }
            div.chart {
                @for (name, share) in curves {
                    @let along = |at: usize| (at as f64 + 0.5) / passes.len() as f64;
                    @let drawn: Vec<(f64, Whisker)> = passes.iter().enumerate().map(|(at, pass)| {
                        let Bounded { value, low, high } = share(pass);
                        let interval = Some((low * 100.0, high * 100.0));
                        (along(at), Whisker { value: value * 100.0, interval })
                    }).collect();
                    @let ends = [drawn.first(), drawn.last()].map(|end| end.map_or(0.0, |(_, point)| point.value));
                    @let text = format!("{:.1} to {:.1} %", ends[0], ends[1]);
                    @let title = format!("{}: {name}: {text}, with 95 % intervals", row.name());
                    (line(&html! { (name) }, &sequence(&scale, &drawn, None, &title), &html! { span.dim { (text) } }))
                }
            }
        }
    }
}

fn kind_name(kind: &str) -> &str {
    if kind.is_empty() { "no type" } else { kind }
}

/// A line per row, for the group of the row that is asked for.
fn panel<'a>(report: &'a Report<'_>, name: &str, group: impl Fn(&'a Group) -> Option<&'a Group>) -> Markup {
    let scale = Scale::new(0.0, 100.0);
    let ticks = scale.ticks(4);
    let estimate = |row: &ChartRow<'a>| match group(row.group) {
        Some(group) => report.summary.estimate(group, "success"),
        None => Estimate::Empty,
    };
    html! {
        div.chart {
            @for row in rows(report) {
                @let success = estimate(&row);
                @let drawn = success.value().map(|rate| Whisker {
                    value: rate * 100.0,
                    interval: success.interval().map(|(low, high)| (low * 100.0, high * 100.0)),
                });
                @let title = format!(
                    "{}, {name}: {} % solved, 95 % interval {}, {} episodes",
                    row.name(), value(&success), interval(&success), success.n(),
                );
                @let drawn = whisker(&scale, &ticks, drawn, row.tone, &title);
                (line(&row.label(), &drawn, &figures(&success)))
            }
            (axis_line(&axis(&scale, &ticks, " %")))
        }
    }
}

fn figures(estimate: &Estimate) -> Markup {
    html! {
        b { (value(estimate)) }
        @if estimate.n() > 0 {
            " "
            span.dim { (interval(estimate)) ", n " (estimate.n()) }
        }
    }
}
