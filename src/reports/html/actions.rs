//! Stacked bars of action types.

use maud::{Markup, html};

use super::super::Report;
use super::super::shares::{self, occurring};
use super::chart;
use super::rows::{ChartRow, left_out, line, rows};
use super::table::behind;
use crate::evaluation::analyses::ActionType;

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
                        @for row in rows(report) { (bar(report, &row)) }
                    }
                }
                (left_out(report))
                (behind(&shares::table(report)))
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

fn bar(report: &Report<'_>, row: &ChartRow<'_>) -> Markup {
    let found = shares::shares(&report.summary, row.group).unwrap_or_default();
    let parts = ActionType::ALL.into_iter().zip(found);
    let parts = parts.map(|(kind, share)| (tone(kind), kind.label(), share));
    let bar = chart::shares(&row.name(), parts);
    line(&row.uncoloured(), &bar, &html! {})
}
