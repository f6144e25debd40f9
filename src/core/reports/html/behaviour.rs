//! The analyses of what agents do and say as one page: ReSpAct's Figures 5, 6, 7, 9 and 10 to look at, and
//! those that worlds bring.

use maud::{Markup, html};

use super::super::analyses::{Analyses, AnalysisPart as Analysis, Shares, shares};
use super::actions::legend;
use super::chart::{self, Bins, Segment, histogram, stack};
use super::escape::Shown;
use super::page::document;
use super::rows::{TONES, axis_line, line, mean_figure};
use super::table::table;
use super::users::{users, variance};
use crate::evaluation::analyses::{Histogram, Row};

/// Rows of a chart at most; the tables hold more.
const MOST: usize = 24;
/// The colours of parts of a bar.
const COLOURS: [&str; 8] = ["blue", "orange", "green", "purple", "sky", "red", "grey", "yellow"];

/// The page. The same for the same analyses, byte for byte.
pub fn analyses_page(analyses: &Analyses) -> String {
    let runs = analyses.runs.join(", ");
    let more = analyses.rows.len().saturating_sub(MOST);
    let body = html! {
        header {
            p.kicker { "rolecall analysis" }
            h1 { (Shown(&runs)) }
            ul.remarks { @for remark in analyses.remarks() { li { (Shown(&remark)) } } }
        }
        main {
            @for part in &analyses.parts { (section(analyses, *part)) }
            @if more > 0 {
                p.note { "Charts show the first " (MOST) " rows; " (more) " more are left out." }
            }
        }
        footer {
            p { "Written by rolecall from the event logs. Figures are over the episodes that count." }
        }
    };
    document(&format!("{runs} - analysis"), &body)
}

fn section(analyses: &Analyses, part: Analysis) -> Markup {
    let single = Analyses { parts: vec![part], ..analyses.clone() };
    let tables = single.tables();
    let heading = match part {
        Analysis::Actions => "What the agents do",
        Analysis::Invalid => "Refused actions per game",
        Analysis::Categories => "What the agents say",
        Analysis::Acts => "Dialogue acts",
        Analysis::Turns => "Dialogue turns in solved episodes",
        Analysis::Questions => "Questions",
        Analysis::Saved => "Steps saved per question",
        Analysis::Simulator => "Simulated users",
        Analysis::Variance => "Where the variance comes from",
        Analysis::Own(part) => analyses.own(part).map_or(part.name, |part| part.heading),
        Analysis::Costs => "Calls of models",
    };
    html! {
        @if !tables.is_empty() {
            section id=(part.name()) {
                h2 { (heading) }
                @match part {
                    Analysis::Actions | Analysis::Categories => {
                        @if let Some(shares) = shares(analyses, part) { (stacked(&shares)) }
                    },
                    Analysis::Acts => {
                        @if let Some(shares) = shares(analyses, part) { (side_by_side(&shares)) }
                    },
                    Analysis::Invalid => (spread(analyses)),
                    Analysis::Simulator => (users(analyses)),
                    Analysis::Variance => (variance(analyses)),
                    Analysis::Own(part) => {
                        @if let Some(shares) = analyses.own(part).and_then(|part| part.shares) {
                            (stacked(&shares(analyses)))
                        }
                    },
                    _ => {},
                }
                @for found in &tables { (table(found)) }
            }
        }
    }
}

/// One bar a row, with a part for each label.
fn stacked(shares: &Shares) -> Markup {
    let occurs = |place: usize| shares.rows.iter().any(|(_, counts)| counts.get(place) > Some(&0));
    let entries = shares.labels.iter().zip(COLOURS.iter().cycle()).enumerate().filter(|(place, _)| occurs(*place));
    let entries = entries.map(|(_, (label, colour))| (*colour, label.as_str()));
    html! {
        figure {
            (legend(entries))
            div.chart {
                @for (name, counts) in shares.rows.iter().take(MOST) {
                    @let total = html! { span.dim { (counts.iter().sum::<u64>()) } };
                    (line(&html! { (Shown(name)) }, &bar(shares, name, counts), &total))
                }
            }
        }
    }
}

fn bar(shares: &Shares, name: &str, counts: &[u64]) -> Markup {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let parts = shares
        .labels
        .iter()
        .zip(counts)
        .zip(COLOURS.iter().cycle())
        .map(|((label, count), colour)| (*colour, label.as_str(), *count as f64 / total));
    chart::shares(name, parts)
}

/// A group of bars for each label, with a bar for each row.
fn side_by_side(shares: &Shares) -> Markup {
    let rows = || shares.rows.iter().take(MOST).zip(TONES.iter().cycle());
    let share = |counts: &[u64], place: usize| {
        let total = counts.iter().sum::<u64>().max(1) as f64;
        counts.get(place).map_or(0.0, |count| *count as f64 / total)
    };
    html! {
        figure {
            (legend(rows().map(|((name, _), tone)| (*tone, name.as_str()))))
            div.chart {
                @for (place, label) in shares.labels.iter().enumerate() {
                    @for (number, ((name, counts), tone)) in rows().enumerate() {
                        @let height = share(counts, place);
                        @let part = Segment { tone, share: height, text: String::new() };
                        @let figure = format!("{:.1} %", height * 100.0);
                        @let bar = stack(&[part], &format!("{name}, {label}: {figure}"));
                        @let head = html! { @if number == 0 { (label) } };
                        (line(&head, &bar, &html! { (figure) }))
                    }
                }
            }
        }
    }
}

/// Histograms of refused actions, on one scale.
fn spread(analyses: &Analyses) -> Markup {
    let largest = analyses.rows.iter().filter_map(|row| row.invalid.largest());
    let bins = Bins::up_to(largest.max().unwrap_or(0));
    let shares = |found: &Histogram| {
        let total = found.episodes().max(1) as f64;
        bins.weighed(found.bars()).into_iter().map(|count| count as f64 / total).collect::<Vec<_>>()
    };
    let tallest = analyses.rows.iter().flat_map(|row| shares(&row.invalid)).fold(0.0, f64::max);
    let drawn = |row: &Row, tone: &str| {
        let (median, mean) = (row.invalid.median()?, row.invalid.mean()?);
        let title = format!("{}: mean {mean:.2}, median {median}", analyses.name(row));
        let bars = shares(&row.invalid);
        let drawn = histogram(&bins, &bars, tallest, median, tone, &title);
        let label = html! { (Shown(&analyses.name(row))) };
        Some(line(&label, &drawn, &mean_figure(mean)))
    };
    html! {
        figure {
            div.chart {
                @for (row, tone) in analyses.rows.iter().take(MOST).zip(TONES.iter().cycle()) {
                    @if let Some(drawn) = drawn(row, tone) { (drawn) }
                }
                (axis_line(&bins.axis()))
            }
        }
    }
}
