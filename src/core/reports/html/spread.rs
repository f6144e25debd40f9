//! The spread of steps, questions and refused actions: a histogram per cell.

use maud::{Markup, html};

use super::super::Report;
use super::super::spreads::{self, SpreadFigure};
use super::chart::{Bins, histogram};
use super::rows::{ChartRow, axis_line, left_out, line, mean_figure, rows};
use super::table::behind;
use crate::evaluation::Spread;

/// The three spreads.
pub(super) fn spread(report: &Report<'_>) -> Markup {
    html! {
        section #spread {
            h2 { "Per episode" }
            p {
                "How many episodes have how much of it. A bar is a share of the cell's episodes, on \
                 the same scale for all cells; the line is the median."
            }
            @for figure in SpreadFigure::ALL { (one(report, figure)) }
            (left_out(report))
        }
    }
}

fn one(report: &Report<'_>, figure: SpreadFigure) -> Markup {
    let series = rows(report).into_iter().map(|row| (row, figure.values(report.counted(row.group))));
    let series: Vec<(ChartRow<'_>, Vec<u32>)> = series.collect();
    let largest = series.iter().flat_map(|(_, values)| values).copied().max();
    let bins = Bins::up_to(largest.unwrap_or(0));
    let shares = |values: &[u32]| -> Vec<f64> {
        let n = values.len().max(1) as f64;
        let values = values.iter().map(|value| (*value, 1));
        bins.weighed(values).into_iter().map(|count| count as f64 / n).collect()
    };
    let tallest = series.iter().flat_map(|(_, values)| shares(values)).fold(0.0, f64::max);
    html! {
        @if largest.unwrap_or(0) > 0 {
            figure {
                figcaption { h3 { (figure.title()) } }
                div.chart {
                    @for (row, values) in &series {
                        @if let Some(spread) = Spread::of(values) {
                            @let title = title(row, figure, &spread);
                            @let (bars, median) = (shares(values), spread.quartiles[2]);
                            @let drawn = histogram(&bins, &bars, tallest, median, row.tone, &title);
                            (line(&row.label(), &drawn, &mean_figure(spread.mean)))
                        }
                    }
                    (axis_line(&bins.axis()))
                }
            }
            (behind(&spreads::table(report, figure)))
        } @else {
            p.note { (figure.title()) ": none in any episode." }
        }
    }
}

fn title(row: &ChartRow<'_>, figure: SpreadFigure, spread: &Spread) -> String {
    let [low, _, median, _, high] = spread.quartiles;
    format!(
        "{}, {}: mean {:.2}, median {median}, from {low} to {high}",
        row.name(),
        figure.title().to_lowercase(),
        spread.mean,
    )
}
