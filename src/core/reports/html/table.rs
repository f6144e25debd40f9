//! A table of a report in a page.

use maud::{Markup, html};

use super::super::{Align, Table};
use super::escape::Shown;

/// Rows and columns that a page holds of one table.
const ROWS: usize = 200;
const COLUMNS: usize = 30;

/// The table; nothing if it has no rows.
pub(super) fn table(table: &Table) -> Markup {
    linked(table, &|_| None)
}

/// The table behind a chart that shows the same: closed until somebody wants to read the figures.
pub(super) fn behind(found: &Table) -> Markup {
    html! {
        @if !found.is_empty() {
            details.behind {
                summary { "As a table: " (Shown(found.title())) }
                (table(found))
            }
        }
    }
}

/// The table with the first cell of a row as a link, where there is one.
pub(super) fn linked(table: &Table, link: &dyn Fn(usize) -> Option<String>) -> Markup {
    let heads = table.heads();
    let (rows, columns) = (table.rows().len(), heads.len());
    html! {
        @if !table.is_empty() {
            div.scroll role="region" tabindex="0" aria-label=(Shown(table.title())) {
                table {
                    caption { (Shown(table.title())) }
                    thead {
                        tr {
                            @for (head, align) in heads.iter().take(COLUMNS) {
                                th scope="col" class=[class(*align)] { (Shown(head)) }
                            }
                        }
                    }
                    tbody {
                        @for (place, texts) in table.rows().iter().take(ROWS).enumerate() {
                            (row(table, texts, link(place)))
                        }
                    }
                }
            }
            @if rows > ROWS {
                p.note { (rows - ROWS) " more rows are left out." }
            }
            @if columns > COLUMNS {
                p.note { (columns - COLUMNS) " more columns are left out." }
            }
        }
    }
}

fn row(table: &Table, texts: &[String], link: Option<String>) -> Markup {
    let cells = table.heads().iter().zip(texts).take(COLUMNS).enumerate();
    html! {
        tr {
            @for (place, ((_, align), text)) in cells {
                @if place < table.keys() {
                    th scope="row" {
                        @match (&link, place) {
                            (Some(link), 0) => a href={ "#" (link) } { (Shown(text)) },
                            _ => (Shown(text)),
                        }
                    }
                } @else {
                    td class=[class(*align)] { (Shown(text)) }
                }
            }
        }
    }
}

fn class(align: Align) -> Option<&'static str> {
    match align {
        Align::Left => None,
        Align::Right => Some("number"),
    }
}
