//! The table of all episodes, failures first, which the script of the page filters and sorts.

use maud::{Markup, html};

use super::super::Align;
use super::super::Report;
use super::super::episodes::{COLUMNS, shown_columns, texts};
use super::escape::{Shown, cut};
use crate::evaluation::{EpisodeResult, Standing};
use crate::text::unique;

/// The most episodes of the table.
const MOST: usize = 5_000;

/// The most values of a choice; among more, readers find by words.
const MOST_VALUES: usize = 100;

/// Letters of a cell.
const LONGEST: usize = 100;

/// The columns by which episodes can be chosen.
const CHOICES: [(usize, &str); 3] = [(1, "type"), (2, "user"), (3, "ending")];

/// The table. `link` gives the anchor of the transcript of an episode, by its place, if the page has it.
pub(super) fn all(report: &Report<'_>, link: &dyn Fn(usize) -> Option<String>) -> Markup {
    let mut places: Vec<usize> = (0..report.results.len()).collect();
    places.sort_by_key(|place| report.results.get(*place).map(|result| rank(result)));
    let more = places.len().saturating_sub(MOST);
    places.truncate(MOST);
    let columns = shown_columns(&report.results);
    html! {
        (choices(report, &columns))
        div.scroll.all role="region" tabindex="0" aria-label="All episodes" {
            table #all {
                caption { "All episodes, failures first" }
                thead {
                    tr {
                        @for column in &columns {
                            @let (head, align) = COLUMNS[*column];
                            th scope="col" class=[number(align)] { (head) }
                        }
                    }
                }
                tbody {
                    @for place in places {
                        @if let Some(result) = report.results.get(place) { (row(result, &columns, link(place))) }
                    }
                }
            }
        }
        @if more > 0 {
            p.note { (more) " more episodes are left out: " code { "rolecall serve web" } " shows all." }
        }
    }
}

/// Rank in the list: broken, then failed, then the others.
fn rank(result: &EpisodeResult) -> u8 {
    match result.standing() {
        Standing::Counted if result.success => 2,
        Standing::Counted => 1,
        _ => 0,
    }
}

fn row(result: &EpisodeResult, columns: &[usize], link: Option<String>) -> Markup {
    let texts = texts(result);
    html! {
        tr {
            @for column in columns {
                @let text = &short(&texts[*column]);
                @match (column, &link) {
                    (0, Some(link)) => th scope="row" { a href={ "#" (link) } { (Shown(text)) } },
                    (0, None) => th scope="row" { (Shown(text)) },
                    (3, _) => td.(if result.success { "good" } else { "bad" }) { (Shown(text)) },
                    _ => td class=[number(COLUMNS[*column].1)] { (Shown(text)) },
                }
            }
        }
    }
}

/// A text for a cell and for what chooses by it.
fn short(text: &str) -> String {
    let (start, missing) = cut(text, LONGEST);
    format!("{start}{}", if missing > 0 { "…" } else { "" })
}

fn number(align: Align) -> Option<&'static str> {
    match align {
        Align::Right => Some("number"),
        Align::Left => None,
    }
}

/// Filters of the list, hidden until the script is there.
fn choices(report: &Report<'_>, columns: &[usize]) -> Markup {
    let of = |column: usize| {
        let all = report.results.iter();
        let mut values = unique(all.map(|result| short(&texts(result)[column])));
        values.sort();
        values
    };
    let cells = unique(report.results.iter().map(|result| result.episode.cell.to_string()));
    html! {
        form #choose.filters hidden {
            label { "find " input type="search" name="find"; }
            (select("cell", "", &cells))
            @for (column, name) in CHOICES {
                @if let Some(place) = columns.iter().position(|shown| *shown == column) {
                    (select(name, &place.to_string(), &of(column)))
                }
            }
            span #found.note role="status" {}
        }
    }
}

/// A choice among values, which stand in the column of this number.
fn select(name: &str, column: &str, values: &[String]) -> Markup {
    html! {
        @if (2..=MOST_VALUES).contains(&values.len()) {
            label {
                (name) " "
                select name=(name) data-column=(column) {
                    option value="" { "all" }
                    @for value in values { option value=(Shown(value)) { (Shown(value)) } }
                }
            }
        }
    }
}
