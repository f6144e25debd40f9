//! Stacked bars of action types and of endings, and the faults of participants.

use maud::{Markup, html};

use super::chart::{self, Segment, stack};
use super::rows::{ChartRow, left_out, line, rows};
use super::table::{behind, table};
use crate::domain::Ending;
use crate::evaluation::EpisodeResult;
use crate::evaluation::analyses::ActionType;
use crate::reports::tables::{action_shares, occurring, shares};
use crate::reports::{self, Report};
use crate::text::joined;

/// Shares of action types by cell (ReSpAct Figure 5).
pub(super) fn actions(report: &Report<'_>) -> Markup {
    let types = occurring(&report.summary);
    html! {
        @if !types.is_empty() {
            section #actions {
                h2 { "What the agents do" }
                p { "The share of each type of action in all that a cell's roles did." }
                figure {
                    (legend(types.iter().map(|kind| (tone(*kind), kind.label()))))
                    div.chart {
                        @for row in rows(report) { (actions_bar(report, &row)) }
                    }
                }
                (left_out(report))
                (behind(&action_shares(report)))
            }
        }
    }
}

/// The meaning of the colours.
pub(super) fn legend<'a>(entries: impl Iterator<Item = (&'static str, &'a str)>) -> Markup {
    html! {
        ul.legend {
            @for (tone, label) in entries {
                li { span.swatch.(tone) {} " " (label) }
            }
        }
    }
}

fn tone(kind: ActionType) -> &'static str {
    match kind {
        ActionType::Think => "purple",
        ActionType::Plan => "sky",
        ActionType::Judge => "yellow",
        ActionType::Speak => "orange",
        ActionType::Act => "blue",
        ActionType::Refused => "red",
        ActionType::Learn => "green",
        ActionType::Finish => "grey",
    }
}

fn actions_bar(report: &Report<'_>, row: &ChartRow<'_>) -> Markup {
    let found = shares(&report.summary, row.group).unwrap_or_default();
    let parts = ActionType::ALL.into_iter().zip(found).map(|(kind, share)| (tone(kind), kind.label(), share));
    let bar = chart::shares(&row.name(), parts);
    line(&row.uncoloured(), &bar, &html! {})
}

/// The kinds of ending in the order of the chart, with the class that colours each.
const KINDS: [(&str, &str); 10] = [
    ("solved", "green"),
    ("failed", "red"),
    ("gave up", "orange"),
    ("out of a limit", "purple"),
    ("user left", "sky"),
    ("unusable answers", "blue"),
    ("context full or refused", "soft"),
    ("broken", "ink"),
    ("cancelled", "grey"),
    ("unfinished", "yellow"),
];

fn kind(result: &EpisodeResult) -> usize {
    match &result.ending {
        Some(Ending::Solved) => 0,
        Some(Ending::Failed) => 1,
        Some(Ending::GaveUp) => 2,
        Some(Ending::OutOf { .. }) => 3,
        Some(Ending::UserLeft) => 4,
        Some(Ending::Unusable) => 5,
        Some(Ending::ContextFull | Ending::Refused) => 6,
        Some(Ending::Broken { .. }) => 7,
        Some(Ending::Cancelled) => 8,
        None => 9,
    }
}

/// The endings of episodes: stacked bars and a table. All episodes are in it.
pub(super) fn endings(report: &Report<'_>) -> Markup {
    let mut found = [false; KINDS.len()];
    for result in &report.results {
        found[kind(result)] = true;
    }
    let shown = KINDS.iter().zip(found).filter(|(_, found)| *found);
    html! {
        section #endings {
            h2 { "Endings" }
            p { "How episodes ended; those that do not count are in it as well." }
            figure {
                (legend(shown.map(|((label, tone), _)| (*tone, *label))))
                div.chart {
                    @for row in rows(report) { (endings_bar(report, &row)) }
                }
            }
            (left_out(report))
            (behind(&reports::endings(&report.summary)))
        }
    }
}

fn endings_bar(report: &Report<'_>, row: &ChartRow<'_>) -> Markup {
    let mut counts = [0_usize; KINDS.len()];
    for result in report.all(row.group) {
        counts[kind(result)] += 1;
    }
    let counts = KINDS.iter().zip(counts).filter(|(_, count)| *count > 0);
    let total = row.group.episodes.max(1) as f64;
    let bar: Vec<Segment> = counts
        .clone()
        .map(|((_, tone), count)| Segment { tone, share: count as f64 / total, text: count.to_string() })
        .collect();
    let texts = joined(counts.map(|((label, _), count)| format!("{label} {count}")));
    let title = format!("{}: {texts}", row.name());
    let episodes = html! { span.dim { (row.group.episodes) " episodes" } };
    line(&row.uncoloured(), &stack(&bar, &title), &episodes)
}

/// The numbers of faults.
pub(super) fn faults(report: &Report<'_>) -> Markup {
    let faults = reports::faults(&report.summary);
    html! {
        section #faults {
            h2 { "Faults" }
            @if faults.is_empty() {
                p { "No participant failed." }
            } @else {
                p { "Failures of participants, those included after which the episode went on." }
                (table(&faults))
            }
        }
    }
}
